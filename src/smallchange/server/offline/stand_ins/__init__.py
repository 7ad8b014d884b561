"""Stand-ins: in the browser they take the place of modules that are large, or that need files or other packages.

Each has only what the modules of `browser_modules.py` use of the one whose place it takes.
"""
