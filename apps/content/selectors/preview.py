"""The site as it will be: a signed link names the moment, and the row that is shown though it is not published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import signing

from apps.content.models import Scheduled

LIFETIME = timedelta(minutes=30)
_SALT = "content.preview"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link shows: the site `at` that moment, with the row named `forced` whatever its own dates say."""

    at: datetime
    forced: str = ""


def preview_token(*, at: datetime, row: Scheduled | None = None) -> str:
    """Return the token of a link to the site `at` that moment, with `row` in it."""
    return signing.dumps({"at": at.isoformat(), "row": row.key if row else ""}, salt=_SALT, compress=True)


def preview_of(token: str) -> Preview | None:
    """Return what `token` shows; None for one that is not ours or older than half an hour."""
    try:
        named = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return Preview(at=datetime.fromisoformat(named["at"]), forced=named["row"])
