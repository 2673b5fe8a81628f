"""Invoice titles: who sees and changes them, and for which enterprises an account may apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q, QuerySet

from apps.common.numbers import parse_key
from apps.invoices.errors import TitleNotFound, TitlesReadOnly
from apps.invoices.models import SpecialQualification
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Department, Enterprise, InvoiceTitle

if TYPE_CHECKING:
    from apps.org.models import Account


def list_enterprises(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enterprises that the actor may apply for: the actor's own, or all of the group
    if the data scope is the group.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True)
    if actor.get_data_scope(MenuCode.INVOICE_APPLY) != DataScope.GROUP:
        rows = rows.filter(pk__in=[actor.enterprise_id])
    return rows.order_by("code")


def list_departments(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of these enterprises, as filter options for the list of available
    goods.
    """
    rows: QuerySet[Department] = Department.objects.filter(
        enterprise__in=list_enterprises(actor=actor).order_by(), is_active=True
    )
    return rows.order_by("enterprise_id", "code")


def list_visible_titles(*, actor: Account) -> QuerySet[InvoiceTitle]:
    """Return the titles of these enterprises, including disabled titles."""
    rows: QuerySet[InvoiceTitle] = InvoiceTitle.objects.filter(
        enterprise__in=list_enterprises(actor=actor).order_by()
    )
    return rows.select_related("enterprise")


def list_titles(
    *,
    actor: Account,
    enterprise_id: int | None = None,
    keyword: str = "",
    is_active: bool | None = None,
) -> QuerySet[InvoiceTitle]:
    """Return the titles that the actor can see, default first, each with its qualifications,
    newest first. Two queries.
    """
    rows = list_visible_titles(actor=actor)
    if enterprise_id is not None:
        rows = rows.filter(enterprise_id=enterprise_id)
    if keyword:
        rows = rows.filter(Q(title__icontains=keyword) | Q(tax_number__icontains=keyword.upper()))
    if is_active is not None:
        rows = rows.filter(is_active=is_active)
    newest = SpecialQualification.objects.order_by("-pk").prefetch_related("files")
    return rows.prefetch_related(Prefetch("qualifications", newest)).order_by(
        "-is_active", "enterprise_id", "-is_default", "pk"
    )


def get_title(*, actor: Account, pk: str) -> InvoiceTitle:
    """Return one title.

    Raises:
        TitleNotFound: the actor cannot see a title with this id.
    """
    title = list_titles(actor=actor).filter(pk=parse_key(pk)).first()
    if title is None:
        raise TitleNotFound
    return title


def can_change_titles(actor: Account) -> bool:
    """Return whether the actor may change titles. Titles belong to the enterprise, so a
    narrower data scope may only use them.
    """
    return actor.get_data_scope(MenuCode.INVOICE_APPLY) in (DataScope.ENTERPRISE, DataScope.GROUP)


def refuse_title_change(actor: Account) -> None:
    """Refuse an actor who may not change titles.

    Raises:
        Forbidden: the actor's data scope is narrower than an enterprise.
    """
    if not can_change_titles(actor):
        raise TitlesReadOnly
