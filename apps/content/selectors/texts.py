"""The longer texts, read when somebody asks for them: announcements in full, and the business licence."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from apps.content.models import Announcement, SiteSetting
from apps.content.selectors.boot import kept_content
from apps.content.selectors.preview import Preview
from apps.content.selectors.site import lines, setting_of, shown


def announcements() -> list[Announcement]:
    """Return the announcements of now, pinned ones first."""
    return shown(kept_content().announcements, Preview(at=timezone.now()))


def site_setting() -> SiteSetting:
    """Return the version of the site's texts that is in force, or one with what is built in."""
    return setting_of(kept_content(), Preview(at=timezone.now()))


def business_licence() -> list[dict[str, Any]]:
    """Return the business licence of now as rows of name and value; a line without a name has only a value."""
    parts = [line.partition("：") for line in lines(site_setting().business_licence)]
    return [{"Name": name if mark else "", "Value": value if mark else name} for name, mark, value in parts]
