"""Texts that are read on request: announcements in full, and the business licence."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from apps.content.models import Announcement, SiteSetting
from apps.content.selectors.boot import get_cached_content
from apps.content.selectors.preview import Preview
from apps.content.selectors.site import filter_shown, get_current_setting, lines


def announcements() -> list[Announcement]:
    """Return the current announcements, pinned ones first."""
    return filter_shown(get_cached_content().announcements, Preview(at=timezone.now()))


def site_setting() -> SiteSetting:
    """Return the version of the site's texts in force, or the built-in one."""
    return get_current_setting(get_cached_content(), Preview(at=timezone.now()))


def business_licence() -> list[dict[str, Any]]:
    """Return the current business licence as rows of name and value. The name can be empty."""
    parts = [line.partition("：") for line in lines(site_setting().business_licence)]
    return [
        {"Name": name if mark else "", "Value": value if mark else name}
        for name, mark, value in parts
    ]
