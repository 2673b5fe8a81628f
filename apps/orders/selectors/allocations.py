"""Split the amounts of a checkout over accounting dimensions.

Every line has the parts of its own choice, of the choice for the whole order, or of the default
of the department. The freight follows the goods.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import F
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, lower_parts, split_amount
from apps.dimensions.enums import DimensionKind
from apps.dimensions.errors import DimensionRefused
from apps.dimensions.selectors.facts import DimensionFact, DimensionFacts
from apps.orders import texts
from apps.orders.models import OrderAllocation
from apps.orders.selectors.deliveries import Delivery, DeliveryLine
from apps.org.selectors.departments import list_department_ids_above

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

WHOLE = Decimal("100.00")
FIELD = "Allocations"
COST_CENTER = DimensionKind.COST_CENTER
MAX_TEXT = 60
# Between the codes of an order's cost centres. A code never contains it.
SEPARATOR = "、"


@dataclass(frozen=True, slots=True)
class PartForm:
    """A chosen dimension with its percent or its amount in 元. Neither: everything."""

    dimension_id: int
    percent: Decimal | None = None
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class AllocationForm:
    """The choice for one kind. `cart_item_id` None means every line without its own choice."""

    kind: str
    parts: tuple[PartForm, ...]
    cart_item_id: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """A part of an amount in 元 for one dimension."""

    dimension: DimensionFact
    percent: Decimal | None
    amount: Decimal


Shares = Mapping[str, Sequence[Share]]


@dataclass(frozen=True, slots=True)
class OrderShares:
    """The shares of one delivery by kind: one entry for each line, and those of the freight."""

    lines: list[dict[str, list[Share]]]
    freight: dict[str, list[Share]]

    @property
    def dimensions(self) -> list[DimensionFact]:
        """Return the dimensions of the order, each once."""
        shares = (share for row in self.lines for part in row.values() for share in part)
        return list({share.dimension.pk: share.dimension for share in shares}.values())

    @property
    def cost_center(self) -> str:
        """Return the codes of the cost centres as one text, shortened to 60 characters."""
        codes = [row.code for row in self.dimensions if row.kind == COST_CENTER]
        return SEPARATOR.join(codes)[:MAX_TEXT]


@dataclass(frozen=True, slots=True)
class AllocationProblem:
    """A refused choice. `cart_item_id` None means the whole order."""

    code: str
    message: str
    field: str = FIELD
    cart_item_id: int | None = None


@dataclass(frozen=True, slots=True)
class Allocations:
    """The shares of each delivery, in the order of the deliveries, and the refused choices."""

    orders: list[OrderShares] = field(default_factory=list)
    problems: list[AllocationProblem] = field(default_factory=list)


def collect_chosen_ids(forms: Iterable[AllocationForm]) -> set[int]:
    """Return the ids of the chosen dimensions."""
    return {part.dimension_id for form in forms for part in form.parts}


def list_named_cost_centers(*, cost_center: str, deliveries: Iterable[Delivery]) -> set[str]:
    """Return the cost centres that the checkout names as text: of the order, its deliveries and
    the requisitions of colleagues.
    """
    rows = list(deliveries)
    codes = {cost_center, *(row.own_cost_center for row in rows)}
    codes |= {line.gathered.cost_center for row in rows for line in row.lines if line.gathered}
    return codes - {""}


def list_department_path_ids(*, actor: Account, delivery: Delivery) -> list[int]:
    """Return the department of the order and those above it. No query after the budgets."""
    department = delivery.department
    return list_department_ids_above(
        account=actor, department_id=department.pk if department else None
    )


def get_allocations(
    *,
    actor: Account,
    forms: Sequence[AllocationForm],
    cost_center: str,
    deliveries: Sequence[Delivery],
    facts: DimensionFacts | None,
) -> Allocations:
    """Return the shares of every delivery and the refused choices. No query.

    `facts` None: the checkout has no invoice title, and is refused for that reason.
    """
    if facts is None:
        return Allocations()
    resolver = _ChoiceResolver(actor, forms, cost_center, deliveries, facts, timezone.localdate())
    problems = list(resolver.iterate_problems())
    return Allocations([] if problems else resolver.list_order_shares(), problems)


@dataclass(slots=True)
class _ChoiceResolver:
    """Resolves the choices of one checkout."""

    actor: Account
    forms: Sequence[AllocationForm]
    cost_center: str
    deliveries: Sequence[Delivery]
    facts: DimensionFacts
    day: date
    # {(kind, cart line): choice}; None is the choice for every other line.
    _form: dict[tuple[str, int | None], AllocationForm] = field(init=False)

    def __post_init__(self) -> None:
        # The first of two choices for the same line counts.
        self._form = {(row.kind, row.cart_item_id): row for row in reversed(self.forms)}

    def iterate_problems(self) -> Iterator[AllocationProblem]:
        """Yield every refused choice."""
        amounts = self._sum_amounts_by_line()
        department_paths = [
            list_department_path_ids(actor=self.actor, delivery=row) for row in self.deliveries
        ]
        for form in self.forms:
            yield from self._check_form(form, amounts, department_paths)
        for delivery, path in zip(self.deliveries, department_paths, strict=True):
            yield from self._check_cost_center_text(delivery.own_cost_center, [path])
        if (COST_CENTER, None) not in self._form:
            yield from self._check_cost_center_text(self.cost_center, department_paths)

    def _check_form(
        self,
        form: AllocationForm,
        amounts: Mapping[int, Decimal],
        department_paths: Sequence[list[int]],
    ) -> Iterator[AllocationProblem]:
        """Yield the problems of one allocation form. `amounts`: 元 含税 by cart line pk."""
        pk = form.cart_item_id
        label = DimensionKind(form.kind).label
        if pk is not None and pk not in amounts:
            text = texts.allocated_line_gone(label)
            yield AllocationProblem(ValidationFailed.code, text)
            return
        for part in form.parts:
            row = self.facts.find(kind=form.kind, pk=part.dimension_id)
            if row is None:
                text = texts.dimension_unavailable(label)
                yield AllocationProblem(DimensionRefused.code, text, cart_item_id=pk)
                continue
            for path in department_paths:
                if refusal := row.explain_refusal(day=self.day, department_path=path):
                    yield AllocationProblem(DimensionRefused.code, refusal, cart_item_id=pk)
                    break
        if sum_problem := self._find_sum_problem(form, amounts):
            yield AllocationProblem(ValidationFailed.code, sum_problem, cart_item_id=pk)

    def _find_sum_problem(self, form: AllocationForm, amounts: Mapping[int, Decimal]) -> str | None:
        """Return why the percentages are not 100, or the amounts not those of the line. None if
        they are.
        """
        label = DimensionKind(form.kind).label
        if len(form.parts) == 1 and form.parts[0].percent is form.parts[0].amount is None:
            return None
        percents = [part.percent for part in form.parts if part.percent is not None]
        part_amounts = [part.amount for part in form.parts if part.amount is not None]
        if len(percents) == len(form.parts):
            percent_total = sum(percents, ZERO)
            if percent_total != WHOLE:
                return texts.percents_not_whole(kind=label, total=percent_total)
            return None
        if len(part_amounts) != len(form.parts):
            return texts.percents_and_amounts_mixed(label)
        if form.cart_item_id is None:
            return texts.amounts_of_whole_order(label)
        total, amount = sum(part_amounts, ZERO), amounts[form.cart_item_id]
        if total != amount:
            return texts.amounts_differ(kind=label, allocated=total, line_amount=amount)
        return None

    def _check_cost_center_text(
        self, text: str, department_paths: Sequence[Sequence[int]]
    ) -> Iterator[AllocationProblem]:
        """Yield a problem if a typed cost center is unknown, or if a department of the paths may
        not use it.
        """
        row = self.facts.find_cost_center(text) if text else None
        message = ""
        if row is not None:
            refusals = (
                row.explain_refusal(day=self.day, department_path=path) for path in department_paths
            )
            message = next(filter(None, refusals), "")
        elif text and COST_CENTER in self.facts.kinds:
            message = texts.cost_center_unknown(text)
        if message:
            yield AllocationProblem(DimensionRefused.code, message, field="CostCenter")

    def list_order_shares(self) -> list[OrderShares]:
        """Return how the amounts of each delivery are divided between dimensions: one item per
        delivery, in their order.
        """
        open_amounts = {
            id(form): [part.amount or ZERO for part in form.parts]
            for form in self.forms
            if form.cart_item_id is not None
        }
        orders: list[OrderShares] = []
        for delivery in self.deliveries:
            department_path = list_department_path_ids(actor=self.actor, delivery=delivery)
            line_shares = [
                {
                    kind: shares
                    for kind in DimensionKind.values
                    if (
                        shares := self._divide_line(
                            kind, line, delivery, department_path, open_amounts
                        )
                    )
                }
                for line in delivery.lines
            ]
            freight = compute_freight_shares(
                goods=[
                    (line.amount, row)
                    for line, row in zip(delivery.lines, line_shares, strict=True)
                ],
                freight=delivery.freight.fee,
            )
            orders.append(OrderShares(line_shares, freight))
        return orders

    def _divide_line(
        self,
        kind: str,
        line: DeliveryLine,
        delivery: Delivery,
        department_path: Sequence[int],
        open_amounts: dict[int, list[Decimal]],
    ) -> list[Share]:
        """Return the shares of a line of a delivery.

        The choice for its cart line decides. If there is none, these follow in this order: the cost
        centre of the requisition or of the delivery, the choice for the whole order, the typed
        cost centre, the default of the department.
        """
        line_form = self._form.get((kind, line.cart_line.item_id))
        if line_form is not None and line_form.parts[0].amount is not None:
            return self._take_shares(line_form, line.amount, open_amounts[id(line_form)])
        if line_form is not None:
            return self._divide_by_percent(line_form, line.amount)
        if kind == COST_CENTER and (
            single := self._find_own_cost_center(line, delivery, department_path)
        ):
            return [Share(single, WHOLE, line.amount)]
        whole_order_form = self._form.get((kind, None))
        if whole_order_form is not None:
            return self._divide_by_percent(whole_order_form, line.amount)
        dimension: DimensionFact | None
        if kind == COST_CENTER and (delivery.own_cost_center or self.cost_center):
            # Free text that is no cost centre of the group stays text.
            dimension = self.facts.find_cost_center(delivery.own_cost_center or self.cost_center)
        else:
            dimension = self.facts.get_default(
                kind=kind, day=self.day, department_path=department_path
            )
        return [Share(dimension, WHOLE, line.amount)] if dimension else []

    def _find_own_cost_center(
        self, line: DeliveryLine, delivery: Delivery, department_path: Sequence[int]
    ) -> DimensionFact | None:
        """Return the cost centre of the colleague's requisition, or that of the delivery."""
        if line.gathered and line.gathered.cost_center:
            row = self.facts.find_cost_center(line.gathered.cost_center)
            if row is not None and not row.explain_refusal(
                day=self.day, department_path=department_path
            ):
                return row
        return self.facts.find_cost_center(delivery.own_cost_center)

    def _divide_by_percent(self, form: AllocationForm, amount: Decimal) -> list[Share]:
        """Return the shares of `amount` 元 by the percentages of the form. They sum to the
        amount.
        """
        percents = [part.percent or WHOLE for part in form.parts]
        parts = zip(form.parts, percents, split_amount(amount, percents), strict=True)
        return [
            Share(dimension, percent, part_amount)
            for part, percent, part_amount in parts
            if (dimension := self.facts.find(kind=form.kind, pk=part.dimension_id))
        ]

    def _take_shares(
        self, form: AllocationForm, amount: Decimal, open_amounts: list[Decimal]
    ) -> list[Share]:
        """Return the shares of a delivery line from the amounts of its cart line. The delivery
        lines of a cart line take them one after the other, so that both sums are exact.
        """
        shares: list[Share] = []
        for number, part in enumerate(form.parts):
            share_amount = min(open_amounts[number], amount)
            dimension = self.facts.find(kind=form.kind, pk=part.dimension_id)
            if share_amount and dimension:
                shares.append(Share(dimension, None, share_amount))
                open_amounts[number] -= share_amount
                amount -= share_amount
        return shares

    def _sum_amounts_by_line(self) -> dict[int, Decimal]:
        """Return {cart line pk: its amount in 元 含税 in all deliveries}."""
        amounts: dict[int, Decimal] = {}
        for delivery in self.deliveries:
            for line in delivery.lines:
                pk = line.cart_line.item_id
                amounts[pk] = amounts.get(pk, ZERO) + line.amount
        return amounts


def compute_freight_shares(
    *, goods: Sequence[tuple[Decimal, Shares]], freight: Decimal
) -> dict[str, list[Share]]:
    """Return the shares of the freight by kind, in proportion to the goods. `goods` are the
    amount of each line and its shares. Goods without a dimension keep their part without one.
    """
    if not freight:
        return {}
    shares_by_kind: dict[str, list[Share]] = {}
    for kind in DimensionKind.values:
        totals: dict[int | None, Decimal] = {}
        dimensions: dict[int, DimensionFact] = {}
        for amount, shares in goods:
            if kind not in shares:
                totals[None] = totals.get(None, ZERO) + amount
            for share in shares.get(kind, ()):
                pk = share.dimension.pk
                totals[pk] = totals.get(pk, ZERO) + share.amount
                dimensions[pk] = share.dimension
        amounts = compute_freight_parts(totals, freight)
        if rows := [Share(dimensions[pk], None, part) for pk, part in amounts.items()]:
            shares_by_kind[kind] = rows
    return shares_by_kind


def compute_freight_parts(
    totals: Mapping[int | None, Decimal], freight: Decimal
) -> dict[int, Decimal]:
    """Return the freight of each dimension in 元. `totals` are the goods of each dimension in
    the order of the lines; None are the goods without one.
    """
    parts = zip(totals, split_amount(freight, list(totals.values())), strict=True) if totals else ()
    return {pk: part for pk, part in parts if pk is not None and part}


def sum_goods(
    rows: Iterable[OrderAllocation], amounts: dict[int, Decimal], kind: str
) -> dict[int | None, Decimal]:
    """Return the goods of each dimension in 元, in the order of the lines; None are the goods
    without one. `rows` are sorted by line, `amounts` are those of the lines.
    """
    parts: dict[int, list[OrderAllocation]] = {}
    for row in rows:
        if row.kind == kind and row.line_id is not None:
            parts.setdefault(row.line_id, []).append(row)
    totals: dict[int | None, Decimal] = {}
    for line_id, amount in amounts.items():
        if line_id not in parts:
            totals[None] = totals.get(None, ZERO) + amount
        for row in parts.get(line_id, ()):
            totals[row.dimension_id] = totals.get(row.dimension_id, ZERO) + row.amount
    return totals


def rescale_parts(
    rows: Iterable[OrderAllocation], amounts: Mapping[int, Decimal]
) -> Iterator[tuple[OrderAllocation, Decimal]]:
    """Yield the parts of the lines with their new amounts. `rows` are sorted by line and kind,
    `amounts` are the new amounts of the lines in 元, not above the present ones. No part grows, so
    an earmarked budget never has to reserve more.
    """
    for (line_id, _), group in groupby(rows, key=lambda row: (row.line_id, row.kind)):
        parts = list(group)
        weights = [row.percent if row.percent is not None else row.amount for row in parts]
        lowered = lower_parts(
            [row.amount for row in parts], total=amounts[line_id or 0], weights=weights
        )
        yield from zip(parts, lowered, strict=True)


def format_allocation(rows: Iterable[OrderAllocation], kind: str) -> str:
    """Return the parts of one kind as text: `CC-1 行政`, or with their amounts if there are
    several.
    """
    parts = [row for row in rows if row.kind == kind]
    if len(parts) == 1:
        return f"{parts[0].code} {parts[0].name}"
    return "、".join(f"{row.code} {row.name} {row.amount:.2f}" for row in parts)


def format_order_cost_center(*, actor: Account, delivery: Delivery, shares: OrderShares) -> str:
    """Return the text of the order's cost centre: the codes of its shares. If it has none, the
    typed text, and without that the cost centre of the department.
    """
    department = delivery.department or actor.department
    return (
        shares.cost_center or delivery.cost_center or (department.cost_center if department else "")
    )


def split_cost_center_codes(text: str) -> list[str]:
    """Return the cost centres of an order's text, each by itself."""
    return [code for code in text.split(SEPARATOR) if code]


def list_order_allocations(order: Order) -> list[OrderAllocation]:
    """Return the parts of an order: its goods line by line, then the freight. No query for an
    order without a split.
    """
    if not order.is_allocated:
        return []
    return list(
        OrderAllocation.objects.filter(order=order).order_by(
            F("line__no").asc(nulls_last=True), "kind", "no"
        )
    )


def collect_department_ids(actor: Account, deliveries: Collection[Delivery]) -> set[int]:
    """Return the departments whose defaults may apply to the deliveries."""
    return {pk for row in deliveries for pk in list_department_path_ids(actor=actor, delivery=row)}
