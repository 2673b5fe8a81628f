"""A person's own notices: listed and counted."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.notices.enums import KINDS, NoticeKind
from apps.notices.models import Notice

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_COUNTED = 100


def kinds_of(*, kind: str = "", section: str = "") -> list[NoticeKind]:
    """Return the kinds that are asked for: one, those of a section, or all."""
    return [one for one, rule in KINDS.items() if kind in ("", one) and section in ("", rule.section)]


def inbox(*, actor: Account, kinds: Collection[str] | None = None, unread_only: bool = False) -> QuerySet[Notice]:
    """Return what the actor was told in the page, the newest first."""
    rows: QuerySet[Notice] = unread(actor=actor) if unread_only else Notice.objects.filter(recipient=actor, is_on_page=True)
    if kinds is not None and len(kinds) < len(KINDS):
        rows = rows.filter(kind__in=kinds)
    return rows.order_by("-created_at", "-pk")


def unread(*, actor: Account) -> QuerySet[Notice]:
    """Return what the actor has not read."""
    rows: QuerySet[Notice] = Notice.objects.filter(recipient=actor, is_on_page=True, read_at__isnull=True)
    return rows.order_by()


def unread_count(*, actor: Account) -> int:
    """Return how many the actor has not read, 100 for more: one look into an index, at most 100 rows of it."""
    return unread(actor=actor).values("pk")[:MOST_COUNTED].count()
