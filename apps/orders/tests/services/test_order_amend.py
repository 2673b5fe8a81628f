"""When an approver lowers quantities, the order's budget, stock and approval steps are updated."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.approvals.errors import ApprovalClosed, ApprovalStale, NotYourTurn
from apps.approvals.models import ApprovalAmendment, ApprovalDelegation
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.catalog.errors import QuantityIllegal
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed, WrongState
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.common.testing import assert_queries
from apps.orders.models import Order, OrderLine
from apps.orders.services.approvals import order_amend
from apps.orders.services.cancellations import order_withdraw
from apps.orders.tests.amending import amend, build_accounts_step, create_amount_rule, get_approval
from apps.orders.tests.factories import FreightRegionFactory, make_budget, place_order
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper(shopper: Account) -> Product:
    """A product at 10.00 元 per piece."""
    return ProductFactory(stock=100, name="复印纸")


@pytest.fixture
def pens(shopper: Account) -> Product:
    """A product at 10.00 元 per piece. The minimum quantity is 3, the increment is 3."""
    return ProductFactory(stock=100, name="签字笔", min_quantity=3, step_quantity=3)


@pytest.fixture
def order(shopper: Account, approver: Account, paper: Product, pens: Product) -> Order:
    """Ten pieces of paper and nine pens: 190.00 元 on a budget of 1,000.00 元, waiting for
    `approver`.
    """
    make_budget(shopper, "1000.00")
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    return place_order(shopper, (pens, 9), (paper, 10))


def get_books(product: Product) -> tuple[Decimal, Decimal, int]:
    budget = Budget.objects.get()
    return budget.reserved, budget.available, Product.objects.get(pk=product.pk).reserved


def test_order_that_is_no_longer_in_approval_is_not_amended(
    order: Order, approver: Account, shopper: Account, paper: Product
) -> None:
    order_withdraw(actor=shopper, order_no=order.order_no, reason="买错了")
    line = order.lines.get(product=paper)

    with pytest.raises(WrongState):
        order_amend(actor=approver, order_id=order.pk, quantities={line.pk: 4}, reason="太多")

    assert order.lines.get(product=paper).quantity == 10


def test_lines_amounts_budget_and_stock_follow(
    order: Order, approver: Account, paper: Product
) -> None:
    amend(approver, order, 4)

    order = Order.objects.get(pk=order.pk)
    assert [
        (line.quantity, line.amount_incl_tax, line.tax_amount)
        for line in order.lines.order_by("no")
    ] == [
        (4, Decimal("40.00"), Decimal("4.60")),
        (9, Decimal("90.00"), Decimal("10.35")),
    ]
    assert (order.goods_amount, order.tax_amount, order.total_amount) == (
        Decimal("130.00"),
        Decimal("14.95"),
        Decimal("130.00"),
    )
    assert order.status == "pending_approval"
    assert get_books(paper) == (Decimal("130.00"), Decimal("870.00"), 4)
    assert reconcile_budgets() == []
    assert get_approval(order).amount == Decimal("130.00")


def test_budget_ledger_records_amount_and_reason_of_an_amendment_release(
    order: Order, approver: Account
) -> None:
    amend(approver, order, 4)

    entry = BudgetEntry.objects.get(kind="release")
    assert (entry.amount, entry.reference, entry.note, entry.actor_id) == (
        Decimal("60.00"),
        order.order_no,
        "审批调整数量",
        approver.pk,
    )


def test_amendment_to_zero_drops_the_line_and_allows_approval_of_the_rest(
    order: Order, approver: Account, paper: Product
) -> None:
    amend(approver, order, 0)
    approval_approve(actor=approver, approval_id=get_approval(order).pk)

    order = Order.objects.get(pk=order.pk)
    assert [line.name for line in order.lines.all()] == ["签字笔"]
    assert (order.status, order.total_amount) == ("pending_confirm", Decimal("90.00"))
    assert get_books(paper) == (Decimal("90.00"), Decimal("910.00"), 0)


def test_a_rejection_afterwards_gives_back_the_rest(
    order: Order, approver: Account, pens: Product
) -> None:
    amend(approver, order, 0, 6)
    approval_reject(actor=approver, approval_id=get_approval(order).pk, reason="都不要了")

    assert get_books(pens) == (Decimal("0.00"), Decimal("1000.00"), 0)
    assert reconcile_budgets() == []


def test_amendment_stores_the_quantity_changes_and_a_timeline_event(
    order: Order, approver: Account, shopper: Account
) -> None:
    amend(approver, order, 4, 0, reason="库房还有")

    approval_amendment = ApprovalAmendment.objects.get()
    assert [(row["Name"], row["Before"], row["After"]) for row in approval_amendment.lines] == [
        ("复印纸", 10, 4),
        ("签字笔", 9, 0),
    ]
    assert [(row["Name"], row["Before"], row["After"]) for row in approval_amendment.figures] == [
        ("商品金额", "190.00", "40.00"),
        ("运费", "0.00", "0.00"),
        ("应付总额", "190.00", "40.00"),
        ("含本单预算可用", "810.00", "960.00"),
    ]
    assert (
        approval_amendment.amount_before,
        approval_amendment.amount_after,
        approval_amendment.reason,
    ) == (
        Decimal("190.00"),
        Decimal("40.00"),
        "库房还有",
    )
    event = list_events(order).get(kind="approval.amended")
    unit = OrderLine.objects.get(order=order).unit
    assert (
        event.note
        == f"总额 ¥190.00 → ¥40.00；原因：库房还有；复印纸 10 → 4 {unit}，移除 签字笔（9 {unit}）"
    )
    assert event.actor_id == approver.pk


def test_amendment_notifies_the_requester(
    order: Order, approver: Account, shopper: Account
) -> None:
    approval = amend(approver, order, 4)

    message = OutboxMessage.objects.get(topic="approval.amended")
    assert message.payload == {
        "ApprovalId": approval.pk,
        "SubjectNo": order.order_no,
        "ActorId": approver.pk,
        "To": [shopper.pk],
        "Text": "用不了这么多",
    }


@pytest.mark.parametrize(
    ("quantities", "text"),
    [
        ((11,), "只能减少或移除，不能多于 10"),
        ((10,), "数量没有变化"),
        ((0, 0), "至少保留一种商品"),
    ],
)
def test_amendment_accepts_only_lower_quantities_and_at_least_one_line(
    order: Order, approver: Account, quantities: tuple[int, ...], text: str
) -> None:
    with pytest.raises(ValidationFailed, match=text):
        amend(approver, order, *quantities)
    assert get_approval(order).version == 1


@pytest.mark.parametrize("quantity", [1, 4, 8])
def test_a_quantity_stays_legal(order: Order, approver: Account, quantity: int) -> None:
    with pytest.raises(QuantityIllegal, match="起订量 3，增量 3"):
        amend(approver, order, None, quantity)


def test_amendment_of_a_line_of_another_order_is_refused(
    order: Order, approver: Account, shopper: Account
) -> None:
    other = place_order(shopper)
    foreign = {OrderLine.objects.get(order=other).pk: 1}
    with pytest.raises(ValidationFailed, match="已不在订单中"):
        approval_amend(
            actor=approver, approval_id=get_approval(order).pk, quantities=foreign, reason="多了"
        )


def test_amendment_requires_a_reason(order: Order, approver: Account) -> None:
    with pytest.raises(ValidationFailed, match="请填写调整原因"):
        amend(approver, order, 4, reason="  ")


def test_amendment_is_refused_outside_the_current_approvers_turn(
    order: Order, shopper: Account, ga: Account
) -> None:
    for actor in (shopper, ga):
        with pytest.raises(NotYourTurn):
            amend(actor, order, 4)


def test_amendment_recalculates_freight_for_the_remaining_goods(
    shopper: Account, approver: Account, paper: Product
) -> None:
    FreightRegionFactory(fee=Decimal("8.00"))
    FreightRegionFactory(amount_from=Decimal("99.00"), fee=Decimal("0.00"))
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    order = place_order(shopper, (paper, 10))

    amend(approver, order, 9)

    order = Order.objects.get(pk=order.pk)
    assert (order.goods_amount, order.freight_amount, order.total_amount) == (
        Decimal("90.00"),
        Decimal("8.00"),
        Decimal("98.00"),
    )


def test_less_that_would_cost_more_is_refused(shopper: Account, approver: Account) -> None:
    FreightRegionFactory(fee=Decimal("15.00"))
    FreightRegionFactory(amount_from=Decimal("99.00"), fee=Decimal("0.00"))
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    order = place_order(shopper, (ProductFactory(stock=100), 10))

    with pytest.raises(ValidationFailed, match="总额反而高于调整前"):
        amend(approver, order, 9)


def test_amendment_and_approval_refuse_an_outdated_version(order: Order, approver: Account) -> None:
    amend(approver, order, 8, version=1)

    with pytest.raises(ApprovalStale, match="刚刚被其他审批人调整"):
        amend(approver, order, 6, version=1)
    with pytest.raises(ApprovalStale):
        approval_approve(actor=approver, approval_id=get_approval(order).pk, version=1)
    approval_approve(actor=approver, approval_id=get_approval(order).pk, version=2)


def test_a_withdrawn_order_is_not_amended(
    order: Order, approver: Account, shopper: Account
) -> None:
    order_withdraw(actor=shopper, order_no=order.order_no)

    with pytest.raises(ApprovalClosed, match="已撤回"):
        amend(approver, order, 4)


def test_delegate_amends_and_the_record_stores_the_delegator(
    order: Order, approver: Account
) -> None:
    stand_in = AccountFactory(department=approver.department, roles=list(approver.roles.all()))
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=stand_in, valid_from="2000-01-01", valid_until="2099-12-31"
    )

    amend(stand_in, order, 4)

    assert ApprovalAmendment.objects.get().acting_for_id == approver.pk
    assert list_events(order).get(kind="approval.amended").acting_for_id == approver.pk


def assert_query_count(order: Order, approver: Account, *quantities: int, expected: int) -> None:
    lines = OrderLine.objects.filter(order=order).order_by("no")
    wanted = {line.pk: quantity for line, quantity in zip(lines, quantities, strict=False)}
    pk, actor = get_approval(order).pk, Account.objects.get(pk=approver.pk)
    with assert_queries(expected):
        approval_amend(actor=actor, approval_id=pk, quantities=wanted, reason="减一点", version=1)


def test_amendment_takes_26_queries_for_any_number_of_lines(
    order: Order, approver: Account, shopper: Account
) -> None:
    larger = place_order(shopper, *[(ProductFactory(stock=9), 2) for _ in range(10)])
    assert_query_count(order, approver, 4, 3, expected=26)
    assert_query_count(larger, approver, 1, 1, 1, 1, 1, expected=26)


def test_lines_and_steps_that_go_cost_three_more(
    order: Order, approver: Account, shopper: Account, ga: Account
) -> None:
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(ga))
    larger = place_order(shopper, *[(ProductFactory(stock=9), 2) for _ in range(5)])
    assert_query_count(larger, approver, 0, 0, expected=29)
