"""What students and instructors do in a browser, in a real JupyterLab with nbgrader in it."""
