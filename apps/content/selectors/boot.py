"""The content of the site now, cached in the process until it changes: the JSON in the page, the
announcements in full, and the business licence.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from apps.content.models import Announcement, ContentStamp, SiteSetting
from apps.content.selectors.site import (
    Preview,
    SiteContent,
    filter_visible,
    get_current_setting,
    page_content,
    site_content,
    split_lines,
    with_draft,
)

# After a database error, the database is not asked again for this time.
REST_SECONDS = 5.0
log = structlog.get_logger(__name__)


class _Cache:
    """The cached content of this process. If two threads refresh it at the same time, both read
    the same data.
    """

    content: SiteContent = SiteContent()
    moved_at: datetime | None = None
    rests_until: float = 0.0


def boot_content(preview: Preview | None = None) -> dict[str, Any]:
    """Return the public content of the page: one query while nothing has changed, five after a
    change.

    With `preview`, return the site at that moment, uncached. Without it, database errors are not
    raised: the page uses the cached or built-in content.
    """
    now = Preview(at=timezone.now())
    if preview is None:
        return page_content(get_cached_content(), now)
    content = page_content(
        with_draft(site_content(at=preview.at, drafts=True), preview.draft), preview
    )
    return {**content, "Preview": {"At": preview.at.isoformat(), "IsDraft": bool(preview.forced)}}


def get_cached_content() -> SiteContent:
    """Return the cached content, refreshed if the stamp has changed."""
    if time.monotonic() < _Cache.rests_until:
        return _Cache.content
    try:
        moved_at = (
            ContentStamp.objects.values_list("moved_at", flat=True)
            .filter(pk=ContentStamp.ONLY)
            .first()
        )
        if moved_at != _Cache.moved_at:
            _Cache.content = site_content(at=timezone.now())
            _Cache.moved_at = moved_at
    except (DatabaseError, InterfaceError) as error:
        _Cache.rests_until = time.monotonic() + REST_SECONDS
        log.warning("content_unavailable", error=str(error)[:200])
    return _Cache.content


def list_announcements() -> list[Announcement]:
    """Return the current announcements, pinned ones first."""
    return filter_visible(get_cached_content().announcements, Preview(at=timezone.now()))


def site_setting() -> SiteSetting:
    """Return the version of the site's texts in force, or the built-in one."""
    return get_current_setting(get_cached_content(), Preview(at=timezone.now()))


def business_licence() -> list[dict[str, Any]]:
    """Return the current business licence as rows of name and value. The name can be empty."""
    parts = [line.partition("：") for line in split_lines(site_setting().business_licence)]
    return [
        {"Name": name if mark else "", "Value": value if mark else name}
        for name, mark, value in parts
    ]
