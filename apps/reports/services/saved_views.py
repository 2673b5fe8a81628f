"""Create, change and delete saved views. Other people can read a shared view; only its owner
can change it.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from apps.common.errors import NotInPerson
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.reports.errors import (
    SavedViewsFull,
    ViewHasSubscriptions,
    ViewNameTaken,
    ViewNotFound,
    ViewNotOwn,
)
from apps.reports.models import SavedView
from apps.reports.selectors.question import allow_report
from apps.reports.selectors.reports import sort_of
from apps.reports.selectors.saved_views import get_view
from apps.reports.services.subscriptions import subscriptions_pause_for_view

# Limit per person for all reports together.
MAX_VIEWS = 50


@transaction.atomic
def view_create(*, actor: Account, fields: dict[str, Any]) -> SavedView:
    """Return a new view of the actor. `fields` are the values by model field.

    Raises:
        Forbidden: the actor does not have the report's menu code.
        NotInPerson: staff who act for the actor cannot share a view.
        ValidationFailed: the actor has another view of this name for the report, or the sort column
            is unknown.
        WrongState: the actor has fifty views.
    """
    allow_report(actor, fields["report"])
    if fields.get("shared") and actor.impersonator is not None:
        raise NotInPerson
    lock_account(actor.pk)  # serialize concurrent requests, so that the count is exact
    if SavedView.objects.filter(owner=actor).count() >= MAX_VIEWS:
        raise SavedViewsFull(MAX_VIEWS)
    view = SavedView(owner=actor, **fields)
    _save_view(view)
    return view


@transaction.atomic
def view_update(*, actor: Account, pk: str, changes: dict[str, Any]) -> SavedView:
    """Return the changed view. `changes` are the new values by model field.

    Raises:
        ViewNotFound: the actor cannot open such a view.
        Forbidden: the view belongs to another person who shares it.
        ValidationFailed: the actor has another view of this name for the report, or the sort column
            is unknown.
    """
    view = _lock_own_view(actor, pk)
    for name, value in changes.items():
        setattr(view, name, value)
    _save_view(view)
    return view


@transaction.atomic
def view_delete(*, actor: Account, pk: str) -> None:
    """Delete the view, also for the people it is shared with. Pauses their subscriptions to it
    and notifies the owners of these subscriptions.

    Raises:
        ViewNotFound, Forbidden: as in `view_update`.
        WrongState: the actor has own subscriptions to the view.
    """
    view = _lock_own_view(actor, pk)
    if count := view.subscriptions.filter(owner=actor).count():
        raise ViewHasSubscriptions(count)
    subscriptions_pause_for_view(view)
    view.delete()


def _lock_own_view(actor: Account, pk: str) -> SavedView:
    view = get_view(actor=actor, pk=pk)
    if view.owner_id != actor.pk:
        raise ViewNotOwn(view.owner.nickname)
    rows = SavedView.objects.select_for_update(of=("self",), no_key=True).select_related("owner")
    locked: SavedView | None = rows.filter(pk=view.pk).first()
    if locked is None:  # deleted by a concurrent request
        raise ViewNotFound
    return locked


def _save_view(view: SavedView) -> None:
    sort_of(view.report, str(view.filters.get("Sort") or ""))
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError as refused:
        raise ViewNameTaken from refused
