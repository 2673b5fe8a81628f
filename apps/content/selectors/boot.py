"""What rides in the page as JSON: brand, navigation, footer, banners; kept by the process until it changes."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from apps.content.models import ContentStamp
from apps.content.selectors.preview import Preview
from apps.content.selectors.site import SiteContent, page_content, site_content, with_draft

# How long a database that has failed is left alone: pages go out with what was kept.
REST_SECONDS = 5.0
log = structlog.get_logger(__name__)


class _Kept:
    """The content of this process. Two threads may read it anew at once: both read the same."""

    content: SiteContent = SiteContent()
    moved_at: datetime | None = None
    rests_until: float = 0.0


def boot_content(preview: Preview | None = None) -> dict[str, Any]:
    """Return the public content of the shell: one query while nothing has changed, five after a change.

    With `preview` the site at that moment, always read anew, for one page. Without it, never raises for the database:
    a page goes out with what was kept last, or with what is built in.
    """
    now = Preview(at=timezone.now())
    if preview is None:
        return page_content(kept_content(), now)
    content = page_content(with_draft(site_content(at=preview.at, drafts=True), preview.draft), preview)
    return {**content, "Preview": {"At": preview.at.isoformat(), "IsDraft": bool(preview.forced)}}


def kept_content() -> SiteContent:
    """Return the content of now as this process keeps it."""
    if time.monotonic() < _Kept.rests_until:
        return _Kept.content
    try:
        moved_at = ContentStamp.objects.values_list("moved_at", flat=True).filter(pk=ContentStamp.ONLY).first()
        if moved_at != _Kept.moved_at:
            _Kept.content = site_content(at=timezone.now())
            _Kept.moved_at = moved_at
    except (DatabaseError, InterfaceError) as error:
        _Kept.rests_until = time.monotonic() + REST_SECONDS
        log.warning("content_unavailable", error=str(error)[:200])
    return _Kept.content
