"""The built documentation is served under /docs, and linked where it is there."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from smallchange.server.settings import BadSetting, settings

from .serving import serving

SCRIPT = "document.title = 1"


def test_the_documentation_is_served_and_linked_where_it_was_built(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "play").mkdir(parents=True)
    for page in ("index.html", "play/index.html"):
        (site / page).write_text(f"<title>Small Change</title><script>{SCRIPT}</script>", encoding="utf-8")
    with serving(tmp_path, docs=str(site)) as served, httpx.Client(base_url=served.url) as web:
        for path in ("/docs/", "/docs/play/"):
            answer = web.get(path)
            assert answer.status_code == 200
            assert "<title>Small Change</title>" in answer.text
            policy = answer.headers["content-security-policy"]
            assert (
                f"script-src 'self' 'sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}';"
                in policy
            )
            assert "unsafe" not in policy
        assert web.get("/docs/nowhere").status_code == 404
        about = web.get("/about")
        assert 'href="/docs/"' in about.text
        assert "sha256" not in about.headers["content-security-policy"]


def test_without_it_there_is_no_link_and_a_folder_without_it_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, docs="") as served, httpx.Client(base_url=served.url) as web:
        assert web.get("/docs/").status_code == 404
        assert 'href="/docs/"' not in web.get("/about").text
    with pytest.raises(BadSetting, match=r"docs: expected a folder with an index\.html"):
        settings(docs=str(tmp_path))
