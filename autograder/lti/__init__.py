"""The LTI 1.3 services that a learning platform offers to a registered tool: the class, columns of
grades, and the grades in them. None of them needs a server here, or anybody to open the tool.
"""
