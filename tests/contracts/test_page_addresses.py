"""The HTTP status of page addresses, from the build's table of screens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import mall.spa

ROUTES = (
    ("/", "^/$"),
    ("/product/index", "^/product/index$"),
    ("/:code.html", r"^/[^/]+\.html$"),
    ("/help/detail/:number", "^/help/detail/[^/]+$"),
    ("*", "^.*$"),
)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: Any) -> None:
    routes = [{"path": path, "pattern": form, "js": [], "css": []} for path, form in ROUTES]
    table = {"entry": {"js": ["main.js"], "css": []}, "routes": routes}
    (tmp_path / "chunk-groups.json").write_text(json.dumps(table))
    monkeypatch.setattr(mall.spa, "CHUNKS", tmp_path / "chunk-groups.json")
    mall.spa._read_chunk_groups.cache_clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("build")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/product/index", 200),
        ("/Product/Index/", 200),
        ("/100001.html", 200),
        ("/help/detail/15", 200),
        ("/12x.html", 404),
        ("/1234567890123456789.html", 404),
        ("/help/detail/16", 404),
        ("/help/detail/0", 404),
        ("/no/such", 404),
    ],
)
def test_an_address_that_leads_nowhere_is_404_with_the_page(
    client: Client, path: str, status: int
) -> None:
    answer = client.get(path)

    assert answer.status_code == status
    assert "main.js" in answer.content.decode()


@pytest.mark.django_db
def test_without_a_build_no_address_is_refused(
    client: Client, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(mall.spa, "CHUNKS", tmp_path / "none.json")

    assert client.get("/no/such").status_code == 200


def test_the_icon_that_browsers_ask_for_is_the_mark(client: Client) -> None:
    answer = client.get("/favicon.ico")

    assert (answer.status_code, answer["Location"]) == (301, "/static/mark.svg")
