"""Tools that read invoices, statements, the credit, invoice titles and returns in the person's data
scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count

from apps.aftersales.enums import ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.returns import ReturnFilter, list_returns
from apps.assistant.tools.tool import NotAllowed, require_menu_code
from apps.invoices.enums import ApplicationStatus, InvoiceKind, StatementStatus
from apps.invoices.models import Invoice, InvoiceApplication, Statement
from apps.invoices.selectors.applications import ApplicationFilter, list_applications
from apps.invoices.selectors.available import count_orders_to_invoice
from apps.invoices.selectors.invoices import InvoiceFilter, list_invoices, sum_invoices
from apps.invoices.selectors.statements import StatementFilter, list_statements
from apps.invoices.selectors.titles import list_titles
from apps.orders.models import Order
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.customer_terms import Credit, find_credit
from apps.org.menus import MenuCode
from apps.org.models import InvoiceTitle
from apps.org.selectors.data_scope import list_department_subtree_ids

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_ROWS = 5
OPEN_APPLICATIONS = (
    ApplicationStatus.PENDING,
    ApplicationStatus.ACCEPTED,
    ApplicationStatus.ISSUING,
)
ENDED_RETURNS = (ReturnStatus.COMPLETED, ReturnStatus.REJECTED, ReturnStatus.WITHDRAWN)
OPEN_STATEMENTS = (StatementStatus.PENDING, StatementStatus.DISPUTED)


@dataclass(frozen=True, slots=True)
class InvoiceSummary:
    """The newest MAX_ROWS of the issued invoices, and of all of them the number `total`, the sum
    `amount` in 元 含税 (red ones negative), and the number by kind.
    """

    invoices: list[Invoice]
    total: int
    amount: Decimal
    by_kind: dict[str, int]


def look_up_invoices(
    *,
    actor: Account,
    since: date | None = None,
    until: date | None = None,
    order_no: str = "",
    is_red: bool | None = None,
) -> InvoiceSummary:
    """Return the issued invoices of a period, of an order, or all.

    Raises:
        NotAllowed: the actor has no right to open invoices.
    """
    require_menu_code(actor, MenuCode.INVOICE_LIST, "发票")
    filters = InvoiceFilter(
        since=since, until=until, order_no=order_no, is_red=is_red, is_issued=True
    )
    rows = list_invoices(actor=actor, filters=filters)
    kinds = dict(
        rows.order_by()
        .values_list("kind")
        .annotate(number=Count("pk", distinct=True))
        .values_list("kind", "number")
    )
    return InvoiceSummary(
        invoices=list(rows.order_by("-issued_at", "-pk")[:MAX_ROWS]),
        total=rows.count(),
        amount=sum_invoices(actor=actor, filters=filters),
        by_kind={str(InvoiceKind(kind).label): number for kind, number in kinds.items()},
    )


def look_up_order_invoicing(*, actor: Account, order_no: str) -> Order | None:
    """Return an order whose state of invoicing the actor may see, or None.

    Raises:
        NotAllowed: the actor has no right to open invoices.
    """
    require_menu_code(actor, MenuCode.INVOICE_LIST, "发票")
    order: Order | None = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    return order


def uninvoiced_count(*, actor: Account) -> int:
    """Return the number of orders with goods to invoice.

    Raises:
        NotAllowed: the actor may not apply for invoices.
    """
    require_menu_code(actor, MenuCode.INVOICE_APPLY, "待开票订单")
    subtree = (
        list_department_subtree_ids(department_id=actor.department_id)
        if actor.department_id
        else []
    )
    return count_orders_to_invoice(actor=actor, subtree_ids=subtree) or 0


def look_up_applications(*, actor: Account) -> list[InvoiceApplication]:
    """Return the open applications for invoices, newest first.

    Raises:
        NotAllowed: the actor may not apply for invoices.
    """
    require_menu_code(actor, MenuCode.INVOICE_APPLY, "开票申请")
    rows = list_applications(actor=actor, filters=ApplicationFilter())
    return list(rows.filter(status__in=OPEN_APPLICATIONS))


def look_up_statements(
    *, actor: Account, month: date | None = None, is_open: bool = False
) -> list[Statement]:
    """Return the statements of a month, those that wait for the customer, or the newest ones.

    Raises:
        NotAllowed: the actor has no right to open invoices.
    """
    require_menu_code(actor, MenuCode.INVOICE_LIST, "对账单")
    filters = StatementFilter(since=month, until=month)
    rows = list_statements(actor=actor, filters=filters)
    if is_open:
        rows = rows.filter(status__in=OPEN_STATEMENTS)
    return list(rows[:MAX_ROWS])


def look_up_credit(*, actor: Account) -> Credit | None:
    """Return the credit of the actor's enterprise, or None if it has none.

    Raises:
        NotAllowed: the actor has no enterprise.
    """
    if actor.enterprise_id is None:
        raise NotAllowed("您的账号没有所属企业，没有可查询的月结额度。")
    return find_credit(actor.enterprise_id)


def look_up_titles(*, actor: Account) -> list[InvoiceTitle]:
    """Return the usable invoice titles of the actor's enterprise, the default first."""
    return list(
        list_titles(actor=actor, enterprise_id=actor.enterprise_id, is_active=True)[:MAX_ROWS]
    )


@dataclass(frozen=True, slots=True)
class ReturnPage:
    """The newest returns, and the total number."""

    returns: list[ReturnOrder]
    total: int


def look_up_returns(
    *,
    actor: Account,
    kind: str = "",
    since: date | None = None,
    until: date | None = None,
    is_open: bool = False,
) -> ReturnPage:
    """Return the actor's own after-sales orders.

    Raises:
        NotAllowed: the actor has no right to open returns.
    """
    require_menu_code(actor, MenuCode.ORDER_RETURN, "售后单")
    rows = list_returns(actor=actor, filters=ReturnFilter(kind=kind, since=since, until=until))
    rows = rows.filter(requester=actor)
    if is_open:
        rows = rows.exclude(status__in=ENDED_RETURNS)
    return ReturnPage(list(rows.order_by("-created_at", "-pk")[:MAX_ROWS]), rows.count())
