"""Effect of cancelling pieces of an order. The buyer previews it, and the cancellation writes
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.catalog.errors import QuantityIllegal
from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.money import ZERO
from apps.common.quantity import is_legal
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.line_amounts import amounts_anew, line_lower
from apps.orders.states import ORDERS

S = OrderStatus
IN_PARTS = (S.PENDING_CONFIRM, S.PENDING_SHIPMENT, S.PARTLY_SHIPPED)


@dataclass(frozen=True, slots=True)
class ReducedOrder:
    """The new lines of the order, the released pieces by product, and the new amounts in 元.

    `is_whole`: nothing is left, so the order ends. `cancelled_goods` is the amount of the cancelled
    pieces.
    """

    lines: list[OrderLine]
    pieces: dict[int, int]
    taken: dict[int, int]
    cancelled_goods: Decimal
    goods: Decimal
    freight: Decimal
    tax: Decimal
    is_whole: bool

    @property
    def total(self) -> Decimal:
        """Return goods plus freight, in 元."""
        return self.goods + self.freight


def order_reduced(
    *, order: Order, pieces: Mapping[int, int] | None, held: Mapping[int, int] | None = None
) -> ReducedOrder:
    """Return the order without these pieces ({line: pieces}). None removes all pieces that are
    neither shipped nor held by a request. Nothing is written.

    `held` are the pieces that this request already holds. The freight is computed again for the
    remaining goods, as for any order of that amount, but the total never rises. Two queries.

    Raises:
        ValidationFailed: a line of another order, or no piece is named or left.
        QuantityExceeded: more than is left of a line.
        QuantityIllegal: the rest to ship violates the product's minimum or step. A line may always
            be cancelled as a whole.
    """
    lines = list(OrderLine.objects.filter(order=order).select_related("product").order_by("no"))
    given = held or {}
    left = {line.pk: line.unshipped + given.get(line.pk, 0) for line in lines}
    wanted = {pk: number for pk, number in (left if pieces is None else pieces).items() if number}
    _refuse(lines, left, wanted)
    if held is None:
        _refuse_illegal(lines, left, wanted)
    taken: dict[int, int] = {}
    cancelled = ZERO
    for line in lines:
        gone = wanted.get(line.pk, 0)
        if gone:
            taken[line.product_id] = taken.get(line.product_id, 0) + gone
            before = line.amount_incl_tax
            line.cancelled_quantity += gone
            line.cancelling_quantity -= given.get(line.pk, 0)
            line_lower(line, line.quantity - gone)
            cancelled += before - line.amount_incl_tax
    is_whole = not any(line.quantity for line in lines)
    goods, freight, tax = (ZERO, ZERO, ZERO) if is_whole else amounts_anew(order, lines)
    freight = min(freight, order.total_amount - goods)
    return ReducedOrder(lines, wanted, taken, cancelled, goods, freight, tax, is_whole)


def _refuse(lines: list[OrderLine], left: Mapping[int, int], wanted: Mapping[int, int]) -> None:
    known = {line.pk: line for line in lines}
    if set(wanted) - set(known):
        raise ValidationFailed({"Lines": ["部分商品已不在订单中，请刷新后重试"]})
    if not any(left.values()):
        raise ValidationFailed(
            {
                "Lines": [
                    (
                        "订单中没有可取消的商品：已发货的商品请在收货后申请售后，"
                        "申请取消中的商品请等待处理"
                    )
                ]
            }
        )
    if not wanted:
        raise ValidationFailed({"Lines": ["请选择要取消的商品和数量"]})
    for pk, number in wanted.items():
        if number > left[pk]:
            line = known[pk]
            name = line.customer_name or line.name
            raise QuantityExceeded(
                f"“{name}”最多可取消 {left[pk]} {line.unit}（已发货或申请取消中的不能再取消）"
                "，请修改数量后重试"
            )


def _refuse_illegal(
    lines: list[OrderLine], left: Mapping[int, int], wanted: Mapping[int, int]
) -> None:
    for line in lines:
        gone, product = wanted.get(line.pk, 0), line.product
        if gone in (0, left[line.pk]) or is_legal(
            line.quantity - gone, minimum=product.min_quantity, step=product.step_quantity
        ):
            continue
        name = line.customer_name or line.name
        rule = f"起订量 {product.min_quantity}，增量 {product.step_quantity}"
        raise QuantityIllegal(
            f"“{name}”取消 {gone} {line.unit} 后剩余 {line.quantity - gone}，"
            f"不符合要求（{rule}），请调整数量或全部取消"
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
            raise WrongState(
                "订单正在审批中，不能只取消部分商品，请整单取消，或撤回后修改数量重新提交，"
                "也可请审批人调低数量"
            )
        return
    if order.status not in IN_PARTS:
        raise ORDERS.wrong_state(order, "取消")
