"""Write the change history (actor, time, old and new values) in the transaction of the change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.common.days import format_moment
from apps.common.events import get_event_actors
from apps.common.tenancy import get_current_scope
from apps.org.enums import ChangeAction
from apps.org.models import Account, OrganisationChange


def change_record(
    *,
    actor: Account | None,
    subject_type: str,
    subject_id: int,
    subject_name: str,
    action: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, str],
    note: str = "",
) -> OrganisationChange | None:
    """Return the history row of this change, or None for an update that changed no value. `before`
    and `after` are the values by model field.

    `labels` maps the compared fields to their labels on screen. Values may be text, numbers, dates,
    booleans, lists or None. Call it in the transaction of the change. `actor` is None for automatic
    changes; the row then gets the group of the current scope. If staff act as a customer, the row
    names both.
    """
    row = change_build(
        actor=actor,
        subject_type=subject_type,
        subject_id=subject_id,
        subject_name=subject_name,
        action=action,
        before=before,
        after=after,
        labels=labels,
        note=note,
    )
    if row is None:
        return None
    with transaction.atomic():
        row.save()
    return row


def change_build(
    *,
    actor: Account | None,
    subject_type: str,
    subject_id: int,
    subject_name: str,
    action: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    labels: Mapping[str, str],
    note: str = "",
) -> OrganisationChange | None:
    """Return the unsaved history row of a change, as `change_record`, or None for an update that
    changed no value. A sheet saves the rows of a chunk at once.
    """
    changes = [
        {"field": field, "label": label, "before": old, "after": new}
        for field, label in labels.items()
        if (old := format_history_value(before.get(field)))
        != (new := format_history_value(after.get(field)))
    ]
    if action == ChangeAction.UPDATE and not changes:
        return None
    group_id: Any = actor.group_id if actor and actor.group_id else get_current_scope().group_id
    return OrganisationChange(
        group_id=group_id,
        **get_change_actors(actor),
        subject_type=subject_type,
        subject_id=subject_id,
        subject_name=subject_name[:200],
        action=action,
        changes=changes,
        note=note[:500],
    )


def get_change_actors(actor: Account | None) -> dict[str, Account | None]:
    """Return the columns `actor` and `acting_for` of a history row. If staff act as a customer,
    they are the member of staff and the customer.
    """
    if actor is None:
        return {"actor": None, "acting_for": None}
    real_actor, acting_for = get_event_actors(actor)
    return {"actor": real_actor, "acting_for": acting_for}


def format_history_value(value: Any) -> str:
    """Return a value as the history shows it: 是/否, dates and times of Shanghai, list items
    joined with 、, and "" for None.
    """
    match value:
        case None:
            return ""
        case bool():
            return "是" if value else "否"
        case datetime():
            return format_moment(value)
        case date():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
        case str():
            return value
        case Iterable():
            return "、".join(format_history_value(item) for item in value)
    return str(value)
