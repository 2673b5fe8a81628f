"""The saved views that a person may open: own and shared views of the reports that the person
may open.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.common.numbers import key_of
from apps.org.models import Account
from apps.reports.errors import ViewNotFound
from apps.reports.models import SavedView
from apps.reports.selectors.question import MENU_OF


def list_views(*, actor: Account, report: str = "") -> QuerySet[SavedView]:
    """Return the actor's own and the shared views with their owners, by name. Without a report,
    return the views of all reports that the actor may open.
    """
    reports = [
        name for name, menu in MENU_OF.items() if report in ("", name) and actor.has_menu_code(menu)
    ]
    rows: QuerySet[SavedView] = SavedView.objects.filter(
        Q(owner=actor) | Q(shared=True), report__in=reports
    )
    return rows.select_related("owner").order_by("name", "pk")


def get_view(*, actor: Account, pk: str) -> SavedView:
    """Return one view.

    Raises:
        ViewNotFound: the actor cannot open such a view.
    """
    view = list_views(actor=actor).filter(pk=key_of(pk)).first()
    if view is None:
        raise ViewNotFound
    return view
