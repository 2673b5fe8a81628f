"""A signed link shows drafts and the site at a later time. It is valid for half an hour, for
every holder of the link and for no other visitor.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.testing import assert_queries
from apps.content.selectors import site
from apps.content.selectors.site import (
    Preview,
    SiteContent,
    boot_content,
    preview_token,
    read_preview_token,
)
from apps.content.tests.factories import create_banner, create_setting

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    site._Cache.content = SiteContent()
    site._Cache.moved_at = None
    site._Cache.rests_until = 0.0


def list_titles(content: dict[str, Any]) -> list[str]:
    return [one["Title"] for one in content["Banners"]]


def test_preview_token_contains_the_moment_and_the_row() -> None:
    at = timezone.now()
    row = create_banner()

    assert read_preview_token(preview_token(at=at, row=row)) == Preview(
        at=at, forced=f"banner:{row.pk}"
    )


@pytest.mark.parametrize("token", ["", "x", "eyJhdCI6IjIwMzAifQ:1abc:made-up"])
def test_unsigned_preview_token_is_ignored(token: str) -> None:
    assert read_preview_token(token) is None


def test_a_token_ends_after_half_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    token = preview_token(at=timezone.now())
    monkeypatch.setattr(site, "LIFETIME", timedelta(0))

    assert read_preview_token(token) is None


def test_a_draft_is_shown_in_its_preview_only() -> None:
    row = create_banner(title="草稿", is_active=False)
    content = boot_content(Preview(at=timezone.now(), forced=row.key))

    assert list_titles(content) == ["草稿"]
    assert content["Preview"]["IsDraft"]
    assert list_titles(boot_content()) == []
    assert boot_content()["Preview"] is None


def test_preview_of_a_future_moment_shows_the_content_valid_then() -> None:
    now = timezone.now()
    create_banner(title="现在", valid_to=now + timedelta(days=1))
    create_banner(title="以后", valid_from=now + timedelta(days=1))

    assert list_titles(boot_content()) == ["现在"]
    assert list_titles(boot_content(Preview(at=now + timedelta(days=2)))) == ["以后"]


def test_a_version_of_the_texts_is_shown_before_it_is_in_force() -> None:
    create_setting(slogan="常规")
    draft = create_setting(slogan="草稿", is_active=False)

    assert boot_content(Preview(at=timezone.now(), forced=draft.key))["Brand"]["Slogan"] == "草稿"
    assert boot_content()["Brand"]["Slogan"] == "常规"


def test_preview_does_not_change_the_cached_content() -> None:
    row = create_banner(title="草稿", is_active=False)
    boot_content()
    boot_content(Preview(at=timezone.now(), forced=row.key))

    with assert_queries(1):
        assert list_titles(boot_content()) == []
