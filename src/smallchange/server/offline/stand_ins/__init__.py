"""Stand-ins: in the browser they take the place of modules that are large, or that need files or other packages.

Each has only what the modules of `bundle.py` use of the one whose place it takes.
"""
