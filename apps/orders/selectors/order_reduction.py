"""Effect of lower quantities on an order: an approver amends an order in approval, or the buyer
cancels pieces. The preview and the write use the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.approvals.subjects import (
    ApprovalSubject,
    FigureChange,
    LineChange,
    OverBudget,
    SubjectAmendment,
)
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_tree import get_path
from apps.common.money import ZERO, compute_tax, round_yuan
from apps.common.quantity import is_legal
from apps.orders.enums import OrderStatus
from apps.orders.errors import (
    AmendedQuantityIllegal,
    AmendedQuantityTooLarge,
    CancellationEmpty,
    CancelledQuantityExceeded,
    CancelledRestIllegal,
    LinesLeftOrder,
    NothingToCancel,
    PartialCancelDuringApproval,
    QuantitiesUnchanged,
    ReductionCostsMore,
    ReductionLosesTier,
    ReductionOfEverything,
)
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.allocations import split_cost_center_codes
from apps.orders.selectors.amended_reasons import OrderReasonJudge
from apps.orders.selectors.batches import list_other_batch_orders
from apps.orders.selectors.budget_charge import describe_over_budget
from apps.orders.selectors.earmarks import (
    EarmarkLevel,
    describe_exceeded_earmark,
    get_amounts_after,
    get_earmark_levels,
    list_earmarked_amounts,
)
from apps.orders.selectors.freight import compute_freight
from apps.orders.selectors.past_orders import PastOrders
from apps.orders.selectors.rule_subject import (
    build_subject_lines,
    build_subject_part,
    list_subject_projects,
)
from apps.orders.snapshots import get_snapshot_price
from apps.orders.states import ORDERS

S = OrderStatus
IN_PARTS = (S.PENDING_CONFIRM, S.PENDING_SHIPMENT, S.PARTLY_SHIPPED)


def line_reduce(line: OrderLine, quantity: int) -> None:
    """Set the quantity of the line, and compute its amount and tax as the submit does."""
    line.quantity = quantity
    line.amount_incl_tax = round_yuan(line.unit_price_incl_tax * quantity)
    line.tax_amount = compute_tax(line.amount_incl_tax, line.tax_rate)


def compute_reduced_amounts(
    order: Order, lines: Iterable[OrderLine]
) -> tuple[Decimal, Decimal, Decimal]:
    """Return (goods, freight, tax) of the order with these lines, in 元. The freight comes from
    the table for the new goods amount.
    """
    rows = list(lines)
    goods = sum((line.amount_incl_tax for line in rows), ZERO)
    tax = sum((line.tax_amount for line in rows), ZERO)
    province = str(order.address_snapshot.get("Province", ""))
    return goods, compute_freight(province=province, goods_amount=goods).fee, tax


@dataclass(frozen=True, slots=True)
class AmendedOrder:
    """The remaining lines, the removed lines, the new amounts in 元, and the difference for the
    approval.
    """

    remaining_lines: list[OrderLine]
    removed_lines: list[OrderLine]
    released_pieces: dict[int, int]
    goods: Decimal
    freight: Decimal
    tax: Decimal
    difference: SubjectAmendment

    @property
    def total(self) -> Decimal:
        """Return goods plus freight, in 元."""
        return self.goods + self.freight


def get_amended_order(*, order: Order, quantities: Mapping[int, int]) -> AmendedOrder:
    """Return the order under the new quantities ({line: quantity}). 0 removes a line; missing
    lines stay. Nothing is written.

    `released_pieces` has the pieces by product. The freight is computed again for the
    remaining goods.

    Raises:
        ValidationFailed: a line of another order, a higher quantity, no change, nothing left, or a
            higher total.
        QuantityIllegal: a quantity violates the product's minimum or step.
    """
    lines = list(OrderLine.objects.filter(order=order).select_related("product").order_by("no"))
    _refuse_amendment(lines, quantities)
    beside = list_other_batch_orders(order)
    budget = _find_budget(order)
    earmarked = list_earmarked_amounts(order)
    own_levels = get_path(budget) if budget else []
    earmark_levels = get_earmark_levels(earmarked)
    before = _build_subject(
        order=order,
        lines=lines,
        beside=beside,
        over=_list_over_budgets(own_levels, ZERO, earmark_levels, earmark_levels),
        total=order.total_amount,
    )
    changes: list[LineChange] = []
    removed_pieces: dict[int, int] = {}
    for line in lines:
        quantity = quantities.get(line.pk, line.quantity)
        if quantity == line.quantity:
            continue
        name = line.customer_name or line.name
        changes.append(
            LineChange(
                line_id=line.pk,
                code=line.product_code,
                name=name,
                unit=line.unit,
                before=line.quantity,
                after=quantity,
            )
        )
        removed_pieces[line.product_id] = (
            removed_pieces.get(line.product_id, 0) + line.quantity - quantity
        )
        line_reduce(line, quantity)
    remaining_lines = [line for line in lines if line.quantity]
    _refuse_lost_tiers(lines, beside, removed_pieces)
    goods, freight, tax = compute_reduced_amounts(order, remaining_lines)
    total = goods + freight
    if total > order.total_amount:
        raise ReductionCostsMore(freight)
    freed = order.total_amount - total
    remaining_amounts = get_amounts_after(earmarked, remaining_lines)
    for row in earmarked:
        row.amount = remaining_amounts.get(row.pk, ZERO)
    after = _build_subject(
        order=order,
        lines=remaining_lines,
        beside=beside,
        over=_list_over_budgets(own_levels, freed, earmark_levels, get_earmark_levels(earmarked)),
        total=total,
    )
    difference = SubjectAmendment(
        before=before,
        after=after,
        lines=tuple(changes),
        figures=tuple(_list_figure_changes(order=order, goods=goods, freight=freight, freed=freed)),
        reason_judge=OrderReasonJudge(
            enterprise_id=order.enterprise_id,
            before=before,
            after=after,
            until=min(each.submitted_at for each in (order, *beside)),
        ),
    )
    return AmendedOrder(
        remaining_lines=remaining_lines,
        removed_lines=[line for line in lines if not line.quantity],
        released_pieces=removed_pieces,
        goods=goods,
        freight=freight,
        tax=tax,
        difference=difference,
    )


def _refuse_lost_tiers(
    lines: Sequence[OrderLine], beside: Iterable[Order], removed_by_product: Mapping[int, int]
) -> None:
    """Refuse lower quantities that would cost a higher unit price under the tiers at the time of
    the order.

    The quantity of a product is that of the whole submit: of this order and of the orders `beside`
    it. `lines` have the lower quantities; `removed_by_product` has the removed pieces by product.

    An amendment only drops approval steps. A higher unit price could therefore match a rule or
    exceed a budget without an approval. Pieces that were cancelled or rejected before stay at the
    price paid.

    Raises:
        ReductionLosesTier: the lower quantity of a product has a higher price.
    """
    pieces: dict[int, int] = {}
    for line in (*lines, *(line for order in beside for line in order.lines.all())):
        pieces[line.product_id] = pieces.get(line.product_id, 0) + line.quantity
    losing: dict[int, str] = {}
    for line in lines:
        remaining_pieces, removed = (
            pieces[line.product_id],
            removed_by_product.get(line.product_id, 0),
        )
        if not removed or not remaining_pieces or not line.price_tiers:
            continue
        price = get_snapshot_price(line.price_tiers, quantity=remaining_pieces)
        if price > get_snapshot_price(line.price_tiers, quantity=remaining_pieces + removed):
            losing[line.product_id] = line.customer_name or line.name
    if losing:
        raise ReductionLosesTier(names=list(losing.values()))


def _refuse_amendment(lines: list[OrderLine], quantities: Mapping[int, int]) -> None:
    """Raise an error unless every quantity is legal and smaller than, or equal to, that of its
    line, and something stays.
    """
    line_by_id = {line.pk: line for line in lines}
    if set(quantities) - set(line_by_id):
        raise LinesLeftOrder
    for pk, quantity in quantities.items():
        line, product = line_by_id[pk], line_by_id[pk].product
        name = line.customer_name or line.name
        if not 0 <= quantity <= line.quantity:
            raise AmendedQuantityTooLarge(name=name, quantity=line.quantity, unit=line.unit)
        if quantity not in (0, line.quantity) and not is_legal(
            quantity, minimum=product.min_quantity, step=product.step_quantity
        ):
            raise AmendedQuantityIllegal(
                name=name,
                quantity=quantity,
                minimum=product.min_quantity,
                step=product.step_quantity,
            )
    if all(quantity == line_by_id[pk].quantity for pk, quantity in quantities.items()):
        raise QuantitiesUnchanged
    if not any(quantities.get(pk, line.quantity) for pk, line in line_by_id.items()):
        raise ReductionOfEverything


def _build_subject(
    order: Order,
    lines: list[OrderLine],
    beside: list[Order],
    over: tuple[OverBudget, ...],
    total: Decimal,
) -> ApprovalSubject:
    """Return the rule subject of the order and the orders submitted with it, with the budgets
    that it exceeds (`over`).
    """
    rows = [*lines, *(line for other in beside for line in other.lines.all())]
    orders = [order, *beside]
    return ApprovalSubject(
        requester=order.requester,
        amount=total,
        payment_kind=order.payment_kind,
        is_over_budget=bool(over),
        over_budget_names=tuple(row.name for row in over),
        over_budgets=over,
        lines=build_subject_lines(rows),
        parts=tuple(
            build_subject_part(each, total if each is order else each.total_amount)
            for each in orders
        ),
        cost_centers=tuple(
            dict.fromkeys(
                code for each in orders for code in split_cost_center_codes(each.cost_center)
            )
        ),
        projects=list_subject_projects(orders, rows),
        history=PastOrders(
            enterprise_id=order.enterprise_id,
            until=order.submitted_at,
            without=frozenset(each.pk for each in orders),
        ),
        whole_amount=total + sum((other.total_amount for other in beside), ZERO)
        if order.batch_id
        else None,
    )


def _list_over_budgets(
    levels: list[Budget],
    freed: Decimal,
    before: list[EarmarkLevel],
    after: list[EarmarkLevel],
) -> tuple[OverBudget, ...]:
    """Return the exceeded budgets after `freed` 元 are released to the own budget and the budgets
    above it (`levels`), and after the order takes `after` of the earmarked ones, not `before`.
    """
    charged_amounts = {level.budget.pk: level.charged_amount for level in after}
    own_levels = [
        OverBudget(level.pk, describe_over_budget(level.name, is_own=number == 0), level.name)
        for number, level in enumerate(levels)
        if level.available + freed < ZERO
    ]
    earmarked = [
        OverBudget(
            level.budget.pk,
            describe_exceeded_earmark(level.budget.name, level.budget.earmark_text),
            level.budget.name,
        )
        for level in before
        if level.before - charged_amounts.get(level.budget.pk, ZERO) < ZERO
    ]
    return (*own_levels, *earmarked)


def _find_budget(order: Order) -> Budget | None:
    return order.budget_reservation.budget if order.budget_reservation else None


def _list_figure_changes(
    order: Order, goods: Decimal, freight: Decimal, freed: Decimal
) -> list[FigureChange]:
    """Return the amounts before and after the reduction, in 元. `freed`: the 元 that the budget
    gets back.
    """
    figures = [
        FigureChange("商品金额", order.goods_amount, goods),
        FigureChange("运费", order.freight_amount, freight),
    ]
    figures.append(FigureChange("应付总额", order.total_amount, goods + freight))
    budget = _find_budget(order)
    if budget is not None:
        figures.append(FigureChange("含本单预算可用", budget.available, budget.available + freed))
    return figures


@dataclass(frozen=True, slots=True)
class ReducedOrder:
    """The new lines of the order, the released pieces by product, and the new amounts in 元.

    `is_whole`: nothing is left, so the order ends. `cancelled_goods` is the amount of the cancelled
    pieces.
    """

    lines: list[OrderLine]
    pieces: dict[int, int]
    released_pieces: dict[int, int]
    cancelled_goods: Decimal
    goods: Decimal
    freight: Decimal
    tax: Decimal
    is_whole: bool

    @property
    def total(self) -> Decimal:
        """Return goods plus freight, in 元."""
        return self.goods + self.freight


def get_reduced_order(
    *, order: Order, pieces: Mapping[int, int] | None, held: Mapping[int, int] | None = None
) -> ReducedOrder:
    """Return the order without these pieces ({line: pieces}). None removes all pieces that are
    neither shipped nor held by a request. Nothing is written.

    `held` are the pieces that this request already holds. The freight is computed again for the
    remaining goods, as for any order of that amount, but the total never rises.

    Raises:
        ValidationFailed: a line of another order, or no piece is named or left.
        QuantityExceeded: more than is left of a line.
        QuantityIllegal: the rest to ship violates the product's minimum or step. A line may always
            be cancelled as a whole.
    """
    lines = list(OrderLine.objects.filter(order=order).select_related("product").order_by("no"))
    held_pieces = held or {}
    open_pieces = {line.pk: line.unshipped + held_pieces.get(line.pk, 0) for line in lines}
    requested = open_pieces if pieces is None else pieces
    cancelled_pieces = {pk: number for pk, number in requested.items() if number}
    _refuse_reduction(lines, open_pieces, cancelled_pieces)
    if held is None:
        _refuse_illegal(lines, open_pieces, cancelled_pieces)
    removed_pieces: dict[int, int] = {}
    cancelled_goods = ZERO
    for line in lines:
        number = cancelled_pieces.get(line.pk, 0)
        if number:
            removed_pieces[line.product_id] = removed_pieces.get(line.product_id, 0) + number
            before = line.amount_incl_tax
            line.cancelled_quantity += number
            line.cancelling_quantity -= held_pieces.get(line.pk, 0)
            line_reduce(line, line.quantity - number)
            cancelled_goods += before - line.amount_incl_tax
    is_whole = not any(line.quantity for line in lines)
    goods, freight, tax = (ZERO, ZERO, ZERO) if is_whole else compute_reduced_amounts(order, lines)
    freight = min(freight, order.total_amount - goods)
    return ReducedOrder(
        lines=lines,
        pieces=cancelled_pieces,
        released_pieces=removed_pieces,
        cancelled_goods=cancelled_goods,
        goods=goods,
        freight=freight,
        tax=tax,
        is_whole=is_whole,
    )


def _refuse_reduction(
    lines: list[OrderLine], open_pieces: Mapping[int, int], cancelled_pieces: Mapping[int, int]
) -> None:
    """Raise if the customer cannot cancel so many pieces. `open_pieces` has the pieces of each
    line that can still be cancelled.
    """
    line_by_id = {line.pk: line for line in lines}
    if set(cancelled_pieces) - set(line_by_id):
        raise LinesLeftOrder
    if not any(open_pieces.values()):
        raise NothingToCancel
    if not cancelled_pieces:
        raise CancellationEmpty
    for pk, number in cancelled_pieces.items():
        if number > open_pieces[pk]:
            line = line_by_id[pk]
            name = line.customer_name or line.name
            raise CancelledQuantityExceeded(name=name, left=open_pieces[pk], unit=line.unit)


def _refuse_illegal(
    lines: list[OrderLine], open_pieces: Mapping[int, int], cancelled_pieces: Mapping[int, int]
) -> None:
    """Raise an error if the rest of a line violates minimum or step. A line may always be
    cancelled completely.
    """
    for line in lines:
        number, product = cancelled_pieces.get(line.pk, 0), line.product
        if number in (0, open_pieces[line.pk]) or is_legal(
            line.quantity - number, minimum=product.min_quantity, step=product.step_quantity
        ):
            continue
        name = line.customer_name or line.name
        raise CancelledRestIllegal(
            name=name,
            cancelled=number,
            unit=line.unit,
            rest=line.quantity - number,
            minimum=product.min_quantity,
            step=product.step_quantity,
        )


def is_cancelled_at_once(order: Order) -> bool:
    """Return whether a cancellation takes effect at once. After the confirmation of an order,
    staff decide.
    """
    return bool(order.status in (S.PENDING_APPROVAL, S.PENDING_CONFIRM))


def refuse_part(order: Order, *, is_whole: bool) -> None:
    """Refuse a cancellation that the state does not allow. An order in approval cannot be
    cancelled in part, because its approvers decide on the whole order.

    Raises:
        WrongState: the message names an alternative.
    """
    if order.status == S.PENDING_APPROVAL:
        if not is_whole:
            raise PartialCancelDuringApproval
        return
    if order.status not in IN_PARTS:
        raise ORDERS.build_wrong_state(order, "取消")
