"""Write and read the timeline of a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils import timezone

from apps.common.audit import event_log
from apps.common.models.events import Event

if TYPE_CHECKING:
    from apps.org.models import Account


def event_record(
    subject: models.Model,
    *,
    actor: Account | None,
    kind: str,
    from_state: str = "",
    to_state: str = "",
    reason: str = "",
    acting_for: Account | None = None,
    data: dict[str, Any] | None = None,
) -> Event:
    """Write and return one event about a tenant-owned subject, in the caller's transaction; `actor` None means the system.

    What staff do as a customer is theirs, acting for him.
    """
    if actor is not None and actor.impersonator is not None:
        actor, acting_for = doer_of(actor)
    event: Event = Event.objects.create(
        group_id=subject.group_id,  # type: ignore[attr-defined]
        subject_type=subject._meta.label_lower,
        subject_id=subject.pk,
        actor=actor,
        acting_for=acting_for,
        kind=kind,
        from_state=from_state,
        to_state=to_state,
        note=reason,
        data=data or {},
        at=timezone.now(),
    )
    event_log(subject, event)
    return event


def doer_of(actor: Account) -> tuple[Account, Account | None]:
    """Return whose act it is and for whom: what staff do as a customer is theirs, for him; anybody else acts for himself, for None."""
    return (actor, None) if actor.impersonator is None else (actor.impersonator, actor)


def doer_id(actor: Account | None) -> int | None:
    """Return whose act it is, as `event_record` tells it: that of staff who act as a customer is theirs; None is the system."""
    return None if actor is None else (actor.impersonator or actor).pk


def events_of(subject: models.Model) -> models.QuerySet[Event]:
    """Return the subject's events, oldest first, with the people in them."""
    queryset: models.QuerySet[Event] = Event.objects.filter(
        group_id=subject.group_id,  # type: ignore[attr-defined]
        subject_type=subject._meta.label_lower,
        subject_id=subject.pk,
    ).select_related("actor", "acting_for")
    return queryset.order_by("at", "id")
