"""Mark notices as read: by their reader, or because what they ask for has been done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils import timezone

from apps.notices.enums import KINDS
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


def subject_done(*, subject_key: str) -> int:
    """Nobody has to act on this any more: what still asks for it counts as read, for everybody; return how many."""
    open_ones = Notice.objects.filter(subject_key=subject_key, kind__in=NEEDS_ACT, read_at__isnull=True)
    done: int = open_ones.update(read_at=timezone.now())
    return done
