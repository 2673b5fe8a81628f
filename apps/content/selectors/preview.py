"""Preview links: a signed token names a moment and, optionally, a row that is not published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import serializers, signing

from apps.content.models import Scheduled

LIFETIME = timedelta(minutes=30)
_SALT = "content.preview"


@dataclass(frozen=True, slots=True)
class Preview:
    """The site at the moment `at`, with the row of the key `forced` independent of its dates.

    `draft` is the unsaved row of a form.
    """

    at: datetime
    forced: str = ""
    draft: Scheduled | None = None


def preview_token(*, at: datetime, row: Scheduled | None = None, unsaved: bool = False) -> str:
    """Return a token for the site at the moment `at` with `row`. `unsaved`: the token contains
    the row itself.
    """
    named = {"at": at.isoformat(), "row": row.key if row else ""}
    if row and unsaved:
        named["draft"] = serializers.serialize("json", [row])
    return signing.dumps(named, salt=_SALT, compress=True)


def read_preview_token(token: str) -> Preview | None:
    """Return the preview of a token; None if it is forged or older than half an hour."""
    try:
        named = signing.loads(token, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return Preview(
        at=datetime.fromisoformat(named["at"]),
        forced=named["row"],
        draft=_draft(named.get("draft")),
    )


def _draft(text: str | None) -> Scheduled | None:
    """Return the row in the token; None if there is none or it was made by an older release."""
    try:
        return next(iter(serializers.deserialize("json", text))).object if text else None  # type: ignore[return-value]
    except serializers.base.DeserializationError:
        return None
