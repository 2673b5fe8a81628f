"""Visibility of titles, applications and invoices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.common.errors import Forbidden
from apps.invoices.models import Invoice, InvoiceApplication
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Department, Enterprise, InvoiceTitle
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


def enterprises_invoiced(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enterprises that the actor may apply for: the actor's own, or all of the group
    if the data scope is the group.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True)
    if actor.data_scope_of(MenuCode.INVOICE_APPLY) != DataScope.GROUP:
        rows = rows.filter(pk__in=[actor.enterprise_id])
    return rows.order_by("code")


def titles_visible(*, actor: Account) -> QuerySet[InvoiceTitle]:
    """Return the titles of these enterprises, including disabled titles."""
    rows: QuerySet[InvoiceTitle] = InvoiceTitle.objects.filter(
        enterprise__in=enterprises_invoiced(actor=actor).order_by()
    )
    return rows.select_related("enterprise")


def may_keep_titles(actor: Account) -> bool:
    """Return whether the actor may change titles. Titles belong to the enterprise, so a
    narrower data scope may only use them.
    """
    return actor.data_scope_of(MenuCode.INVOICE_APPLY) in (DataScope.ENTERPRISE, DataScope.GROUP)


def refuse_title_keeping(actor: Account) -> None:
    """Refuse an actor who may not change titles.

    Raises:
        Forbidden: the actor's data scope is narrower than an enterprise.
    """
    if not may_keep_titles(actor):
        raise Forbidden("开票抬头由企业统一维护，您的数据范围只能使用，请联系贵司财务或管理员")


def applications_visible(*, actor: Account) -> QuerySet[InvoiceApplication]:
    """Return the applications in the actor's data scope."""
    rows: QuerySet[InvoiceApplication] = InvoiceApplication.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.INVOICE_APPLY, account="applicant")
    )
    return rows


def invoices_visible(*, actor: Account, menu: str = MenuCode.INVOICE_LIST) -> QuerySet[Invoice]:
    """Return the invoices of applications in the actor's data scope."""
    rows: QuerySet[Invoice] = Invoice.objects.filter(
        scope_filter(actor=actor, menu=menu, prefix="application__", account="applicant")
    )
    return rows


def departments_invoiced(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of these enterprises, as filter options for the list of available
    goods.
    """
    rows: QuerySet[Department] = Department.objects.filter(
        enterprise__in=enterprises_invoiced(actor=actor).order_by(), is_active=True
    )
    return rows.order_by("enterprise_id", "code")
