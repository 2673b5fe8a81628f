"""Checkout applies the settings of the customer's administrator."""

from __future__ import annotations

from typing import Any

import pytest

from apps.budgets.enums import BudgetPolicy
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.testing import ApiClient
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.selectors.customer_terms import get_default_payment_kind, list_payment_kinds
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart, make_budget, place_order
from apps.org.enums import OverBudget
from apps.org.models import Account

PREVIEW = "/api/Order/Preview"


def set_terms(account: Account, **values: Any) -> None:
    assert account.group is not None
    for name, value in values.items():
        setattr(account.group, name, value)
    account.group.save()


@pytest.fixture
def cart(shopper: Account) -> Account:
    """A buyer with two pieces at 10.00 元 in the cart."""
    fill_cart(shopper, (ProductFactory(), 2))
    return shopper


def test_order_submit_refuses_a_payment_kind_closed_to_the_enterprise(cart: Account) -> None:
    set_terms(cart, payment_kinds=["transfer"])

    with pytest.raises(ValidationFailed, match="贵司未开放“月结”"):
        order_submit(actor=cart, form=CheckoutForm(payment_kind="credit"))


def test_order_submit_refuses_an_invoice_kind_closed_to_the_enterprise(cart: Account) -> None:
    set_terms(cart, invoice_kinds=["e_special"])

    with pytest.raises(ValidationFailed, match="贵司未开放“数电普票”"):
        order_submit(actor=cart, form=CheckoutForm(invoice_kind="e_normal"))


def test_preview_offers_only_allowed_kinds_and_selects_the_first(cart: Account) -> None:
    set_terms(cart, payment_kinds=["online", "transfer"], invoice_kinds=["paper_normal"])

    body = ApiClient(cart).post(PREVIEW, {}).body

    assert (body["PaymentKind"], body["PaymentKinds"]) == ("transfer", ["transfer", "online"])
    assert (body["InvoiceKind"], body["InvoiceKinds"]) == ("paper_normal", ["paper_normal"])
    assert body["Problems"] == []


def test_disabled_enterprise_cannot_submit_an_order(cart: Account) -> None:
    assert cart.enterprise is not None
    cart.enterprise.is_active = False
    cart.enterprise.save()

    with pytest.raises(ValidationFailed, match="已停用，不能提交新订单"):
        order_submit(actor=cart, form=CheckoutForm())


@pytest.mark.parametrize(
    ("own", "asked", "held"),
    [
        (BudgetPolicy.WARN, OverBudget.AS_BUDGET, "warn"),
        (BudgetPolicy.WARN, OverBudget.APPROVE, "approve"),
        (BudgetPolicy.APPROVE, OverBudget.BLOCK, "block"),
        (BudgetPolicy.BLOCK, OverBudget.APPROVE, "block"),
    ],
)
def test_stricter_policy_of_budget_and_group_applies(
    cart: Account, own: str, asked: str, held: str
) -> None:
    make_budget(cart, "10.00", policy=own)
    set_terms(cart, over_budget=asked)

    checkout = get_checkout(actor=cart, form=CheckoutForm())

    assert checkout.budget_charge is not None
    assert checkout.budget_charge.own.policy == held
    assert checkout.plan.is_needed is (held == "approve")
    assert [problem.code for problem in checkout.problems] == (
        ["budget_exceeded"] if held == "block" else []
    )


def test_group_policy_approve_overrides_a_warning_budget(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "10.00", policy=BudgetPolicy.WARN)
    set_terms(shopper, over_budget=OverBudget.APPROVE)

    order: Order = place_order(shopper)

    assert order.status == "pending_approval"


def test_default_payment_kind_is_open_to_the_enterprise(
    shopper: Account,
) -> None:
    assert get_default_payment_kind(shopper) == "credit"
    assert shopper.enterprise is not None
    shopper.enterprise.credit_limit = None

    assert get_default_payment_kind(shopper) == next(
        kind for kind in list_payment_kinds(shopper) if kind != "credit"
    )
