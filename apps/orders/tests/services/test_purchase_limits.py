"""采购限额: per order, day and month; refuse or approve. Preview and submit agree."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.approvals.models import Approval
from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import CategoryFactory, ProductFactory, create_category_path
from apps.common.testing import ApiClient, assert_queries
from apps.orders.enums import OrderStatus
from apps.orders.errors import PurchaseLimitExceeded
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, get_checkout
from apps.orders.selectors.purchase_limits import get_limit_charges, get_usage
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Account, PurchaseLimit

HEAD_REASON = "超出每单采购限额 ¥50.00（本单 ¥60.00）"


def set_limit(
    shopper: Account,
    period: LimitPeriod,
    amount: str,
    action: LimitAction = LimitAction.REFUSE,
    *,
    own: bool = False,
    category: Category | None = None,
) -> None:
    owner = {"account": shopper} if own else {"role": shopper.roles.get()}
    PurchaseLimit.objects.create(
        group_id=shopper.group_id,
        period=period,
        amount=Decimal(amount),
        action=action,
        category=category,
        **owner,
    )


def build_goods(amount: str, leaf: Category | None = None) -> Product:
    """Return a product at this price, in the third-level category or in a new one."""
    category = {} if leaf is None else {"category": leaf}
    product: Product = ProductFactory(market_price=Decimal(amount), **category)
    return product


def order(shopper: Account, amount: str, leaf: Category | None = None) -> Order:
    fill_cart(shopper, (build_goods(amount, leaf), 1))
    return order_submit(actor=shopper, form=CheckoutForm())


def get_refusal(shopper: Account, amount: str, leaf: Category | None = None) -> str:
    """Return the message of the refusal; the preview shows the same one."""
    fill_cart(shopper, (build_goods(amount, leaf), 1))
    shown = get_checkout(actor=shopper, form=CheckoutForm())
    with pytest.raises(PurchaseLimitExceeded) as refused:
        order_submit(actor=shopper, form=CheckoutForm())
    assert [problem.message for problem in shown.problems] == [refused.value.text]
    assert not shown.plan.is_needed
    return refused.value.text


def test_order_at_the_purchase_limit_is_accepted_and_above_it_refused(shopper: Account) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00")

    assert order(shopper, "50.00").total_amount == Decimal("50.00")
    assert get_refusal(shopper, "50.01") == (
        "超出每单采购限额 ¥50.00（本单 ¥50.01），"
        "请减少采购金额，改为提交采购申请，或联系集团管理员调整限额"
    )


@pytest.mark.parametrize(
    ("period", "words"), [(LimitPeriod.DAY, "每日"), (LimitPeriod.MONTH, "每月")]
)
def test_earlier_orders_of_the_period_count(
    shopper: Account, period: LimitPeriod, words: str
) -> None:
    set_limit(shopper, period, "100.00")
    order(shopper, "60.00")

    used = "当日" if period == LimitPeriod.DAY else "当月"
    assert get_refusal(shopper, "40.01").startswith(
        f"超出{words}采购限额 ¥100.00（{used}已下单 ¥60.00，本单 ¥40.01）"
    )


def test_a_cancelled_order_frees_its_amount(shopper: Account) -> None:
    set_limit(shopper, LimitPeriod.MONTH, "100.00")
    first = order(shopper, "60.00")
    order_cancel(actor=shopper, order_no=first.order_no, reason="重复")

    assert order(shopper, "100.00").status == OrderStatus.PENDING_CONFIRM


def test_orders_before_the_period_do_not_count(shopper: Account) -> None:
    set_limit(shopper, LimitPeriod.DAY, "100.00")
    set_limit(shopper, LimitPeriod.MONTH, "150.00")
    first = order(shopper, "60.00")
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    _move(first, today - timedelta(seconds=1))
    second = order(shopper, "90.00") if today.day == 1 else order(shopper, "80.00")
    _move(first, today.replace(day=1) - timedelta(seconds=1))
    _move(second, today.replace(day=1) - timedelta(seconds=1))

    assert order(shopper, "100.00").total_amount == Decimal("100.00")


def _move(order: Order, at: datetime) -> None:
    Order.objects.filter(pk=order.pk).update(submitted_at=at)


def test_orders_of_a_colleague_do_not_use_my_purchase_limit(
    shopper: Account, approver: Account
) -> None:
    set_limit(shopper, LimitPeriod.MONTH, "100.00")
    order(approver, "90.00")

    assert order(shopper, "100.00").total_amount == Decimal("100.00")


def test_approving_purchase_limit_sends_an_exceeding_order_to_the_head(
    shopper: Account, approver: Account
) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00", LimitAction.APPROVE)

    written = order(shopper, "60.00")

    approval = Approval.objects.get(subject_id=written.pk)
    assert written.status == OrderStatus.PENDING_APPROVAL
    assert approval.reasons == [HEAD_REASON]
    (step,) = approval.steps.all()
    assert (step.rule_name, [task.approver_id for task in step.tasks.all()]) == (
        "超出采购限额需审批",
        [approver.pk],
    )


def test_a_limit_of_the_account_replaces_that_of_its_role(shopper: Account) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00")
    set_limit(shopper, LimitPeriod.ORDER, "80.00", own=True)

    assert order(shopper, "80.00").total_amount == Decimal("80.00")
    assert get_refusal(shopper, "80.01").startswith("超出每单采购限额 ¥80.00")


@pytest.fixture
def leaf(shopper: Account) -> Category:
    """The third-level category 复印纸, below 办公用纸, below 办公用品."""
    return create_category_path("办公用品", "办公用纸", "复印纸")


def test_category_limit_counts_goods_of_the_category_and_its_children(
    shopper: Account, leaf: Category
) -> None:
    sibling = CategoryFactory(name="便签", parent=leaf.parent, level=3, menu_group=None)
    set_limit(shopper, LimitPeriod.MONTH, "100.00", category=leaf.parent)
    order(shopper, "60.00", leaf)
    order(shopper, "500.00")

    assert get_refusal(shopper, "40.01", sibling) == (
        "超出“办公用纸”每月采购限额 ¥100.00（当月已下单 ¥60.00，本单 ¥40.01），"
        "请减少采购金额，改为提交采购申请，或联系集团管理员调整限额"
    )


def test_category_limit_counts_only_its_goods_in_a_mixed_order(
    shopper: Account, leaf: Category
) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00", LimitAction.APPROVE, category=leaf)
    fill_cart(shopper, (build_goods("50.00", leaf), 1), (build_goods("900.00"), 1))
    assert not get_checkout(actor=shopper, form=CheckoutForm()).plan.is_needed

    fill_cart(shopper, (build_goods("0.01", leaf), 1))
    shown = get_checkout(actor=shopper, form=CheckoutForm())
    assert [row.text for row in shown.subject.over_limits] == [
        "超出“复印纸”每单采购限额 ¥50.00（本单 ¥50.01）"
    ]


def test_exhausted_category_limit_does_not_block_other_categories(
    shopper: Account, leaf: Category
) -> None:
    order(shopper, "60.00", leaf)
    set_limit(shopper, LimitPeriod.DAY, "50.00", category=leaf)
    actor = Account.objects.get(pk=shopper.pk)

    assert order(actor, "10.00").total_amount == Decimal("10.00")
    assert get_refusal(actor, "0.01", leaf).startswith(
        "超出“复印纸”每日采购限额 ¥50.00（当日已下单 ¥60.00，本单 ¥0.01）"
    )


def test_a_limit_of_the_account_replaces_that_of_its_role_for_the_same_category(
    shopper: Account, leaf: Category
) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00", category=leaf)
    set_limit(shopper, LimitPeriod.ORDER, "90.00", own=True)
    actor = Account.objects.get(pk=shopper.pk)
    assert get_refusal(actor, "50.01", leaf).startswith("超出“复印纸”每单采购限额 ¥50.00")

    set_limit(shopper, LimitPeriod.ORDER, "80.00", own=True, category=leaf)
    actor = Account.objects.get(pk=shopper.pk)
    assert get_refusal(actor, "30.00", leaf).startswith(
        "超出“复印纸”每单采购限额 ¥80.00（本单 ¥80.01）"
    )


def test_limits_of_several_categories_take_one_query(shopper: Account, leaf: Category) -> None:
    for category in (None, leaf, leaf.parent):
        for period in (LimitPeriod.DAY, LimitPeriod.MONTH):
            set_limit(shopper, period, "900.00", category=category)
    order(shopper, "20.00", leaf)
    fill_cart(shopper, (build_goods("10.00", leaf), 1))
    lines = get_checkout(actor=shopper, form=CheckoutForm()).subject.lines
    actor = Account.objects.get(pk=shopper.pk)
    # The roles with the limits, and the orders.
    with assert_queries(2):
        ordered = get_usage(actor=actor, is_on_credit=False).ordered
        charges = get_limit_charges(
            actor=actor, amount=Decimal("10.00"), lines=lines, ordered=ordered
        )

    assert [charge.used for charge in charges] == [Decimal("20.00")] * 6


def test_the_preview_shows_the_limit_as_a_refusal(shopper: Account) -> None:
    set_limit(shopper, LimitPeriod.ORDER, "50.00")
    fill_cart(
        shopper,
        (ProductFactory(market_price=Decimal("30.00")), 1),
        (ProductFactory(market_price=Decimal("30.00")), 1),
    )

    answer = ApiClient(shopper).post("/api/Order/Preview", {})

    assert [row["Code"] for row in answer.body["Problems"]] == ["purchase_limit_exceeded"]
    assert answer.body["Problems"][0]["IsRefusal"] is True
