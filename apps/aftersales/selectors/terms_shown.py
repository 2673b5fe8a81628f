"""The return terms of an order for a reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.aftersales.selectors.return_terms import LineTerms, order_terms
from apps.aftersales.selectors.scope import orders_returnable
from apps.orders.errors import OrderNotFound
from apps.orders.locks import may_change
from apps.orders.models import Order

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """An order with the terms of its lines. `why_not` is the reason why the reader may view but
    not apply.
    """

    order: Order
    lines: list[LineTerms]
    why_not: str

    @property
    def can_apply(self) -> bool:
        """Whether the reader may apply for at least one line now."""
        return not self.why_not and any(
            not kind.why_not for line in self.lines for kind in line.kinds
        )


def terms_shown(*, actor: Account, order_no: str) -> OrderTerms:
    """Return the terms of the order's lines: possible kinds, time limits and refusals.

    Raises:
        OrderNotFound: the actor cannot see an order with this number for returns.
    """
    order = orders_returnable(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    why_not = (
        "" if may_change(actor=actor, order=order) else "只有下单人或集团管理员可以为该订单申请售后"
    )
    return OrderTerms(order, order_terms(order=order), why_not)
