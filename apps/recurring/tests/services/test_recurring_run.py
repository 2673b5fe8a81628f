"""The run of recurring orders: one order for each due date, by the customer's own service, and a
stop with a reason when something has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.approvals.models import Approval, ApprovalRule
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.tests.clock import clock
from apps.budgets.models import Budget
from apps.cart.models import CartItem
from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.orders.models import Order
from apps.orders.tests.factories import fill_cart, make_budget, make_rule
from apps.org.models import Account, Address, Group, Role
from apps.org.tests.factories import DepartmentFactory
from apps.recurring.errors import CeilingMissing
from apps.recurring.models import RecurringOrder
from apps.recurring.selectors.drafts import get_draft
from apps.recurring.services.recurring_decide import recurring_order_continue
from apps.recurring.services.recurring_manage import recurring_order_change
from apps.recurring.services.recurring_run import recurring_orders_run
from apps.recurring.tests.factories import create_recurring_order

# A Thursday; the next Thursdays are worked.
SHANGHAI = ZoneInfo("Asia/Shanghai")
TODAY, IN_A_WEEK = date(2026, 11, 26), date(2026, 12, 3)


@pytest.fixture(autouse=True)
def thursday() -> Generator[None]:
    with clock("2026-11-26 10:00"):
        yield


def again(row: RecurringOrder) -> RecurringOrder:
    fresh: RecurringOrder = RecurringOrder.objects.get(pk=row.pk)
    return fresh


def list_published(topic: str) -> list[str]:
    return [
        f"{message.payload['Title']}：{message.payload['Text']}"
        for message in OutboxMessage.objects.filter(topic=topic).order_by("pk")
    ]


def test_a_due_date_becomes_one_order_and_the_cart_stays(shopper: Account) -> None:
    row = create_recurring_order(
        shopper, (ProductFactory(stock=9), 2), cost_center="CC-1", remark="放前台"
    )
    fill_cart(shopper, (ProductFactory(), 1))

    assert recurring_orders_run(today=TODAY) == 1
    assert recurring_orders_run(today=TODAY) == 0

    order = Order.objects.get()
    assert (order.requester, order.total_amount, order.cost_center) == (
        shopper,
        Decimal("20.00"),
        "CC-1",
    )
    assert order.remark == f"放前台 定期采购 {row.recurring_no}"
    assert CartItem.objects.count() == 1
    run = row.runs.get()
    assert (run.due_on, run.outcome, run.order) == (TODAY, "ordered", order)
    assert (again(row).status, again(row).next_due) == ("active", IN_A_WEEK)
    assert list_published("recurring.moved") == [
        f"定期采购“茶水间补货”已生成订单 {order.order_no}：金额 ¥20.00"
    ]


def test_each_order_takes_the_approval_chain_of_the_rules(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    create_recurring_order(shopper)
    recurring_orders_run(today=TODAY)

    assert Order.objects.get().status == "pending_approval"
    assert list_published("recurring.moved")[0].endswith("金额 ¥20.00，等待审批")


def approve(order: Order, approver: Account) -> None:
    approval = Approval.objects.get(subject_id=order.pk)
    approval_approve(actor=approver, approval_id=approval.pk)


def run_statuses(*days: str) -> list[str]:
    """Run the recurring orders at ten o'clock of the days, and return the states of the orders of
    these days.
    """
    earlier = Order.objects.count()
    for day in days:
        with clock(f"{day} 10:00"):
            recurring_orders_run(today=date.fromisoformat(day))
    return list(Order.objects.order_by("pk").values_list("status", flat=True)[earlier:])


@pytest.fixture
def standing(shopper: Account, approver: Account) -> RecurringOrder:
    """A weekly order of 20.00 元 up to 30.00 元 that is approved once; the first order of 26
    November is approved.
    """
    make_rule(shopper, approver)
    row = create_recurring_order(shopper, approval_mode="once", amount_ceiling=Decimal("30.00"))
    recurring_orders_run(today=TODAY)
    approve(Order.objects.get(), approver)
    return row


def test_one_approval_counts_for_later_orders_up_to_the_ceiling(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    row = create_recurring_order(shopper, approval_mode="once", amount_ceiling=Decimal("30.00"))

    assert run_statuses("2026-11-26", "2026-12-03") == ["pending_approval", "pending_approval"]
    assert Approval.objects.earliest("pk").reasons[-1] == (
        f"定期采购 {row.recurring_no}：通过后 365 天内，同样商品每次不超过 ¥30.00 的订单不再审批"
    )
    first = Order.objects.earliest("pk")
    approve(first, approver)
    assert run_statuses("2026-12-10") == ["pending_confirm"]
    note = list(list_events(row))[-1].note
    assert note.endswith(f"（沿用订单 {first.order_no} 的审批）")


def raise_amount(row: RecurringOrder, _approver: Account) -> None:
    Product.objects.update(market_price=Decimal("15.01"))
    with clock("2026-12-03 09:00"):
        recurring_order_change(
            actor=row.requester,
            recurring_no=row.recurring_no,
            form=replace(
                get_draft(actor=row.requester, recurring_no=row.recurring_no).form,
                amount_ceiling=Decimal("30.02"),
            ),
        )


def add_rule(row: RecurringOrder, approver: Account) -> None:
    make_rule(row.requester, approver)


def change_rule(row: RecurringOrder, _approver: Account) -> None:
    ApprovalRule.objects.update(version=2)


def lower_quantity(_row: RecurringOrder, _approver: Account) -> None:
    Approval.objects.update(version=2)


def another_place(_row: RecurringOrder, _approver: Account) -> None:
    """The owner edits the address in the address book, not the recurring order."""
    Address.objects.update(street="工业园西路 9 号 3 栋")


def move_to_another_department(row: RecurringOrder, _approver: Account) -> None:
    """The head of the new department has agreed to nothing."""
    elsewhere = DepartmentFactory(
        enterprise=row.enterprise, parent=row.department, code="YF01-TEST", name="测试组"
    )
    Account.objects.filter(pk=row.requester_id).update(department=elsewhere)


def cancelled_order(_row: RecurringOrder, _approver: Account) -> None:
    Order.objects.update(status="cancelled")


@pytest.mark.parametrize(
    "change",
    [
        raise_amount,
        add_rule,
        change_rule,
        lower_quantity,
        another_place,
        move_to_another_department,
        cancelled_order,
    ],
)
def test_after_a_change_the_next_order_is_approved_again(
    standing: RecurringOrder,
    approver: Account,
    change: Callable[[RecurringOrder, Account], None],
) -> None:
    change(again(standing), approver)

    assert run_statuses("2026-12-03") == ["pending_approval"]


@pytest.mark.parametrize(
    "condition",
    [
        {"kind": "over_budget", "value": None},
        {"kind": "sum_requester", "value": {"days": 30, "amount": "15.00"}},
    ],
)
def test_an_approval_does_not_count_for_a_rule_on_budgets_or_sums(
    shopper: Account, approver: Account, condition: dict[str, Any]
) -> None:
    """The approvers agreed to this budget overrun or sum, not to the larger ones that follow."""
    make_rule(shopper, approver)
    ApprovalRule.objects.update(conditions=[condition])
    if condition["kind"] == "over_budget":
        make_budget(shopper, "15.00", policy="approve")
    create_recurring_order(shopper, approval_mode="once", amount_ceiling=Decimal("30.00"))
    assert run_statuses("2026-11-26") == ["pending_approval"]
    approve(Order.objects.get(), approver)

    assert run_statuses("2026-12-03") == ["pending_approval"]


def test_one_approval_counts_for_two_rules_of_one_approver(
    shopper: Account, approver: Account
) -> None:
    """The second rule's step is skipped, because its approver has decided in the first one."""
    make_rule(shopper, approver)
    make_rule(shopper, approver)
    create_recurring_order(shopper, approval_mode="once", amount_ceiling=Decimal("30.00"))
    run_statuses("2026-11-26")
    approve(Order.objects.get(), approver)

    assert run_statuses("2026-12-03") == ["pending_confirm"]


def test_one_approval_counts_for_a_year(standing: RecurringOrder) -> None:
    Approval.objects.update(decided_at=datetime(2025, 12, 3, 10, 1, tzinfo=SHANGHAI))
    assert run_statuses("2026-12-03") == ["pending_confirm"]
    Approval.objects.update(decided_at=datetime(2025, 12, 10, 9, 59, tzinfo=SHANGHAI))
    assert run_statuses("2026-12-10") == ["pending_approval"]


def test_an_amount_above_the_ceiling_is_approved_although_the_owner_accepts_it(
    standing: RecurringOrder, shopper: Account
) -> None:
    Product.objects.update(market_price=Decimal("15.01"))
    assert run_statuses("2026-12-03") == []

    order = recurring_order_continue(
        actor=shopper, recurring_no=standing.recurring_no, seen_amount=Decimal("30.02")
    )

    assert order.status == "pending_approval"


def test_one_approval_needs_a_ceiling(shopper: Account) -> None:
    with pytest.raises(CeilingMissing):
        create_recurring_order(shopper, approval_mode="once")


def test_missed_dates_become_one_order(shopper: Account) -> None:
    row = create_recurring_order(shopper, rhythm="working_days", number=1)

    assert recurring_orders_run(today=date(2026, 12, 2)) == 1
    assert (Order.objects.count(), again(row).next_due) == (1, date(2026, 12, 3))


def test_recurring_order_ends_after_its_end_date(shopper: Account) -> None:
    row = create_recurring_order(shopper, ends_on=date(2026, 12, 2))
    recurring_orders_run(today=TODAY)

    assert (again(row).status, Order.objects.count()) == ("ended", 1)
    assert list_published("recurring.moved")[1].startswith("定期采购“茶水间补货”已到结束日期")


def raise_price(row: RecurringOrder) -> None:
    Product.objects.update(market_price=Decimal("11.01"))


def without_stock(row: RecurringOrder) -> None:
    Product.objects.update(stock=1)


def take_off_sale(row: RecurringOrder) -> None:
    Product.objects.update(status=ProductStatus.OFF_SALE)


def raise_minimum(row: RecurringOrder) -> None:
    Product.objects.update(min_quantity=5)


def without_right(row: RecurringOrder) -> None:
    Role.objects.update(purchasing="request")


def without_account(row: RecurringOrder) -> None:
    Account.objects.filter(pk=row.requester_id).update(is_active=False)


def without_group(row: RecurringOrder) -> None:
    Group.objects.filter(pk=row.group_id).update(is_active=False)


def without_address(row: RecurringOrder) -> None:
    assert row.address is not None
    row.address.delete()


def without_payment_kind(row: RecurringOrder) -> None:
    Account.objects.filter(pk=row.requester_id).update(own_payment_kinds=["online"])


def with_own_addresses_only(row: RecurringOrder) -> None:
    Account.objects.filter(pk=row.requester_id).update(own_address_scope="own")


def without_budget(row: RecurringOrder) -> None:
    make_budget(row.requester, "19.99")


def without_credit(row: RecurringOrder) -> None:
    row.enterprise.credit_limit = Decimal("1.00")
    row.enterprise.credit_policy = "block"
    row.enterprise.save()


@pytest.mark.parametrize(
    ("change", "reason", "words"),
    [
        (raise_price, "price_rose", "单价由 ¥10.00 涨到 ¥11.01，涨幅超过 10%"),
        (without_stock, "stock", "库存不足，仅剩 1"),
        (take_off_sale, "unavailable", "已下架"),
        (raise_minimum, "quantity", "低于起订量 5"),
        (without_right, "rights", "仅可提交采购申请，不能下单"),
        (without_account, "rights", "创建人的账号已停用"),
        (without_group, "rights", "创建人的账号已停用"),
        (without_address, "choice", "收货地址、开票抬头或预算已删除"),
        (without_payment_kind, "choice", "您的账号不能使用“月结”，请更换付款方式"),
        (with_own_addresses_only, "choice", "不能使用该地址，请改选本人的收货地址"),
        (without_budget, "budget", "19.99"),
        (without_credit, "credit", "月结信用额度 ¥1.00"),
    ],
)
def test_a_change_stops_it_with_a_reason(
    shopper: Account, change: Callable[[RecurringOrder], Any], reason: str, words: str
) -> None:
    row = create_recurring_order(shopper, rise_percent=Decimal(10))
    change(row)

    assert recurring_orders_run(today=TODAY) == 1

    run = row.runs.get()
    assert (again(row).status, again(row).block_reason) == ("blocked", reason)
    assert (again(row).next_due, run.outcome, run.reason) == (TODAY, "blocked", reason)
    assert words in run.note
    assert not Order.objects.exists()
    assert recurring_orders_run(today=IN_A_WEEK) == 0, "it waits for the owner"


def test_an_order_above_the_ceiling_stops_it(shopper: Account) -> None:
    row = create_recurring_order(shopper, amount_ceiling=Decimal("19.99"))
    recurring_orders_run(today=TODAY)

    assert again(row).block_reason == "over_ceiling"
    assert list_published("recurring.blocked") == [
        "定期采购“茶水间补货”11 月 26 日（周四） 未能下单，请处理："
        "本次金额 ¥20.00，超出单次金额上限 ¥19.99"
    ]


def test_a_rise_up_to_the_percentage_and_any_fall_are_ordered(shopper: Account) -> None:
    create_recurring_order(shopper, rise_percent=Decimal(10))
    Product.objects.update(market_price=Decimal("11.00"))
    recurring_orders_run(today=TODAY)

    assert Order.objects.get().total_amount == Decimal("22.00")


def test_the_order_reserves_the_chosen_budget(shopper: Account) -> None:
    budget = make_budget(shopper, "100.00")
    create_recurring_order(shopper, budget_id=budget.pk)
    recurring_orders_run(today=TODAY)

    assert Budget.objects.get().reserved == Decimal("20.00")


def test_owner_is_reminded_once_before_the_date(shopper: Account) -> None:
    create_recurring_order(shopper, starts_on=IN_A_WEEK, remind_days=2)

    for day in ("2026-11-30", "2026-12-01", "2026-12-02"):
        recurring_orders_run(today=date.fromisoformat(day))

    assert list_published("recurring.upcoming") == [
        "定期采购“茶水间补货”将于 12 月 3 日（周四） 下单：预计金额 ¥20.00"
    ]
    assert not Order.objects.exists()
