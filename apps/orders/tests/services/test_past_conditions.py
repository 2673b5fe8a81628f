"""Conditions of approval rules that look at earlier orders. Preview and submit agree."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.rule_manage import rule_save
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.dimensions.models import Dimension
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.selectors.order_replay import get_past_subjects
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.snapshots import build_address_key
from apps.orders.tests.factories import fill_cart, settle_in
from apps.org.enums import PaymentKind
from apps.org.models import Account, Address
from apps.org.tests.factories import (
    AccountFactory,
    AddressFactory,
    DepartmentFactory,
    EnterpriseFactory,
)

RULE = "防拆单"


def create_past_rule(approver: Account, kind: str, value: Any = None) -> None:
    rule_save(
        group_id=approver.group_id or 0,
        spec=RuleSpec(RULE, [{"kind": kind, "value": value}]),
        steps=[StepSpec("accounts", accounts=(approver,))],
    )


def get_sums(amount: str, days: int = 1) -> dict[str, Any]:
    return {"days": days, "amount": amount}


def build_product(price: str = "1999.00", **fields: Any) -> Product:
    new_product: Product = ProductFactory(market_price=Decimal(price), **fields)
    return new_product


def order(shopper: Account, bought: Product, pieces: int = 1, **form: Any) -> Order:
    fill_cart(shopper, (bought, pieces))
    return order_submit(actor=shopper, form=CheckoutForm(**form))


def list_reasons(shopper: Account, bought: Product, pieces: int = 1, **form: Any) -> list[str]:
    """Submit an order and return the reasons of its approval; the preview shows the same."""
    items = fill_cart(shopper, (bought, pieces))
    checkout = get_checkout(actor=shopper, form=CheckoutForm(**form)).plan.reasons
    new_product = order_submit(actor=shopper, form=CheckoutForm(**form))
    assert len(items) == 1
    approval = Approval.objects.filter(subject_id=new_product.pk).first()
    assert checkout == (approval.reasons if approval else [])
    return checkout


def approve_latest(approver: Account) -> None:
    approval_approve(actor=approver, approval_id=Approval.objects.latest("pk").pk, comment="")


def test_orders_within_the_window_are_summed_against_split_purchases(
    shopper: Account, approver: Account
) -> None:
    create_past_rule(approver, "sum_requester", get_sums("3000.00"))
    bought = build_product()

    assert list_reasons(shopper, bought) == []
    assert list_reasons(shopper, bought) == [
        "同一申请人 1 天内累计 ¥3,998.00（此前 ¥1,999.00，本单 ¥1,999.00），"
        "超过 ¥3,000.00（防拆单）"
    ]


def test_a_sum_at_the_limit_needs_no_approval(shopper: Account, approver: Account) -> None:
    create_past_rule(approver, "sum_requester", get_sums("3998.00"))
    bought = build_product()
    order(shopper, bought)

    assert list_reasons(shopper, bought) == []


def test_cancelled_orders_and_orders_before_the_days_do_not_count(
    shopper: Account, approver: Account
) -> None:
    create_past_rule(approver, "sum_requester", get_sums("3000.00", days=2))
    bought = build_product()
    cancelled = order(shopper, bought)
    order_cancel(actor=shopper, order_no=cancelled.order_no, reason="重复")
    old = order(shopper, bought)
    Order.objects.filter(pk=old.pk).update(submitted_at=timezone.now() - timedelta(days=2))

    assert list_reasons(shopper, bought) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("sum_department", "同一部门「{department}」"),
        ("sum_address", "同一收货地址「{address}」"),
        ("sum_category", "同一类目"),
        ("sum_brand", "同一品牌「{brand}」"),
    ],
)
def test_the_orders_of_a_colleague_count_for_shared_subjects(
    shopper: Account, approver: Account, kind: str, text: str
) -> None:
    colleague = AccountFactory(department=shopper.department, roles=list(shopper.roles.all()))
    create_past_rule(approver, kind, get_sums("3000.00", days=7))
    bought = build_product()
    order(colleague, bought)

    named = text.format(
        department=shopper.department.name if shopper.department else "",
        address=Address.objects.get().full_text,
        brand=bought.brand.name,
    )
    assert list_reasons(shopper, bought) == [
        f"{named} 7 天内累计 ¥3,998.00（此前 ¥1,999.00，本单 ¥1,999.00），超过 ¥3,000.00（防拆单）"
    ]


def test_category_and_brand_sums_ignore_other_goods(shopper: Account, approver: Account) -> None:
    create_past_rule(approver, "sum_category", get_sums("3000.00"))
    create_past_rule(approver, "sum_brand", get_sums("3000.00"))
    order(shopper, build_product())

    assert list_reasons(shopper, build_product()) == []


@pytest.mark.parametrize(
    "street", [" 科技园 1 号 A 座", "科技园１号Ａ座", "科技园1号-a座", "科技园1号\u200bA座。"]
)
def test_address_sum_matches_the_same_place_with_another_receiver(
    shopper: Account, approver: Account, street: str
) -> None:
    create_past_rule(approver, "sum_address", get_sums("3000.00"))
    Address.objects.update(street="科技园1号A座")
    bought, home = build_product(), Address.objects.get()
    order(shopper, bought)
    twin = AddressFactory(
        enterprise=shopper.enterprise,
        receiver="另一人",
        province=home.province,
        city=home.city,
        district=home.district,
        street=street,
    )

    assert len(list_reasons(shopper, bought, address_id=twin.pk)) == 1


def test_numbers_of_houses_stay_apart() -> None:
    assert build_address_key({"Street": "1-12号"}) != build_address_key({"Street": "11-2号"})
    assert build_address_key({"Street": "1－12号"}) == build_address_key({"Street": "1 - 12 号"})


def test_a_price_above_the_last_paid_by_more_than_the_percentage_is_a_reason(
    shopper: Account, approver: Account
) -> None:
    create_past_rule(approver, "price_rise", 10)
    bought = build_product("100.00")
    assert list_reasons(shopper, bought) == []
    Product.objects.filter(pk=bought.pk).update(market_price=Decimal("110.00"))
    assert list_reasons(shopper, bought) == []
    Product.objects.filter(pk=bought.pk).update(market_price=Decimal("121.01"))

    raised = [f"单价比上次采购高 10% 以上（{bought.name} ¥121.01，上次 ¥110.00）（防拆单）"]
    assert list_reasons(shopper, bought) == raised
    # The order that waits is no price paid: a small one would let a large one pass.
    assert list_reasons(shopper, bought, 50) == raised
    approve_latest(approver)
    assert list_reasons(shopper, bought) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("first_product", "首次采购的商品「{product}」"),
        ("first_brand", "首次采购的品牌「{brand}」"),
        ("first_address", "首次使用的收货地址「{address}」"),
        ("first_payment", "首次使用的付款方式「月结」"),
    ],
)
def test_first_use_condition_applies_until_one_order_is_approved(
    shopper: Account, approver: Account, kind: str, text: str
) -> None:
    create_past_rule(approver, kind)
    bought = build_product("10.00")
    named = text.format(
        product=bought.name, brand=bought.brand.name, address=Address.objects.get().full_text
    )

    assert list_reasons(shopper, bought) == [f"{named}（防拆单）"]
    assert list_reasons(shopper, bought, 50) == [f"{named}（防拆单）"]
    approve_latest(approver)
    assert list_reasons(shopper, bought) == []


def test_first_cost_center_and_first_payment_conditions_apply_to_new_values(
    shopper: Account, approver: Account
) -> None:
    bought = build_product("10.00")
    order(shopper, bought, cost_center="CC-1")
    create_past_rule(approver, "first_cost_center")
    create_past_rule(approver, "first_payment")

    assert list_reasons(shopper, bought, cost_center="CC-1") == []
    assert list_reasons(shopper, bought, cost_center="CC-2", payment_kind=PaymentKind.TRANSFER) == [
        "首次使用的成本中心「CC-2」（防拆单）",
        "首次使用的付款方式「公司转账」（防拆单）",
    ]


def test_a_split_over_known_cost_centers_is_no_first_use(
    shopper: Account, approver: Account
) -> None:
    one, other, new = (DimensionFactory(group=shopper.group, code=code) for code in "ABC")
    bought = build_product("10.00")
    order(shopper, bought, allocations=build_halves(one, other))
    create_past_rule(approver, "first_cost_center")

    assert list_reasons(shopper, bought, cost_center="B") == []
    assert list_reasons(shopper, bought, allocations=build_halves(other, one)) == []
    assert list_reasons(shopper, bought, allocations=build_halves(one, new)) == [
        "首次使用的成本中心「C」（防拆单）"
    ]


def build_halves(*rows: Dimension) -> tuple[AllocationForm, ...]:
    """Return the choice that splits an order over two dimensions."""
    parts = tuple(PartForm(row.pk, Decimal("50.00")) for row in rows)
    return (AllocationForm(rows[0].kind, parts),)


def test_the_first_use_of_a_project_is_a_reason_until_the_order_ends(
    shopper: Account, approver: Account
) -> None:
    old, new = (DimensionFactory(group=shopper.group, kind="project", code=code) for code in "AB")
    bought = build_product("10.00")

    def on(*projects: Dimension) -> tuple[AllocationForm, ...]:
        share = Decimal(100 // len(projects))
        return (AllocationForm("project", tuple(PartForm(row.pk, share) for row in projects)),)

    order(shopper, bought, allocations=on(old))
    create_past_rule(approver, "first_project")

    assert list_reasons(shopper, bought) == []
    assert list_reasons(shopper, bought, allocations=on(old)) == []
    assert list_reasons(shopper, bought, allocations=on(old, new)) == [
        f"首次使用的项目「{new.name}」（防拆单）"
    ]
    order_cancel(actor=shopper, order_no=Order.objects.latest("pk").order_no, reason="不买了")
    assert len(list_reasons(shopper, bought, allocations=on(new))) == 1
    approve_latest(approver)
    assert list_reasons(shopper, bought, allocations=on(new)) == []
    subjects = get_past_subjects(
        since=timezone.now() - timedelta(days=1),
        before=timedelta(0),
        enterprise_id=None,
        department_id=None,
    )[1]
    assert [len(row.subject.projects) for row in subjects] == [1, 0, 1, 2, 1, 1]


def test_goods_without_an_agreement_are_a_reason(shopper: Account, approver: Account) -> None:
    create_past_rule(approver, "off_agreement")
    bought = build_product("10.00")

    assert list_reasons(shopper, bought) == [f"含协议外商品「{bought.name}」（防拆单）"]
    assert OrderLine.objects.get().is_off_agreement


def test_past_conditions_ignore_orders_of_another_enterprise(
    shopper: Account, approver: Account
) -> None:
    elsewhere = DepartmentFactory(enterprise=EnterpriseFactory(group=shopper.group))
    stranger = AccountFactory(department=elsewhere, roles=list(shopper.roles.all()))
    settle_in(stranger)
    bought = build_product()
    order(stranger, bought)
    create_past_rule(approver, "sum_brand", get_sums("3000.00"))

    assert list_reasons(shopper, bought) == []


def test_lower_quantities_are_judged_without_later_orders(
    shopper: Account, approver: Account
) -> None:
    create_past_rule(approver, "sum_requester", get_sums("3000.00"))
    bought = build_product("1000.00")
    first = order(shopper, bought, 4)
    order(shopper, bought, 1)
    approval = Approval.objects.get(subject_id=first.pk)
    assert approval.reasons == [
        "同一申请人 1 天内累计 ¥4,000.00（此前 ¥0.00，本单 ¥4,000.00），超过 ¥3,000.00（防拆单）"
    ]

    line = OrderLine.objects.get(order=first)
    amended = approval_amend(
        actor=approver, approval_id=approval.pk, quantities={line.pk: 3}, reason="够用"
    )

    # The active step stays although its rule does not match any more, and the reason says so.
    assert amended.amount == Decimal("3000.00")
    assert amended.reasons == [f"{approval.reasons[0]}，调整后已不满足"]
    stored = amended.amendments.get()
    assert (stored.reasons_before, stored.reasons_after) == (approval.reasons, amended.reasons)


def test_a_reason_that_remains_shows_the_lower_figures(shopper: Account, approver: Account) -> None:
    create_past_rule(approver, "sum_department", get_sums("1500.00"))
    first = order(shopper, build_product("1000.00"), 4)
    approval = Approval.objects.get(subject_id=first.pk)
    line = OrderLine.objects.get(order=first)

    approval_amend(actor=approver, approval_id=approval.pk, quantities={line.pk: 2}, reason="够用")

    approval.refresh_from_db()
    assert approval.reasons == [
        f"同一部门「{shopper.department.name if shopper.department else ''}」 1 天内累计 ¥2,000.00"
        "（此前 ¥0.00，本单 ¥2,000.00），超过 ¥1,500.00（防拆单）"
    ]
