"""Mark notices as read: by their reader, or because what they ask for has been done."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from apps.notices.enums import KINDS, NoticeKind
from apps.notices.models import Notice
from apps.notices.selectors.inbox import unread

if TYPE_CHECKING:
    from apps.org.models import Account

NEEDS_ACT = [kind for kind, rule in KINDS.items() if rule.needs_act]


def notices_read(*, actor: Account, ids: list[int] | None) -> int:
    """Mark those of the actor's notices as read, all for None; return how many were unread. What is not his stays as it is."""
    wanted = Q() if ids is None else Q(pk__in=ids)
    read: int = unread(actor=actor).filter(wanted).update(read_at=timezone.now())
    return read


def subject_done(
    *, subject_key: str, kinds: Collection[NoticeKind] = NEEDS_ACT, but: Collection[int] = (), until: datetime | None = None
) -> int:
    """Nobody `but` these has to act on this any more: what asks for it counts as read; return how many.

    With `until` only what was told by then.
    """
    open_ones = Notice.objects.filter(subject_key=subject_key, kind__in=kinds, read_at__isnull=True).exclude(recipient__in=but)
    if until is not None:
        open_ones = open_ones.filter(created_at__lte=until)
    done: int = open_ones.update(read_at=timezone.now())
    return done
