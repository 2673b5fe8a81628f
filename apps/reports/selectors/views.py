"""Which saved views a person may open: his own, and what others share, of the reports he has."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.common.keys import key_of
from apps.org.models import Account
from apps.reports.errors import ViewNotFound
from apps.reports.models import SavedView
from apps.reports.selectors.question import MENU_OF


def views_of(*, actor: Account, report: str = "") -> QuerySet[SavedView]:
    """Return his own and the shared ones with their owners, by name; of one report, or of all that he may open."""
    reports = [name for name, menu in MENU_OF.items() if report in ("", name) and actor.has_menu_code(menu)]
    rows: QuerySet[SavedView] = SavedView.objects.filter(Q(owner=actor) | Q(shared=True), report__in=reports)
    return rows.select_related("owner").order_by("name", "pk")


def view_get(*, actor: Account, pk: str) -> SavedView:
    """Return one.

    Raises:
        ViewNotFound: there is none that he may open.
    """
    found = views_of(actor=actor).filter(pk=key_of(pk)).first()
    if found is None:
        raise ViewNotFound
    return found
