"""The notices of an account: listed and counted."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.notices.enums import KINDS, NoticeKind
from apps.notices.models import Notice

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_COUNTED = 100


def list_kinds(*, kind: str = "", section: str = "") -> list[NoticeKind]:
    """Return one kind, the kinds of a section, or all."""
    return [
        one for one, rule in KINDS.items() if kind in ("", one) and section in ("", rule.section)
    ]


def inbox(
    *, actor: Account, kinds: Collection[str] | None = None, unread_only: bool = False
) -> QuerySet[Notice]:
    """Return the actor's notices on the page, the newest first."""
    rows: QuerySet[Notice] = (
        list_unread(actor=actor)
        if unread_only
        else Notice.objects.filter(recipient=actor, is_on_page=True)
    )
    if kinds is not None and len(kinds) < len(KINDS):
        rows = rows.filter(kind__in=kinds)
    return rows.order_by("-created_at", "-pk")


def list_unread(*, actor: Account) -> QuerySet[Notice]:
    """Return the actor's unread notices on the page."""
    rows: QuerySet[Notice] = Notice.objects.filter(
        recipient=actor, is_on_page=True, read_at__isnull=True
    )
    return rows.order_by()


def unread_count(*, actor: Account) -> int:
    """Return the number of unread notices, at most 100. Reads at most 100 rows of an index."""
    return list_unread(actor=actor).values("pk")[:MAX_COUNTED].count()
