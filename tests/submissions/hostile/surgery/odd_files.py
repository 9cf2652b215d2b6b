# ---
# attack: Beside the notebook there are a pipe, a socket and a link to a device.
# only: it copies the device until the disk is full
# ---
import os
import socket

import nbformat


def submit(notebook, folder):
    os.mkfifo(folder / "data.csv")
    before = os.getcwd()
    os.chdir(folder)  # a socket's name is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    os.chdir(before)
    (folder / "zeros").symlink_to("/dev/zero")
    nbformat.write(notebook, folder / "01-text-preprocessing.ipynb")
