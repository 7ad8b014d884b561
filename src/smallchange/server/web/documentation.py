"""The built documentation under /docs: its route, and its content security policy."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

PATH = "/docs"
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
POLICY = (
    "default-src 'self'; script-src {sources}; img-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)


def documentation(folder: str) -> Mount:
    """Return the route of the built documentation."""
    return Mount(PATH, StaticFiles(directory=folder, html=True))


def documentation_policy(folder: str) -> str:
    """Return the policy for the built documentation: within its pages only the scripts run that were built into them.

    >>> documentation_policy("no-such-folder").split("; ")[1]
    "script-src 'self'"
    """
    scripts = {
        script.encode()
        for page in Path(folder).rglob("*.html")
        for script in INLINE_SCRIPT.findall(page.read_text(encoding="utf-8"))
    }
    hashes = sorted(f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts)
    return POLICY.format(sources=" ".join(["'self'", *hashes]))
