"""What rides in the page as JSON: brand, navigation, footer, banners (frontend.md, State); kept by the process until it changes."""

from __future__ import annotations

import time
from typing import Any

import structlog
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from apps.content.selectors.site import SiteContent, page_content, site_content, site_setting

# How long a database that has failed is left alone: pages go out with what was kept.
REST_SECONDS = 5.0
log = structlog.get_logger(__name__)


class _Kept:
    """The content of this process. Two threads may read it anew at once: both read the same."""

    content: SiteContent = SiteContent()
    rests_until: float = 0.0


def boot_content() -> dict[str, Any]:
    """Return the public content of the shell: one query while nothing has changed, three after a change.

    Never raises for the database: a page goes out with what was kept last, or with what is built in.
    """
    return page_content(_current(), at=timezone.now())


def _current() -> SiteContent:
    if time.monotonic() < _Kept.rests_until:
        return _Kept.content
    try:
        setting = site_setting()
        if setting.updated_at != _Kept.content.setting.updated_at:
            _Kept.content = site_content(setting=setting)
    except (DatabaseError, InterfaceError) as error:
        _Kept.rests_until = time.monotonic() + REST_SECONDS
        log.warning("content_unavailable", error=str(error)[:200])
    return _Kept.content
