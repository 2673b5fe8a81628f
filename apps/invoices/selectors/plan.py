"""Plan an application: price the chosen quantities and split them into invoices. Preview and
submission use the same plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from django.conf import settings

from apps.common.money import ZERO
from apps.invoices.enums import SPECIAL_KINDS, InvoiceGrouping, InvoiceKind
from apps.invoices.errors import (
    ApplicationTooLong,
    EnterpriseUnavailable,
    FreightNotOpen,
    InvoiceKindClosed,
    LinesNotOpen,
    NothingToInvoice,
    OpenQuantityExceeded,
    OrderTitlesUnavailable,
    TitleFieldsMissing,
    TitleNotQualified,
    TitleUnavailable,
)
from apps.invoices.planning import Item, PlannedInvoice, PlanRules, plan_invoices
from apps.invoices.selectors.available import (
    AvailableFilter,
    get_invoiced_parts,
    list_available_freights,
    list_available_lines,
)
from apps.invoices.selectors.titles import list_enterprises
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.customer_terms import list_invoice_kinds
from apps.org.models import Enterprise, InvoiceTitle

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_LINES = 5_000
SPECIAL_FIELDS = {
    "tax_number": "税号",
    "address": "地址",
    "phone": "电话",
    "bank": "开户行",
    "bank_account": "账号",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen quantities by order line and freights by order number, or everything that a
    filter matches (`is_all`).
    """

    quantities: Mapping[int, int] = field(default_factory=dict)
    freight_order_nos: frozenset[str] = frozenset()
    is_all: bool = False
    filters: AvailableFilter = field(default_factory=AvailableFilter)


@dataclass(frozen=True, slots=True)
class PlanForm:
    """The enterprise, the invoice kind, the title (None: the title of each order) and the
    splitting rules.
    """

    selection: Selection
    kind: str
    enterprise_id: int | None = None
    title_id: int | None = None
    grouping: str = InvoiceGrouping.MERGED
    is_split_by_rate: bool = False
    amount_limit: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The planned invoices, and their titles by primary key."""

    enterprise: Enterprise
    invoices: list[PlannedInvoice]
    titles: dict[int, InvoiceTitle]
    limit: Decimal

    @property
    def total(self) -> Decimal:
        """The total of all invoices in 元 含税."""
        return sum((invoice.amount for invoice in self.invoices), ZERO)

    @property
    def tax(self) -> Decimal:
        """The total tax in 元."""
        return sum((invoice.tax for invoice in self.invoices), ZERO)

    @property
    def line_count(self) -> int:
        """The number of lines on all invoices."""
        return sum(len(invoice.lines) for invoice in self.invoices)


def get_enterprise(*, actor: Account, enterprise_id: int | None) -> Enterprise:
    """Return the enterprise of the request. The default is the actor's own.

    Raises:
        ValidationFailed: the actor may not apply for this enterprise.
    """
    enterprise = (
        list_enterprises(actor=actor).filter(pk__in=[enterprise_id or actor.enterprise_id]).first()
    )
    if enterprise is None:
        raise EnterpriseUnavailable
    return enterprise


def get_selected_rows(
    *, actor: Account, form: PlanForm
) -> tuple[Enterprise, list[OrderLine], list[Order]]:
    """Return the enterprise of the form, the chosen order lines, each with `chosen_quantity`, and
    the orders of the chosen freights, as they are now.

    Raises:
        ValidationFailed: nothing or too much is chosen, or the enterprise is not the actor's.
        QuantityExceeded: a quantity is more than can be invoiced.
    """
    enterprise = get_enterprise(actor=actor, enterprise_id=form.enterprise_id)
    selection = form.selection
    filters = selection.filters if selection.is_all else None
    lines = list_available_lines(actor=actor, enterprise_id=enterprise.pk, filters=filters)
    freights = list_available_freights(actor=actor, enterprise_id=enterprise.pk, filters=filters)
    if not selection.is_all:
        lines = lines.filter(pk__in=list(selection.quantities))
        freights = freights.filter(order_no__in=selection.freight_order_nos)
    selected_lines = list(lines.select_related("order")[: MAX_LINES + 1])
    selected_freights = list(freights[: MAX_LINES + 1])
    if len(selected_lines) + len(selected_freights) > MAX_LINES:
        raise ApplicationTooLong(MAX_LINES)
    if not selection.is_all:
        _refuse_unavailable(selection, selected_lines, selected_freights)
    if not selected_lines and not selected_freights:
        raise NothingToInvoice
    return enterprise, selected_lines, selected_freights


def _refuse_unavailable(
    selection: Selection, lines: Iterable[OrderLine], freights: Iterable[Order]
) -> None:
    """Raise an error if a chosen line or freight, or its quantity, can no longer be invoiced."""
    by_key = {line.pk: line for line in lines}
    if any(pk not in by_key for pk in selection.quantities):
        raise LinesNotOpen
    for pk, quantity in selection.quantities.items():
        line = by_key[pk]
        if quantity > line.open_quantity:  # type: ignore[attr-defined]
            raise OpenQuantityExceeded(name=line.name, left=line.open_quantity)  # type: ignore[attr-defined]
    if selection.freight_order_nos - {order.order_no for order in freights}:
        raise FreightNotOpen


def get_plan(*, actor: Account, form: PlanForm) -> Plan:
    """Return the plan of an application. Writes nothing.

    Raises:
        ValidationFailed: the kind is not offered, a title is missing or unfit for the kind, nothing
            is chosen, or one piece costs more than the limit.
        QuantityExceeded: a quantity is more than can be invoiced.
    """
    if form.kind not in list_invoice_kinds(actor):
        raise InvoiceKindClosed
    enterprise, lines, freights = get_selected_rows(actor=actor, form=form)
    titles = _get_titles(enterprise, form, [line.order for line in lines] + freights)
    limit = min(form.amount_limit or settings.INVOICE_AMOUNT_LIMIT, settings.INVOICE_AMOUNT_LIMIT)
    rules = PlanRules(grouping=form.grouping, is_split_by_rate=form.is_split_by_rate, limit=limit)
    invoiced_parts = get_invoiced_parts([line.pk for line in lines])
    items = [_build_line_item(line, form, invoiced_parts.get(line.pk, (0, ZERO))) for line in lines]
    items += [_build_freight_item(order, form) for order in freights]
    items.sort(
        key=lambda item: (item.order_id, item.order_line_id is None, item.order_line_id or 0)
    )
    return Plan(
        enterprise=enterprise, invoices=plan_invoices(items, rules), titles=titles, limit=limit
    )


def _get_title_id(form: PlanForm, order: Order) -> int:
    return form.title_id or int(order.invoice_snapshot.get("Id") or 0)


def _build_line_item(line: OrderLine, form: PlanForm, invoiced_part: tuple[int, Decimal]) -> Item:
    """Return a chosen order line as an item to invoice. `invoiced_part`: (pieces, tax in 元)
    already invoiced.
    """
    quantity = line.open_quantity if form.selection.is_all else form.selection.quantities[line.pk]  # type: ignore[attr-defined]
    return Item(
        order_id=line.order_id,
        order_no=line.order.order_no,
        order_line_id=line.pk,
        title_id=_get_title_id(form, line.order),
        name=line.name,
        model_code=line.model_code,
        unit=line.unit,
        tax_code=line.tax_code,
        tax_rate=line.tax_rate,
        unit_price=line.unit_price_incl_tax,
        quantity=quantity,
        invoiced_pieces=invoiced_part[0],
        invoiced_tax=invoiced_part[1],
    )


def _build_freight_item(order: Order, form: PlanForm) -> Item:
    """Return the freight of an order as an item to invoice."""
    return Item(
        order_id=order.pk,
        order_no=order.order_no,
        order_line_id=None,
        title_id=_get_title_id(form, order),
        name="运费",
        model_code="",
        unit="次",
        tax_code=settings.INVOICE_FREIGHT_TAX_CODE,
        tax_rate=settings.INVOICE_FREIGHT_TAX_RATE,
        unit_price=order.freight_amount,
        quantity=1,
    )


def _get_titles(
    enterprise: Enterprise, form: PlanForm, orders: Iterable[Order]
) -> dict[int, InvoiceTitle]:
    """Return the active titles by primary key. Each is fit for the kind.

    Raises:
        TitleUnavailable: the actor may not use the chosen title.
        OrderTitlesUnavailable: the title of an order is missing, disabled or not fit.
    """
    title_ids = (
        {form.title_id} if form.title_id else {_get_title_id(form, order) for order in orders}
    )
    titles = {
        row.pk: row
        for row in InvoiceTitle.objects.filter(
            pk__in=title_ids, enterprise=enterprise, is_active=True
        )
    }
    if missing_ids := title_ids - set(titles):
        if form.title_id:
            raise TitleUnavailable
        nos = sorted(
            {order.order_no for order in orders if _get_title_id(form, order) in missing_ids}
        )[:3]
        raise OrderTitlesUnavailable(nos)
    if form.kind in SPECIAL_KINDS:
        for title in titles.values():
            _refuse_unqualified(title, form.kind)
    return titles


def _refuse_unqualified(title: InvoiceTitle, kind: str) -> None:
    name = InvoiceKind(kind).label
    if not title.has_special_qualification:
        raise TitleNotQualified(title=title.title, kind=name)
    empty = [label for field, label in SPECIAL_FIELDS.items() if not getattr(title, field)]
    if empty:
        raise TitleFieldsMissing(title=title.title, fields=empty, kind=name)
