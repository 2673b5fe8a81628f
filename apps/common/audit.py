"""Audit entries for actions that save no form, and the actor and the address of all entries. For
forms, django-auditlog writes the entries itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from auditlog.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models

from apps.common.models.documents import Event

# Keys of the additional data of an entry about a document.
KIND = "kind"
STATE, NOTE, ACTING_FOR = "state", "note", "acting_for"
# The second person of an act under dual control, also in the data of an event.
RELEASED_BY = "released_by"
# (value before, value after)
Change = tuple[object, object]
_actor: ContextVar[Any] = ContextVar("request_actor", default=None)
_address: ContextVar[str] = ContextVar("request_address", default="")
# (the account of the first person, the name of the second one)
_two_people: ContextVar[tuple[Any, str] | None] = ContextVar("two_people", default=None)


@contextmanager
def request_scope(*, actor: Any, address: str) -> Generator[None]:
    """Record the account and the client's address of a request for all entries of the block.
    `actor` is None for an anonymous request.
    """
    tokens = _actor.set(actor), _address.set(address)
    try:
        yield
    finally:
        _actor.reset(tokens[0])
        _address.reset(tokens[1])


def get_request_address() -> str | None:
    """Return the client's address; None outside a request, as in jobs and commands."""
    return _address.get() or None


def set_entry_origin(*, instance: LogEntry, **_: Any) -> None:
    """Set the actor and the address of the request on an entry that is saved. A receiver of
    pre_save.
    """
    if (address := get_request_address()) is None:
        return
    actor = _actor.get()
    if actor is not None and instance.actor is None:
        instance.actor, instance.actor_email = actor, actor.email
    instance.remote_addr = address


@contextmanager
def two_people_scope(*, proposer: Any, second_person_name: str) -> Generator[None]:
    """Record an act under dual control: all entries of the block name the account of the proposer
    as actor, whoever sends the request, and entries and events name the second person.
    """
    token = _two_people.set((proposer, second_person_name))
    try:
        yield
    finally:
        _two_people.reset(token)


def get_second_person() -> str:
    """Return the name of the second person; empty outside dual control."""
    people = _two_people.get()
    return people[1] if people else ""


def name_two_people(*, instance: LogEntry, **_kwargs: Any) -> None:
    """Name both people in an entry that django-auditlog writes by itself for a saved row.
    `CommonConfig.ready` connects it to `pre_save`. The request's user is the second person, and
    would be named as the actor.
    """
    people = _two_people.get()
    if people is not None:
        instance.actor, second = people
        instance.actor_email = people[0].email
        instance.changes = {**(instance.changes or {}), RELEASED_BY: ["", second]}


def act_log(
    *, subject: models.Model, staff: Any, changes: Mapping[str, Change], kind: str = ""
) -> LogEntry:
    """Write and return an entry about `subject`, in the caller's transaction.

    `kind` is the kind of the event, whose label the log shows.
    """
    entry = _build_log_entry(subject, staff, changes, LogEntry.Action.UPDATE)
    entry.additional_data = {KIND: kind} if kind else None
    entry.save()
    return entry


def acts_log(
    *,
    staff: Any,
    acts: Iterable[tuple[models.Model, Mapping[str, Change]]],
    is_new: bool = False,
    is_deleted: bool = False,
) -> None:
    """Write one entry per subject in bulk, in the caller's transaction.

    `is_new`: the action created the subjects. `is_deleted`: it deletes them after this call.
    """
    action = LogEntry.Action.CREATE if is_new else LogEntry.Action.UPDATE
    action = LogEntry.Action.DELETE if is_deleted else action
    LogEntry.objects.bulk_create(
        [_build_log_entry(subject, staff, changes, action) for subject, changes in acts],
        batch_size=500,
    )


def _build_log_entry(
    subject: models.Model, staff: Any, changes: Mapping[str, Change], action: int
) -> LogEntry:
    """Return the log entry of a change. `changes` are by field name. It also names the second
    person who released the act, if there is one.
    """
    second_person_change = {RELEASED_BY: ("", get_second_person())} if get_second_person() else {}
    return LogEntry(
        content_type=ContentType.objects.get_for_model(subject),
        object_pk=str(subject.pk),
        object_id=subject.pk,
        object_repr=str(subject),
        action=action,
        changes={
            name: [str(before), str(after)]
            for name, (before, after) in {**changes, **second_person_change}.items()
        },
        actor=staff,
        remote_addr=get_request_address(),
    )


def event_log(subject: models.Model, event: Event) -> None:
    """Write an entry for a document's event if its actor is staff."""
    if event.actor is None or not event.actor.is_staff:
        return
    changes: dict[str, Change] = {}
    if event.from_state != event.to_state:
        changes[STATE] = event.from_state, event.to_state
    if event.note:
        changes[NOTE] = "", event.note
    if event.acting_for is not None:
        changes[ACTING_FOR] = "", event.acting_for
    act_log(subject=subject, staff=event.actor, changes=changes, kind=event.kind)
