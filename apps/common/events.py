"""Write and read the timeline of a subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils import timezone

from apps.common.audit import RELEASED_BY, event_log, get_second_person
from apps.common.models.documents import Event

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
    """Write and return one event about a tenant-owned subject, in the caller's transaction.

    `actor` None means the system. If staff act as a customer, the actor is the member of staff and
    `acting_for` is the customer. In `two_people_scope` the event's data name the second person.
    """
    if actor is not None and actor.impersonator is not None:
        actor, acting_for = get_event_actors(actor)
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
        data={
            **(data or {}),
            **({RELEASED_BY: get_second_person()} if get_second_person() else {}),
        },
        at=timezone.now(),
    )
    event_log(subject, event)
    return event


def get_event_actors(actor: Account) -> tuple[Account, Account | None]:
    """Return (actor, acting_for). For staff who act as a customer: the staff member and the
    customer. Otherwise: the account and None.
    """
    return (actor, None) if actor.impersonator is None else (actor.impersonator, actor)


def get_event_actor_id(actor: Account | None) -> int | None:
    """Return the primary key of the actor that `event_record` stores. None is the system."""
    return None if actor is None else (actor.impersonator or actor).pk


def list_events(subject: models.Model) -> models.QuerySet[Event]:
    """Return the subject's events, oldest first, with their accounts fetched."""
    queryset: models.QuerySet[Event] = Event.objects.filter(
        group_id=subject.group_id,  # type: ignore[attr-defined]
        subject_type=subject._meta.label_lower,
        subject_id=subject.pk,
    ).select_related("actor", "acting_for")
    return queryset.order_by("at", "id")
