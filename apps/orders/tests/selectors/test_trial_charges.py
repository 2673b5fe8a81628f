"""The simulator of approval rules: budgets, purchase limits and credit of the requester count as in
the checkout.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.budgets.enums import BudgetPolicy
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import CreditPolicy, LimitAction, LimitPeriod
from apps.org.models import Account, Enterprise, PurchaseLimit

pytestmark = pytest.mark.django_db


def simulate(ga: Account, shopper: Account, amount: str, **more: Any) -> Any:
    body = {"AccountId": str(shopper.pk), "Amount": amount, "PaymentKind": "transfer", **more}
    answer = ApiClient(ga).post("/api/ApprovalRule/Simulate", body)
    assert answer.status == 200, answer.body
    return answer.body


def set_month_limit(shopper: Account, action: LimitAction) -> None:
    PurchaseLimit.objects.create(
        group_id=shopper.group_id,
        role=shopper.roles.get(),
        period=LimitPeriod.MONTH,
        amount=Decimal("50.00"),
        action=action,
    )


def test_a_limit_requires_in_the_simulator_what_the_checkout_requires(
    ga: Account, shopper: Account
) -> None:
    goods = ProductFactory(market_price=Decimal("30.00"), stock=9)
    fill_cart(shopper, (goods, 1))
    order_submit(actor=shopper, form=CheckoutForm(payment_kind="transfer"))
    set_month_limit(shopper, LimitAction.APPROVE)
    fill_cart(shopper, (goods, 1))
    checkout = get_checkout(
        actor=Account.objects.get(pk=shopper.pk), form=CheckoutForm(payment_kind="transfer")
    )

    body = simulate(ga, shopper, str(checkout.amounts.total))

    reasons = checkout.plan.reasons
    assert reasons == ["超出每月采购限额 ¥50.00（当月已下单 ¥30.00，本单 ¥30.00）"]
    assert (body["OtherReasons"], body["Reasons"], body["Needed"]) == (reasons, reasons, True)
    assert (body["Requester"]["Name"], body["Refusals"]) == (shopper.nickname, [])


def test_a_limit_that_refuses_is_no_reason_but_a_refusal(ga: Account, shopper: Account) -> None:
    set_month_limit(shopper, LimitAction.REFUSE)

    body = simulate(ga, shopper, "60.00")

    assert (body["OtherReasons"], body["Needed"]) == ([], False)
    assert [text.split("，请")[0] for text in body["Refusals"]] == [
        "超出每月采购限额 ¥50.00（当月已下单 ¥0.00，本单 ¥60.00）"
    ]


def test_leaving_an_exhausted_budget_requires_an_approval_in_the_simulator(
    ga: Account, shopper: Account
) -> None:
    assert shopper.enterprise
    own = make_budget(
        enterprise=shopper.enterprise, account=shopper, amount="100.00", name="个人预算"
    )
    big = make_budget(
        enterprise=shopper.enterprise, amount="9000.00", name="企业预算", policy=BudgetPolicy.WARN
    )

    nearest = simulate(ga, shopper, "100.01")
    left = simulate(ga, shopper, "100.01", BudgetId=str(big.pk))

    assert nearest["Budgets"] == [
        {"Id": str(own.pk), "Name": "个人预算"},
        {"Id": str(big.pk), "Name": "企业预算"},
    ]
    assert (nearest["BudgetId"], nearest["OtherReasons"]) == (str(own.pk), [])
    assert [text.split("，请")[0] for text in nearest["Refusals"]] == [
        "预算“个人预算”可用 ¥100.00，本单需要 ¥100.01"
    ]
    assert (left["BudgetId"], left["Refusals"]) == (str(big.pk), [])
    assert left["OtherReasons"] == ["预算“个人预算”可用 ¥100.00，超出禁止下单，改用预算“企业预算”"]


def test_the_credit_of_the_enterprise_counts_only_on_account(ga: Account, shopper: Account) -> None:
    Enterprise.objects.filter(pk=shopper.enterprise_id).update(
        credit_limit=Decimal("80.00"), credit_policy=CreditPolicy.APPROVE
    )

    on_account = simulate(ga, shopper, "80.01", PaymentKind="credit")

    assert len(on_account["OtherReasons"]) == 1
    assert on_account["Chain"][-1]["IsForStaff"] is True
    assert simulate(ga, shopper, "80.01")["OtherReasons"] == []
    assert simulate(ga, shopper, "80.00", PaymentKind="credit")["OtherReasons"] == []
