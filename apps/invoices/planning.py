"""Split quantities into invoices, exact to the cent. Pure functions: the preview shows the
result and the application saves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, compute_tax
from apps.invoices.enums import InvoiceGrouping

# Maximum number of invoices per application. A larger one must be split by the customer.
MAX_INVOICES = 2_000


@dataclass(frozen=True, slots=True)
class Item:
    """A quantity of an order line to invoice, or the freight of an order (`order_line_id`
    None).

    `invoiced_pieces` and `invoiced_tax` are the pieces and the tax (元) already on invoices. The
    tax of a part is the difference of the cumulative taxes with and without it, so the parts of a
    line sum to the line's tax.
    """

    order_id: int
    order_no: str
    order_line_id: int | None
    title_id: int
    name: str
    model_code: str
    unit: str
    tax_code: str
    tax_rate: Decimal
    unit_price: Decimal
    quantity: int
    invoiced_pieces: int = 0
    invoiced_tax: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """The part of an item on one invoice."""

    item: Item
    quantity: int
    amount: Decimal
    tax: Decimal

    @property
    def net(self) -> Decimal:
        """The amount without tax."""
        return self.amount - self.tax


@dataclass(slots=True)
class PlannedInvoice:
    """One planned invoice."""

    title_id: int
    lines: list[PlannedLine] = field(default_factory=list)
    amount: Decimal = ZERO
    tax: Decimal = ZERO

    def add(self, line: PlannedLine) -> None:
        """Add a line and its amounts."""
        self.lines.append(line)
        self.amount += line.amount
        self.tax += line.tax


@dataclass(frozen=True, slots=True)
class PlanRules:
    """How to split items: by order, by tax rate, and by a limit per invoice in 元 含税."""

    grouping: str = InvoiceGrouping.MERGED
    is_split_by_rate: bool = False
    limit: Decimal | None = None


def plan_invoices(items: Iterable[Item], rules: PlanRules) -> list[PlannedInvoice]:
    """Return the invoices in the order of their first items. Items with different titles never
    share an invoice.

    Raises:
        ValidationFailed: one piece costs more than the limit, or the plan has more than
            MAX_INVOICES invoices.
    """
    groups: dict[tuple[object, ...], list[Item]] = {}
    for item in items:
        order = item.order_id if rules.grouping == InvoiceGrouping.BY_ORDER else None
        rate = item.tax_rate if rules.is_split_by_rate else None
        groups.setdefault((item.title_id, order, rate), []).append(item)
    invoices: list[PlannedInvoice] = []
    for group in groups.values():
        for invoice in _fill_invoices(group, rules.limit):
            if len(invoices) == MAX_INVOICES:
                why = (
                    f"按所选方式将开出 {MAX_INVOICES} 张以上的发票，请调高单张限额、合并开票，"
                    "或缩小范围后分次申请"
                )
                raise ValidationFailed({"AmountLimit": [why]})
            invoices.append(invoice)
    return invoices


def compute_part_tax(item: Item, *, before: int, tax_before: Decimal, quantity: int) -> Decimal:
    """Return the tax of `quantity` more pieces, after `before` pieces with the tax
    `tax_before`.
    """
    amount = item.unit_price * quantity
    tax_of_part = compute_tax(item.unit_price * (before + quantity), item.tax_rate) - tax_before
    return min(max(tax_of_part, ZERO), amount)


def _fill_invoices(items: list[Item], limit: Decimal | None) -> Iterator[PlannedInvoice]:
    """Fill invoices with the items one after the other and yield them. An item that does not
    fit continues on the next invoice.

    Raises:
        ValidationFailed: one piece of an item is above the limit of an invoice.
    """
    filling = PlannedInvoice(items[0].title_id)
    for item in items:
        if limit is not None and item.unit_price > limit:
            raise ValidationFailed(
                {
                    "AmountLimit": [
                        (
                            f"“{item.name}”单价 {item.unit_price} 元超过单张限额 {limit} 元，"
                            "请调高单张限额"
                        )
                    ]
                }
            )
        open_quantity, before, tax_before = item.quantity, item.invoiced_pieces, item.invoiced_tax
        while open_quantity:
            fits = (
                open_quantity
                if limit is None or not item.unit_price
                else min(open_quantity, int((limit - filling.amount) // item.unit_price))
            )
            if fits < 1:
                yield filling
                filling = PlannedInvoice(item.title_id)
                continue
            tax = compute_part_tax(item, before=before, tax_before=tax_before, quantity=fits)
            filling.add(PlannedLine(item, fits, item.unit_price * fits, tax))
            open_quantity, before, tax_before = (
                open_quantity - fits,
                before + fits,
                tax_before + tax,
            )
    yield filling
