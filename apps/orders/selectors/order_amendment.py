"""Effect of lower quantities on an order in approval. The approver previews it, and the
amendment writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.approvals.subjects import (
    ApprovalSubject,
    FigureChange,
    LineChange,
    SubjectAmendment,
    SubjectLine,
)
from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget
from apps.catalog.errors import QuantityIllegal
from apps.catalog.models import Product
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO
from apps.common.quantity import is_legal
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.batches import batch_beside
from apps.orders.selectors.customer_terms import over_budget_policy
from apps.orders.selectors.line_amounts import amounts_anew, line_lower


@dataclass(frozen=True, slots=True)
class AmendedOrder:
    """The remaining lines, the removed lines, the new amounts in 元, and the difference for the
    approval.
    """

    kept: list[OrderLine]
    dropped: list[OrderLine]
    taken: dict[int, int]
    goods: Decimal
    freight: Decimal
    tax: Decimal
    difference: SubjectAmendment

    @property
    def total(self) -> Decimal:
        """Return goods plus freight, in 元."""
        return self.goods + self.freight


def order_amended(*, order: Order, quantities: Mapping[int, int]) -> AmendedOrder:
    """Return the order under the new quantities ({line: quantity}). 0 removes a line; missing
    lines stay. Nothing is written. Three queries.

    `taken` has the released pieces by product. The freight is computed again for the remaining
    goods.

    Raises:
        ValidationFailed: a line of another order, a higher quantity, no change, nothing left, or a
            higher total.
        QuantityIllegal: a quantity violates the product's minimum or step.
    """
    lines = list(OrderLine.objects.filter(order=order).select_related("product").order_by("no"))
    _refuse(lines, quantities)
    beside = batch_beside(order)
    before = _subject(order, lines, beside, order.total_amount, ZERO)
    changes: list[LineChange] = []
    taken: dict[int, int] = {}
    for line in lines:
        wanted = quantities.get(line.pk, line.quantity)
        if wanted == line.quantity:
            continue
        name = line.customer_name or line.name
        changes.append(
            LineChange(line.pk, line.product_code, name, line.unit, line.quantity, wanted)
        )
        taken[line.product_id] = taken.get(line.product_id, 0) + line.quantity - wanted
        line_lower(line, wanted)
    kept = [line for line in lines if line.quantity]
    goods, freight, tax = amounts_anew(order, kept)
    total = goods + freight
    if total > order.total_amount:
        raise ValidationFailed(
            {
                "Lines": [
                    f"调整后需付运费 ¥{freight:,.2f}，总额反而高于调整前，请再减少一些或保持原数量"
                ]
            }
        )
    freed = order.total_amount - total
    after = _subject(order, kept, beside, total, freed)
    difference = SubjectAmendment(
        before, after, tuple(changes), tuple(_figures(order, goods, freight, freed))
    )
    return AmendedOrder(
        kept, [line for line in lines if not line.quantity], taken, goods, freight, tax, difference
    )


def _refuse(lines: list[OrderLine], quantities: Mapping[int, int]) -> None:
    known = {line.pk: line for line in lines}
    if set(quantities) - set(known):
        raise ValidationFailed({"Lines": ["部分商品已不在订单中，请刷新后重试"]})
    for pk, wanted in quantities.items():
        line, product = known[pk], known[pk].product
        name = line.customer_name or line.name
        if not 0 <= wanted <= line.quantity:
            raise ValidationFailed(
                {"Lines": [f"“{name}”只能减少或移除，不能多于 {line.quantity} {line.unit}"]}
            )
        if wanted not in (0, line.quantity) and not is_legal(
            wanted, minimum=product.min_quantity, step=product.step_quantity
        ):
            rule = f"起订量 {product.min_quantity}，增量 {product.step_quantity}"
            raise QuantityIllegal(
                f"“{name}”数量 {wanted} 不符合要求（{rule}），请调整数量或移除该商品"
            )
    if all(wanted == known[pk].quantity for pk, wanted in quantities.items()):
        raise ValidationFailed({"Lines": ["数量没有变化，请先减少数量或移除商品"]})
    if not any(quantities.get(pk, line.quantity) for pk, line in known.items()):
        raise ValidationFailed({"Lines": ["至少保留一种商品；如全部不需要，请驳回"]})


def _subject(
    order: Order, lines: list[OrderLine], beside: list[Order], total: Decimal, freed: Decimal
) -> ApprovalSubject:
    """Return the rule subject of the order and the orders submitted with it, after `freed` 元
    are released to its budget.
    """
    budget = _budget(order)
    is_over = budget is not None and budget.available + freed < ZERO
    needs = (
        is_over
        and budget is not None
        and over_budget_policy(actor=order.requester, budget=budget) == BudgetPolicy.APPROVE
    )
    pieces: Counter[Product] = Counter()
    for line in [*lines, *(line for other in beside for line in other.lines.all())]:
        pieces[line.product] += line.quantity
    return ApprovalSubject(
        requester=order.requester,
        amount=total,
        payment_kind=order.payment_kind,
        is_over_budget=is_over,
        over_budget_needs_approval=needs,
        lines=tuple(
            SubjectLine(row.pk, (row.l1_id, row.l2_id, row.l3_id), quantity)
            for row, quantity in pieces.items()
        ),
        whole_amount=total + sum((other.total_amount for other in beside), ZERO)
        if order.batch_id
        else None,
    )


def _budget(order: Order) -> Budget | None:
    return order.budget_reservation.budget if order.budget_reservation else None


def _figures(order: Order, goods: Decimal, freight: Decimal, freed: Decimal) -> list[FigureChange]:
    figures = [
        FigureChange("商品金额", order.goods_amount, goods),
        FigureChange("运费", order.freight_amount, freight),
    ]
    figures.append(FigureChange("应付总额", order.total_amount, goods + freight))
    budget = _budget(order)
    if budget is not None:
        figures.append(FigureChange("含本单预算可用", budget.available, budget.available + freed))
    return figures
