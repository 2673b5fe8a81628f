"""What an order's settlement is, by what is due and what was paid of it."""

from __future__ import annotations

from decimal import Decimal

from apps.common.money import ZERO
from apps.orders.enums import SettlementStatus


def settlement_of(*, due: Decimal, paid: Decimal) -> SettlementStatus:
    """Return 未结算, 部分结算 or 已结算 for so much due and so much paid, both in 元."""
    if paid <= ZERO:
        return SettlementStatus.NONE
    return SettlementStatus.DONE if paid >= due else SettlementStatus.PARTLY
