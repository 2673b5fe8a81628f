"""Tests of the return terms of a line: the allowed kinds, the deadline, and the reason for a
refusal.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.aftersales.errors import ReturnRefused
from apps.aftersales.models import ReturnPolicy
from apps.aftersales.selectors.return_terms import (
    KindTerms,
    list_line_terms,
    list_returnable_orders,
)
from apps.aftersales.services.return_apply import ReturnFormLine
from apps.aftersales.tests.stories import apply_for_return, get_line, received_order
from apps.orders.models import Order, Receipt
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    return received_order(shopper, staff)


def terms(order: Order, kind: str = "return") -> KindTerms:
    return next(each for each in list_line_terms(order=order)[0].kinds if each.kind == kind)


def receive_order(order: Order, *, days: float) -> None:
    Receipt.objects.filter(order=order).update(received_at=timezone.now() - timedelta(days=days))


def set_policy(order: Order, place: str, **changes: object) -> None:
    values = {"kind": "return", "days": 3, "quality_days": 5, **changes}
    ReturnPolicy.objects.create(
        category_id=getattr(get_line(order).product, place) if place else None, **values
    )


def test_days_are_counted_from_the_receipt(order: Order) -> None:
    at = Receipt.objects.get().received_at
    assert (terms(order).until, terms(order).quality_until) == (
        at + timedelta(days=7),
        at + timedelta(days=15),
    )


def test_return_after_the_ordinary_period_requires_a_defect(shopper: Account, order: Order) -> None:
    receive_order(order, days=8)
    with pytest.raises(ReturnRefused, match="期限已过"):
        apply_for_return(shopper, order, reason="unsuitable")
    assert apply_for_return(shopper, order, reason="quality").status == "pending_review"


def test_ended_return_period_shows_its_last_day(order: Order) -> None:
    receive_order(order, days=16)
    assert terms(order).why_not.startswith("已过退货期限（截至 ")
    assert terms(order, "repair").why_not == ""


def test_the_nearest_category_decides(order: Order) -> None:
    set_policy(order, "", days=1)
    assert terms(order).until == Receipt.objects.get().received_at + timedelta(days=1)
    set_policy(order, "l1_id", days=2)
    set_policy(order, "l3_id", days=4)
    assert terms(order).until == Receipt.objects.get().received_at + timedelta(days=4)


def test_unsupported_return_kind_gives_its_reason(order: Order) -> None:
    set_policy(order, "l3_id", days=0, quality_days=0, note="定制商品")
    assert terms(order).why_not == "该类商品不支持退货：定制商品"


def test_opened_hygiene_goods_are_returned_only_for_our_fault(
    shopper: Account, order: Order
) -> None:
    set_policy(order, "l3_id", takes_opened=False, note="卫生用品拆封后不退")
    opened = (ReturnFormLine(get_line(order).pk, 1, is_opened=True),)
    with pytest.raises(ReturnRefused, match="卫生用品拆封后不退"):
        apply_for_return(shopper, order, reason="unsuitable", lines=opened)
    assert apply_for_return(shopper, order, reason="quality", lines=opened).pk
    assert apply_for_return(shopper, order, reason="unsuitable").pk


def test_returnable_orders_are_offered_only_to_the_requester(
    order: Order, shopper: Account, approver: Account
) -> None:
    """The approver sees the orders of the department, but returns nothing of colleagues."""
    assert [list(list_returnable_orders(actor=one)) for one in (shopper, approver)] == [[order], []]
