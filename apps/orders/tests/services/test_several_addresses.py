"""One submit to several addresses creates one order per address. The checks apply to the sum of
the orders; either all orders are created or none.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.approvals.models import Approval
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approvals_bulk_reject
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget
from apps.cart.models import CartItem
from apps.catalog.errors import QuantityIllegal
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.testing import assert_queries
from apps.orders.errors import PriceMoved
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.approvals import OrderSubject
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import orders_submit
from apps.orders.tests.factories import FreightRegionFactory, fill_cart, make_budget, make_rule
from apps.org.enums import PurchasingRight
from apps.org.models import Account, Address
from apps.org.tests.factories import (
    AccountFactory,
    AddressFactory,
    DepartmentFactory,
    EnterpriseFactory,
)


def two_addresses(account: Account) -> list[Address]:
    """Two addresses of the enterprise: the first in Shanghai, the second in Beijing."""
    AddressFactory(
        enterprise=account.enterprise, receiver="李小红", province="北京市", city="北京市"
    )
    return list(Address.objects.order_by("pk"))


def split(account: Account, item: CartItem, *quantities: int, **more: Any) -> CheckoutForm:
    """Return a checkout form that splits one cart line over the addresses, in their order."""
    places = two_addresses(account)
    deliveries = [
        DeliveryForm(place.pk, {item.pk: pieces})
        for place, pieces in zip(places, quantities, strict=True)
    ]
    return CheckoutForm(lines=(SeenLine(item.pk),), deliveries=tuple(deliveries), **more)


def test_split_submit_creates_one_order_per_address_with_its_freight(shopper: Account) -> None:
    FreightRegionFactory(fee=Decimal("12.00"))
    FreightRegionFactory(province="上海市", fee=Decimal("8.00"))
    item = fill_cart(shopper, (ProductFactory(), 5))[0]

    orders = orders_submit(actor=shopper, form=split(shopper, item, 2, 3))

    texts = [
        (row.address_snapshot["Province"], row.goods_amount, row.freight_amount, row.total_amount)
        for row in orders
    ]
    assert texts == [
        ("上海市", Decimal("20.00"), Decimal("8.00"), Decimal("28.00")),
        ("北京市", Decimal("30.00"), Decimal("12.00"), Decimal("42.00")),
    ]
    assert [row.batch_id for row in Order.objects.order_by("pk")] == [orders[0].pk] * 2
    assert not CartItem.objects.exists()


def test_split_submit_reserves_each_piece_once(shopper: Account) -> None:
    product = ProductFactory(stock=7)
    item = fill_cart(shopper, (product, 5))[0]
    orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    assert Product.objects.get(pk=product.pk).available == 2


def test_split_orders_have_their_own_department_and_cost_center(shopper: Account) -> None:
    shopper.roles.update(data_scope="enterprise")
    other = DepartmentFactory(enterprise=shopper.enterprise, name="研发部", cost_center="CC-RD")
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    form = split(shopper, item, 2, 3)
    one, two = form.deliveries
    form = replace(
        form, deliveries=(replace(one, cost_center="CC-7"), replace(two, department_id=other.pk))
    )

    orders = orders_submit(actor=Account.objects.get(pk=shopper.pk), form=form)

    assert [(row.department_id, row.cost_center) for row in orders] == [
        (shopper.department_id, "CC-7"),
        (other.pk, "CC-RD"),
    ]


@pytest.mark.parametrize("place", ["other_department", "other_enterprise", "missing"])
def test_department_outside_the_purchasing_scope_is_refused_like_a_missing_one(
    shopper: Account, place: str
) -> None:
    elsewhere = (
        EnterpriseFactory(group=shopper.group)
        if place == "other_enterprise"
        else shopper.enterprise
    )
    pk = 10**9 if place == "missing" else DepartmentFactory(enterprise=elsewhere).pk
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    form = split(shopper, item, 2, 3)
    form = replace(
        form, deliveries=(form.deliveries[0], replace(form.deliveries[1], department_id=pk))
    )
    with pytest.raises(ValidationFailed) as refusal:
        orders_submit(actor=shopper, form=form)
    assert refusal.value.body["Errors"] == {
        "Deliveries": ["部门不存在、已停用或不在您的采购范围内，请重新选择"]
    }
    assert not Order.objects.exists()


def test_address_of_another_account_is_refused_like_a_missing_one(shopper: Account) -> None:
    place = Address.objects.get()
    foreign = AddressFactory(
        account=AccountFactory(department=shopper.department), enterprise=shopper.enterprise
    )
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    parts = (DeliveryForm(place.pk, {item.pk: 2}), DeliveryForm(foreign.pk, {item.pk: 3}))
    form = CheckoutForm(lines=(SeenLine(item.pk),), deliveries=parts)
    with pytest.raises(ValidationFailed) as refusal:
        orders_submit(actor=shopper, form=form)
    assert refusal.value.body["Errors"] == {"Deliveries": ["收货地址不存在或已停用，请重新选择"]}


def test_delivery_for_another_department_may_use_that_departments_address(shopper: Account) -> None:
    shopper.roles.update(data_scope="enterprise")
    other = DepartmentFactory(enterprise=shopper.enterprise)
    own, theirs = (
        Address.objects.get(),
        AddressFactory(department=other, enterprise=shopper.enterprise, receiver="车间"),
    )
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    parts = (
        DeliveryForm(own.pk, {item.pk: 2}),
        DeliveryForm(theirs.pk, {item.pk: 3}, department_id=other.pk),
    )
    form = CheckoutForm(lines=(SeenLine(item.pk),), deliveries=parts)

    orders = orders_submit(actor=Account.objects.get(pk=shopper.pk), form=form)

    assert [(row.department_id, row.address_snapshot["Receiver"]) for row in orders][1] == (
        other.pk,
        "车间",
    )


@pytest.mark.parametrize("quantities", [(2, 2), (3, 3)])
def test_parts_that_do_not_sum_to_the_line_are_refused(
    shopper: Account, quantities: tuple[int, int]
) -> None:
    product = ProductFactory(name="订书机", unit="个")
    item = fill_cart(shopper, (product, 5))[0]
    with pytest.raises(ValidationFailed) as refusal:
        orders_submit(actor=shopper, form=split(shopper, item, *quantities))
    assert refusal.value.body["Errors"] == {
        "Deliveries": [f"“订书机”共 5 个，各地址合计 {sum(quantities)} 个，请调整到一致"]
    }
    assert not Order.objects.exists()


def test_a_part_below_the_minimum_is_refused(shopper: Account) -> None:
    product = ProductFactory(name="订书机", unit="个", min_quantity=4, step_quantity=2)
    item = fill_cart(shopper, (product, 8))[0]
    with pytest.raises(QuantityIllegal, match="送给王小明的“订书机”2 个不符合要求"):
        orders_submit(actor=shopper, form=split(shopper, item, 2, 6))


def test_a_moved_price_refuses_all(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    form = replace(split(shopper, item, 2, 3), lines=(SeenLine(item.pk, Decimal("9.00")),))
    with pytest.raises(PriceMoved):
        orders_submit(actor=shopper, form=form)
    assert not Order.objects.exists()


def test_blocking_budget_checks_the_total_of_all_split_orders(shopper: Account) -> None:
    """The budget covers each order alone, but not both."""
    make_budget(shopper, "49.99")
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    with pytest.raises(BudgetExceeded, match=r"可用 ¥49\.99，本单需要 ¥50\.00"):
        orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    assert Budget.objects.get().reserved == Decimal("0.00")


def test_budget_reserves_each_split_order_separately(shopper: Account) -> None:
    make_budget(shopper, "50.00")
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    orders = orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    assert Budget.objects.get().available == Decimal("0.00")
    order_cancel(actor=shopper, order_no=orders[0].order_no, reason="不要了")
    assert Budget.objects.get().available == Decimal("20.00")


def test_a_rule_on_the_amount_is_not_escaped_by_splitting(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver, from_amount="50.00")
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    orders = orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    assert [row.status for row in orders] == ["pending_approval"] * 2
    assert [(row.amount, row.reasons) for row in Approval.objects.order_by("pk")] == [
        (Decimal("20.00"), ["同批订单合计 ¥50.00 达到 ¥50.00（大额采购审批）"]),
        (Decimal("30.00"), ["同批订单合计 ¥50.00 达到 ¥50.00（大额采购审批）"]),
    ]


def test_amendment_of_a_split_order_is_judged_with_its_siblings(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver, from_amount="40.00")
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    one, _ = orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    line = OrderLine.objects.get(order=one)
    approval = Approval.objects.get(subject_id=one.pk)

    approval_amend(actor=approver, approval_id=approval.pk, quantities={line.pk: 1}, reason="够用")

    approval = Approval.objects.get(pk=approval.pk)
    assert (approval.amount, approval.reasons) == (
        Decimal("10.00"),
        ["同批订单合计 ¥40.00 达到 ¥40.00（大额采购审批）"],
    )
    # This order (10.00 元) and its sibling (30.00 元). The limits of delegations compare the sum.
    assert approval.whole_amount == Decimal("40.00")


def test_bulk_rejection_rejects_all_orders_of_a_submit(shopper: Account, approver: Account) -> None:
    make_rule(shopper, approver)
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    outcomes = approvals_bulk_reject(
        actor=approver,
        approval_ids=list(Approval.objects.values_list("pk", flat=True)),
        reason="下月再买",
    )
    assert [row.message for row in outcomes] == ["已驳回", "已驳回"]
    assert set(Order.objects.values_list("status", flat=True)) == {"rejected"}


def test_single_delivery_creates_no_batch(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    place = Address.objects.get()
    order = orders_submit(
        actor=shopper,
        form=CheckoutForm(
            lines=(SeenLine(item.pk),), deliveries=(DeliveryForm(place.pk, {item.pk: 5}),)
        ),
    )[0]
    assert (order.batch_id, order.total_amount) == (None, Decimal("50.00"))


def test_an_order_more_costs_a_fixed_number_of_queries(shopper: Account, approver: Account) -> None:
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    items = fill_cart(shopper, *[(ProductFactory(), 9) for _ in range(10)])
    places = [AddressFactory(enterprise=shopper.enterprise) for _ in range(3)]
    deliveries = tuple(DeliveryForm(place.pk, {item.pk: 3 for item in items}) for place in places)
    actor = Account.objects.select_related("group", "enterprise", "department").get(pk=shopper.pk)
    assert actor.purchasing == PurchasingRight.ORDER  # Read, as by the look-up of a bearer.
    with assert_queries(55):
        orders_submit(
            actor=actor,
            form=CheckoutForm(
                lines=tuple(SeenLine(item.pk) for item in items), deliveries=deliveries
            ),
        )


def test_the_lock_names_the_order_and_its_batch_by_their_keys(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    first, second = orders_submit(actor=shopper, form=split(shopper, item, 2, 3))
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        OrderSubject().lock(second.pk)
    locking = statements[-1]["sql"].split(" WHERE ")
    assert len(locking) == 2  # No subquery, which would read every order of the group.
    assert f"{first.pk}, {second.pk}" in locking[1]
