"""Keep, change and drop a saved view: what is shared is read by others and changed by its owner alone."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from apps.common.errors import Forbidden, NotInPerson, ValidationFailed, WrongState
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.reports.errors import ViewNotFound
from apps.reports.models import SavedView
from apps.reports.selectors.question import allow_report
from apps.reports.selectors.reports import sort_of
from apps.reports.selectors.views import view_get
from apps.reports.services.subscription_pause import subscriptions_leave

# Of one person, over all five reports.
MOST_VIEWS = 50


@transaction.atomic
def view_create(*, actor: Account, fields: dict[str, Any]) -> SavedView:
    """Return a new view of the actor's.

    Raises:
        Forbidden: he has not that report.
        NotInPerson: staff who act as him would share it; what others read and subscribe to is his in person.
        ValidationFailed: he has another view of that name there, or the report has no such order.
        WrongState: he keeps fifty already.
    """
    allow_report(actor, fields["report"])
    if fields.get("shared") and actor.impersonator is not None:
        raise NotInPerson
    lock_account(actor.pk)  # of two that come at once the second counts the first
    if SavedView.objects.filter(owner=actor).count() >= MOST_VIEWS:
        raise WrongState(f"每人最多保存 {MOST_VIEWS} 个视图，请先删除不再使用的")
    view = SavedView(owner=actor, **fields)
    _write(view)
    return view


@transaction.atomic
def view_update(*, actor: Account, pk: str, changes: dict[str, Any]) -> SavedView:
    """Return the view with the changes.

    Raises:
        ViewNotFound: there is none that he may open.
        Forbidden: somebody shares it with him; it is not his.
        ValidationFailed: he has another view of that name there.
    """
    view = _lock(actor, pk)
    for name, value in changes.items():
        setattr(view, name, value)
    _write(view)
    return view


@transaction.atomic
def view_delete(*, actor: Account, pk: str) -> None:
    """Drop it, for those it was shared with too; the subscriptions of others to it are paused, and their owners told.

    Raises:
        ViewNotFound, Forbidden: as for a change.
        WrongState: he subscribes to it himself.
    """
    view = _lock(actor, pk)
    if count := view.subscriptions.filter(owner=actor).count():
        raise WrongState(f"您有 {count} 个订阅使用该视图，请先在“订阅”中删除这些订阅或改用其他视图")
    subscriptions_leave(view)
    view.delete()


def _lock(actor: Account, pk: str) -> SavedView:
    found = view_get(actor=actor, pk=pk)
    if found.owner_id != actor.pk:
        raise Forbidden(f"该视图由{found.owner.nickname}共享，只有本人可以修改或删除；您可以另存为自己的视图")
    rows = SavedView.objects.select_for_update(of=("self",), no_key=True).select_related("owner")
    locked: SavedView | None = rows.filter(pk=found.pk).first()
    if locked is None:  # deleted by a second click meanwhile
        raise ViewNotFound
    return locked


def _write(view: SavedView) -> None:
    sort_of(view.report, str(view.filters.get("Sort") or ""))
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError as refused:
        raise ValidationFailed({"Name": ["该报表下已有同名视图，请换一个名称"]}) from refused
