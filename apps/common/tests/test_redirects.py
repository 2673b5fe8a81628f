"""The allow-list of redirect targets, tested with a corpus of addresses."""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.redirects import get_safe_target

GOOD = [
    "/",
    "/userCenter/index",
    "/product/index?Keyword=%E7%AC%94&Cid=3#top",
    "/100234.html",
    "/product/a..b/.c",
    "/search?next=https://evil.example",
    "https://partner.example/in?x=1",
    "HTTPS://Partner.Example/in",
    "https://old.wencai.example:8443/home?a=b",
]
BAD = [
    "",
    None,
    42,
    ["/"],
    "home",
    "userCenter/index",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/%2f/evil.example",
    "/%2Fevil.example",
    "/%5cevil.example",
    "/%5c%5cevil.example",
    "/%252fevil.example",
    "/%09/evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "/%252E%2e//evil.example",
    "/a%0d%0aSet-Cookie:x=1",
    "/a\r\nSet-Cookie: x=1",
    "/a\x00b",
    "/\u200b/evil.example",
    "/\ud800",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://partner.example/",
    "http://partner.example/",
    "https:partner.example",
    "https:/partner.example",
    "https:///partner.example",
    "https://evil.example",
    "https://partner.example.evil.example/",
    "https://evilpartner.example/",
    "https://partner.example@evil.example/",
    "https://evil.example@partner.example/",
    "https://user:pw@partner.example/",
    "https://partner.example:444/",
    "https://partner.example\\@evil.example/",
    "https://evil.example#@partner.example/",
    "https://evil.example?@partner.example/",
    "https://partner.example%2eevil.example/",
    "https://p\u0430rtner.example/",
    "https://partner。example/",
    "https://xn--prtner-4ve.example/",
    "https://[::1]/",
    "https://2130706433/",
    "https://partner.example./",
    "https://old.wencai.example/home",
    "http://old.wencai.example:8443/home",
    "https://partner.example:x/",
    "https://[partner.example/",
    "/" + "x" * 2000,
]


@pytest.fixture(autouse=True)
def _allowed(settings: Any) -> None:
    settings.REDIRECT_ALLOWED_HOSTS = ["partner.example"]
    settings.OLD_MALL_URL = "https://old.wencai.example:8443/home"


@pytest.mark.parametrize("raw", GOOD)
def test_listed_redirect_target_is_returned_unchanged(raw: str) -> None:
    assert get_safe_target(raw) == raw


@pytest.mark.parametrize("raw", BAD, ids=repr)
def test_unlisted_redirect_target_is_refused(raw: object) -> None:
    assert get_safe_target(raw) is None


def test_the_built_in_old_mall_is_a_path_of_ours(settings: Any) -> None:
    settings.OLD_MALL_URL = "/old-mall/"
    assert get_safe_target("/old-mall/?ticket=x") == "/old-mall/?ticket=x"
