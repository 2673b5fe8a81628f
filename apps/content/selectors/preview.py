"""The site as it will be: a signed link names the moment, and the row that is shown though it is not published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import serializers, signing

from apps.content.models import Scheduled

LIFETIME = timedelta(minutes=30)
_SALT = "content.preview"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link shows: the site `at` that moment, with the row named `forced` whatever its own dates say.

    `draft` is that row as it stands in somebody's form, where it is not saved.
    """

    at: datetime
    forced: str = ""
    draft: Scheduled | None = None


def preview_token(*, at: datetime, row: Scheduled | None = None, unsaved: bool = False) -> str:
    """Return the token of a link to the site `at` that moment, with `row` in it; `unsaved`: as it is here, not as it is stored."""
    named = {"at": at.isoformat(), "row": row.key if row else ""}
    if row and unsaved:
        named["draft"] = serializers.serialize("json", [row])
    return signing.dumps(named, salt=_SALT, compress=True)


def preview_of(token: str) -> Preview | None:
    """Return what `token` shows; None for one that is not ours or older than half an hour."""
    try:
        named = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return Preview(at=datetime.fromisoformat(named["at"]), forced=named["row"], draft=_draft(named.get("draft")))


def _draft(text: str | None) -> Scheduled | None:
    """Return the row that was signed; None where none was, or where it is of an older release."""
    try:
        return next(iter(serializers.deserialize("json", text))).object if text else None  # type: ignore[return-value]
    except serializers.base.DeserializationError:
        return None
