"""Requests to the API as its routes get them."""

from __future__ import annotations

from starlette.requests import Request

from smallchange.server.web.api import endpoints
from tests.server.serving import Served


def api_request(served: Served, address: str, body: str = "", **path: str) -> endpoints.ApiRequest:
    """Return a request as the routes get it, to be answered in the server's loop."""
    scope = {"type": "http", "method": "GET", "headers": [], "query_string": b"", "path_params": path}
    return endpoints.ApiRequest(Request(scope | {"client": (address, 1), "app": served.security.app}), body)
