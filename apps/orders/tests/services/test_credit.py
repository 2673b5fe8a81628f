"""Tests of 月结信用: an enterprise's credit limit, and the handling of orders that exceed it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.approvals.models import Approval
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.models import Event
from apps.common.testing import ApiClient
from apps.orders.errors import CreditExceeded
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.selectors.customer_terms import Credit, find_credit
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.credit import credit_set
from apps.orders.services.order_submit import order_submit
from apps.orders.services.payments import payment_record
from apps.orders.tests.factories import fill_cart, make_rule, place_order
from apps.org.models import Account, Enterprise


def limit_credit(account: Account, limit: str, policy: str = "block") -> Account:
    """Set the credit limit (元) and policy of the account's enterprise. Return the reloaded
    account.
    """
    Enterprise.objects.filter(pk=account.enterprise_id).update(
        credit_limit=Decimal(limit), credit_policy=policy
    )
    return Account.objects.select_related("group", "enterprise", "department").get(pk=account.pk)


def credit(account: Account) -> Credit:
    assert account.enterprise_id is not None
    result = find_credit(account.enterprise_id)
    assert result is not None
    return result


def test_an_order_that_just_fits_uses_the_credit_up(shopper: Account) -> None:
    shopper = limit_credit(shopper, "20.00")
    place_order(shopper)
    assert (credit(shopper).used, credit(shopper).available) == (Decimal("20.00"), Decimal("0.00"))


def test_order_above_the_credit_limit_is_refused_with_amounts_and_remedies(
    shopper: Account,
) -> None:
    shopper = limit_credit(shopper, "39.99")
    place_order(shopper)
    with pytest.raises(CreditExceeded) as refusal:
        place_order(shopper)
    assert refusal.value.text == (
        "月结信用额度 ¥39.99，未结 ¥20.00，可用 ¥19.99，本单需要 ¥20.00，"
        "请减少采购金额、更换付款方式，或先结清货款、联系客户经理调整额度"
    )


@pytest.mark.parametrize("kind", ["transfer", "cod", "online"])
def test_payment_kinds_other_than_credit_ignore_the_credit_limit(
    shopper: Account, kind: str
) -> None:
    shopper = limit_credit(shopper, "0.00")
    assert place_order(shopper, payment_kind=kind).total_amount == Decimal("20.00")
    assert credit(shopper).used == Decimal("0.00")


def test_credit_policy_none_never_blocks(shopper: Account) -> None:
    shopper = limit_credit(shopper, "1.00", "none")
    place_order(shopper)
    assert credit(shopper).available == Decimal("-19.00")


def test_credit_policy_approve_adds_a_staff_step_last(shopper: Account, approver: Account) -> None:
    make_rule(shopper, approver)
    order = place_order(limit_credit(shopper, "1.00", "approve"))
    approval = Approval.objects.get()
    assert order.status == "pending_approval"
    assert [(step.no, step.is_for_staff) for step in approval.steps.order_by("no")] == [
        (1, False),
        (2, True),
    ]
    assert approval.reasons[-1] == (
        "超出月结信用额度 ¥1.00（未结 ¥0.00，本单 ¥20.00，超出时由平台审批）"
    )


def test_cancellation_releases_the_used_credit(shopper: Account) -> None:
    shopper = limit_credit(shopper, "20.00")
    order_cancel(actor=shopper, order_no=place_order(shopper).order_no, reason="买错了")
    assert credit(shopper).available == Decimal("20.00")


def test_recorded_payment_reduces_the_used_credit_by_its_amount(
    shopper: Account, staff: Account
) -> None:
    shopper = limit_credit(shopper, "20.00")
    order = place_order(shopper)
    order_confirm(actor=staff, order_id=order.pk)
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("5.00"))
    assert credit(shopper).used == Decimal("15.00")
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("15.00"))
    assert credit(shopper).used == Decimal("0.00")


def test_preview_shows_the_credit_before_and_after_the_order(shopper: Account) -> None:
    shopper = limit_credit(shopper, "30.00")
    place_order(shopper)
    fill_cart(shopper, (ProductFactory(), 2))
    body = ApiClient(shopper).post("/api/Order/Preview").body
    assert body["Credit"] == {
        "Limit": "30.00",
        "Used": "20.00",
        "Available": "10.00",
        "After": "-10.00",
        "IsOver": True,
        "Policy": "block",
        "Days": 30,
    }
    assert [(row["Code"], row["Field"]) for row in body["Problems"]] == [
        ("credit_exceeded", "PaymentKind")
    ]


def test_preview_of_another_payment_kind_shows_no_credit(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 2))
    assert (
        ApiClient(shopper).post("/api/Order/Preview", {"PaymentKind": "transfer"}).body["Credit"]
        is None
    )


def test_credit_limit_lowered_since_the_preview_applies(shopper: Account) -> None:
    """The request's account holds an older copy of the enterprise; the submit must read the new
    limit.
    """
    shopper = limit_credit(shopper, "20.00")
    fill_cart(shopper, (ProductFactory(), 2))
    Enterprise.objects.update(credit_limit=Decimal("19.00"))
    with pytest.raises(CreditExceeded):
        order_submit(actor=shopper, form=CheckoutForm())


def test_credit_change_by_staff_records_its_reason(shopper: Account, staff: Account) -> None:
    shopper = limit_credit(shopper, "100.00")
    assert shopper.enterprise_id is not None
    credit_set(
        actor=staff,
        enterprise_id=shopper.enterprise_id,
        limit=Decimal("50.00"),
        policy="approve",
        days=45,
        reason="回款变慢",
    )
    event = Event.objects.get(kind="credit.set")
    assert credit(shopper).limit == Decimal("50.00")
    assert (event.actor_id, event.note) == (
        staff.pk,
        (
            "额度 ¥100.00，超出时不允许提交，账期 30 天 → 额度 ¥50.00，超出时由平台审批，账期 "
            "45 天；回款变慢"
        ),
    )


def test_setting_unchanged_credit_terms_is_refused(shopper: Account, staff: Account) -> None:
    shopper = limit_credit(shopper, "100.00")
    assert shopper.enterprise_id is not None
    with pytest.raises(ValidationFailed, match="没有变化"):
        credit_set(
            actor=staff,
            enterprise_id=shopper.enterprise_id,
            limit=Decimal("100.00"),
            policy="block",
            days=30,
            reason="再次确认",
        )


def test_a_limit_is_never_negative(shopper: Account, staff: Account) -> None:
    assert shopper.enterprise_id is not None
    with pytest.raises(ValidationFailed, match="信用额度不能小于 0"):
        credit_set(
            actor=staff,
            enterprise_id=shopper.enterprise_id,
            limit=Decimal("-0.01"),
            policy="block",
            days=30,
            reason="误填",
        )
