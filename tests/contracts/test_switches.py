"""The settings that the shell passes to the page."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client


def boot(path: str = "/") -> tuple[int, dict[str, Any]]:
    response = Client().get(path)
    text = re.search(
        r'<script id="boot" type="application/json">(.*?)</script>', response.content.decode()
    )
    assert text
    return response.status_code, json.loads(text[1])


@pytest.mark.django_db
def test_the_page_knows_where_it_may_lead_and_how_to_the_old_mall(settings: Any) -> None:
    settings.REDIRECT_ALLOWED_HOSTS = ["Partner.example"]
    settings.OLD_MALL_URL, settings.OLD_MALL_METHOD = "https://old.example:8443/home", "redirect"

    texts = boot()[1]
    assert texts["RedirectOrigins"] == ["https://old.example:8443", "https://partner.example"]
    assert (texts["OldMallEnabled"], texts["OldMallMethod"]) == (True, "redirect")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/test/token", "/test/cookie"])
@pytest.mark.parametrize(("is_on", "status"), [(True, 200), (False, 404)])
def test_test_pages_exist_only_with_their_setting(
    settings: Any, path: str, is_on: bool, status: int
) -> None:
    settings.TEST_PAGES = is_on

    assert boot(path)[0] == status
    assert boot(path)[1]["TestPages"] is is_on
