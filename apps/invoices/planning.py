"""Which invoices a set of quantities becomes, to the cent: pure, read by the preview and written by the application."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, tax_of
from apps.invoices.enums import InvoiceGrouping

# Of one application: what more become is asked for in parts, whatever limit is named.
MAX_INVOICES = 2_000


@dataclass(frozen=True, slots=True)
class Item:
    """A quantity of an order line, or an order's freight (`order_line_id` None), that is to be invoiced.

    `taken` and `taken_tax` are what of the line is on invoices already: a part's tax is the difference of what has been taken with
    it and without it, so that the parts of a line sum to the line's tax.
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
    taken: int = 0
    taken_tax: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """What of an item comes onto one invoice."""

    item: Item
    quantity: int
    amount: Decimal
    tax: Decimal

    @property
    def net(self) -> Decimal:
        """Without tax."""
        return self.amount - self.tax


@dataclass(slots=True)
class PlannedInvoice:
    """One invoice to be."""

    title_id: int
    lines: list[PlannedLine] = field(default_factory=list)
    amount: Decimal = ZERO
    tax: Decimal = ZERO

    def add(self, line: PlannedLine) -> None:
        """Put a line onto it."""
        self.lines.append(line)
        self.amount += line.amount
        self.tax += line.tax


@dataclass(frozen=True, slots=True)
class PlanRules:
    """How items are parted: by order, by rate, and below a limit of 元 含税 per invoice."""

    grouping: str = InvoiceGrouping.MERGED
    is_split_by_rate: bool = False
    limit: Decimal | None = None


def invoices_planned(items: Iterable[Item], rules: PlanRules) -> list[PlannedInvoice]:
    """Return the invoices, always parted by title, in the order in which their first item stands.

    Raises:
        ValidationFailed: a single piece costs more than an invoice may, or they would be more than MAX_INVOICES.
    """
    groups: dict[tuple[object, ...], list[Item]] = {}
    for item in items:
        order = item.order_id if rules.grouping == InvoiceGrouping.BY_ORDER else None
        rate = item.tax_rate if rules.is_split_by_rate else None
        groups.setdefault((item.title_id, order, rate), []).append(item)
    found: list[PlannedInvoice] = []
    for group in groups.values():
        for invoice in _filled(group, rules.limit):
            if len(found) == MAX_INVOICES:
                why = f"按所选方式将开出 {MAX_INVOICES} 张以上的发票，请调高单张限额、合并开票，或缩小范围后分次申请"
                raise ValidationFailed({"AmountLimit": [why]})
            found.append(invoice)
    return found


def part_tax(item: Item, *, before: int, tax_before: Decimal, quantity: int) -> Decimal:
    """Return the tax of `quantity` more pieces where `before` have been taken with `tax_before`."""
    amount = item.unit_price * quantity
    owed = tax_of(item.unit_price * (before + quantity), item.tax_rate) - tax_before
    return min(max(owed, ZERO), amount)


def _filled(items: list[Item], limit: Decimal | None) -> Iterator[PlannedInvoice]:
    """Put the items onto invoices one after the other, and yield each that is full; what does not fit goes on with the next."""
    filling = PlannedInvoice(items[0].title_id)
    for item in items:
        if limit is not None and item.unit_price > limit:
            raise ValidationFailed({"AmountLimit": [f"“{item.name}”单价 {item.unit_price} 元超过单张限额 {limit} 元，请调高单张限额"]})
        left, before, tax_before = item.quantity, item.taken, item.taken_tax
        while left:
            fits = left if limit is None or not item.unit_price else min(left, int((limit - filling.amount) // item.unit_price))
            if fits < 1:
                yield filling
                filling = PlannedInvoice(item.title_id)
                continue
            tax = part_tax(item, before=before, tax_before=tax_before, quantity=fits)
            filling.add(PlannedLine(item, fits, item.unit_price * fits, tax))
            left, before, tax_before = left - fits, before + fits, tax_before + tax
    yield filling
