"""Tests of 采购申请 from the requester's cart to the buyer's order and back. Each piece is ordered
once, for its requester.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.errors import ApprovalNotFound
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.tests.factories import create_rule
from apps.cart.models import CartItem
from apps.cart.services.cart_change import cart_change
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import Stale, ValidationFailed, WrongState
from apps.common.models import OutboxMessage
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.order_submit import order_submit, orders_submit
from apps.orders.services.reorders import order_reorder
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import fill_cart
from apps.org.menus import MenuCode
from apps.org.models import Account, Address
from apps.org.tests.factories import AccountFactory, AddressFactory, RoleFactory
from apps.requisitions.errors import NotYourRequisition, RequisitionNotFound
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import (
    requisition_return,
    requisition_submit,
    requisition_withdraw,
)


@pytest.fixture
def requester(shopper: Account) -> Account:
    """A colleague in the buyer's department. The data scope is the account's own orders."""
    return AccountFactory(department=shopper.department, nickname="小张", roles=[])


@pytest.fixture
def purchaser(shopper: Account) -> Account:
    """The buyer, who sees the orders of the enterprise."""
    shopper.roles.update(data_scope="enterprise")
    account: Account = Account.objects.get(pk=shopper.pk)
    return account


def ask(account: Account, *wishes: tuple[Product, int], cost_center: str = "CC-1") -> Requisition:
    fill_cart(account, *wishes)
    return requisition_submit(actor=account, cost_center=cost_center, reason="月度用品")


def gather(
    purchaser: Account, row: Requisition, *quantities: int
) -> tuple[int, list[tuple[str, str]]]:
    lines = row.lines.order_by("no")
    pieces_by_line = quantities or [line.left for line in lines]
    added, left_out = requisition_gather(
        actor=purchaser,
        quantities={line.pk: pieces for line, pieces in zip(lines, pieces_by_line, strict=True)},
    )
    return added, [(line.name, reason) for line, reason in left_out]


def again(row: Requisition) -> Requisition:
    requisition: Requisition = Requisition.objects.get(pk=row.pk)
    return requisition


def test_submitted_requisition_empties_the_cart_and_notifies_the_buyers(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(), 3))
    assert (row.status, row.cost_center, row.lines.get().quantity) == ("open", "CC-1", 3)
    assert not CartItem.objects.exists()
    assert purchaser.pk in OutboxMessage.objects.get(topic="requisition.waiting").payload["To"]


def test_requisition_without_selected_items_is_refused(requester: Account) -> None:
    with pytest.raises(ValidationFailed, match="请先在购物车中勾选要申请的商品"):
        requisition_submit(actor=requester)


def test_out_of_stock_product_may_be_requested(requester: Account) -> None:
    product = ProductFactory(stock=5)
    fill_cart(requester, (product, 5))
    Product.objects.filter(pk=product.pk).update(stock=0)
    assert requisition_submit(actor=requester).lines.get().quantity == 5


def test_lines_of_several_colleagues_become_one_order_each_with_its_requester(
    requester: Account, purchaser: Account
) -> None:
    pens, paper = ProductFactory(), ProductFactory()
    other = AccountFactory(department=purchaser.department, nickname="小李", roles=[])
    for row in (ask(requester, (pens, 3)), ask(other, (pens, 2), (paper, 1), cost_center="CC-2")):
        gather(purchaser, row)

    order = order_submit(actor=purchaser, form=CheckoutForm())

    texts = [
        (line.product_id, line.quantity, line.asked_by, line.cost_center)
        for line in order.lines.order_by("product_id", "no")
    ]
    assert texts == [
        (pens.pk, 3, "小张", "CC-1"),
        (pens.pk, 2, "小李", "CC-2"),
        (paper.pk, 1, "小李", "CC-2"),
    ]
    assert order.total_amount == Decimal("60.00")
    assert set(Requisition.objects.values_list("status", flat=True)) == {"ordered"}


def test_the_buyers_own_pieces_stand_in_a_line_of_their_own(
    requester: Account, purchaser: Account
) -> None:
    pens = ProductFactory()
    fill_cart(purchaser, (pens, 4))
    gather(purchaser, ask(requester, (pens, 3)))
    order = order_submit(actor=purchaser, form=CheckoutForm())
    assert [(line.quantity, line.asked_by) for line in order.lines.order_by("no")] == [
        (3, "小张"),
        (4, ""),
    ]
    assert Product.objects.get(pk=pens.pk).reserved == 7


def test_taking_part_leaves_the_rest_for_another_order(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(), 5))
    gather(purchaser, row, 2)
    order_submit(actor=purchaser, form=CheckoutForm())
    assert (again(row).status, row.lines.get().left) == ("partly", 3)
    gather(purchaser, row, 3)
    order_submit(actor=purchaser, form=CheckoutForm())
    assert (again(row).status, row.lines.get().left) == ("ordered", 0)


def test_more_than_is_left_is_not_gathered(requester: Account, purchaser: Account) -> None:
    row = ask(requester, (ProductFactory(name="签字笔", unit="支"), 5))
    assert gather(purchaser, row, 6) == (0, [("签字笔", "只剩 5 支未下单，请调整数量")])
    assert not CartItem.objects.exists()


def test_line_gathered_by_a_colleague_is_not_gathered_twice(
    requester: Account, purchaser: Account, ga: Account
) -> None:
    row = ask(requester, (ProductFactory(name="签字笔"), 5))
    gather(purchaser, row)
    assert gather(ga, row) == (0, [("签字笔", "小采正在采购")])


def test_removed_from_the_cart_it_is_free_again(
    requester: Account, purchaser: Account, ga: Account
) -> None:
    row = ask(requester, (ProductFactory(), 5))
    gather(purchaser, row)
    CartItem.objects.all().delete()
    assert gather(ga, row) == (1, [])


def test_own_scope_buyer_cannot_gather_lines_of_others(
    requester: Account, shopper: Account
) -> None:
    with pytest.raises(RequisitionNotFound):
        gather(shopper, ask(requester, (ProductFactory(), 5)))


def test_withdrawn_requisition_line_blocks_the_order_and_notifies_the_buyer(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(name="签字笔"), 5))
    gather(purchaser, row)
    requisition_withdraw(actor=requester, requisition_no=row.requisition_no, reason="不需要了")
    with pytest.raises(
        Stale, match=f"“签字笔”来自小张的采购申请 {row.requisition_no}已撤回，请从购物车移出后重试"
    ):
        order_submit(actor=purchaser, form=CheckoutForm())
    assert OutboxMessage.objects.filter(topic="requisition.moved").get().payload["To"] == [
        purchaser.pk
    ]
    assert not Order.objects.exists()


def test_order_below_the_requested_quantity_is_refused(
    requester: Account, purchaser: Account
) -> None:
    gather(purchaser, ask(requester, (ProductFactory(), 5)))
    cart_change(actor=purchaser, item_id=CartItem.objects.get().pk, quantity=4)
    with pytest.raises(ValidationFailed, match=r"中有 5 .*来自采购申请，现仅 4"):
        order_submit(actor=purchaser, form=CheckoutForm())


def test_a_buyer_returns_it_with_a_reason_and_his_cart_lets_it_go(
    requester: Account, purchaser: Account
) -> None:
    pens = ProductFactory()
    fill_cart(purchaser, (pens, 4))
    row = ask(requester, (pens, 3))
    gather(purchaser, row)
    requisition_return(actor=purchaser, requisition_no=row.requisition_no, reason="库房还有")
    assert (again(row).status, again(row).closed_reason, CartItem.objects.get().quantity) == (
        "returned",
        "库房还有",
        4,
    )
    payload = OutboxMessage.objects.get(topic="requisition.moved").payload
    assert (payload["To"], payload["Text"]) == ([requester.pk], "小采：库房还有")


def test_returning_needs_a_reason(requester: Account, purchaser: Account) -> None:
    row = ask(requester, (ProductFactory(), 3))
    with pytest.raises(ValidationFailed, match="请填写退回原因"):
        requisition_return(actor=purchaser, requisition_no=row.requisition_no, reason=" ")


def test_only_its_requester_withdraws(requester: Account, purchaser: Account) -> None:
    row = ask(requester, (ProductFactory(), 3))
    with pytest.raises(NotYourRequisition):
        requisition_withdraw(actor=purchaser, requisition_no=row.requisition_no)


def test_ordered_requisition_cannot_be_withdrawn_or_returned(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(), 3))
    gather(purchaser, row)
    order_submit(actor=purchaser, form=CheckoutForm())
    with pytest.raises(WrongState, match="采购申请已采购，不能撤回"):
        requisition_withdraw(actor=requester, requisition_no=row.requisition_no)
    with pytest.raises(WrongState, match="采购申请已采购，不能退回"):
        requisition_return(actor=purchaser, requisition_no=row.requisition_no, reason="重复")


def test_an_order_that_ends_lets_it_be_ordered_again(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(), 3))
    gather(purchaser, row)
    order = order_submit(actor=purchaser, form=CheckoutForm())
    order_cancel(actor=purchaser, order_no=order.order_no, reason="下错了")
    assert (again(row).status, row.lines.get().left, RequisitionTake.objects.count()) == (
        "open",
        3,
        0,
    )
    assert gather(purchaser, row) == (1, [])


def test_requester_is_notified_of_the_buyer_and_the_order_number(
    requester: Account, purchaser: Account
) -> None:
    row = ask(requester, (ProductFactory(), 3))
    gather(purchaser, row)
    order = order_submit(actor=purchaser, form=CheckoutForm())
    payload = OutboxMessage.objects.get(topic="requisition.moved").payload
    assert (payload["To"], payload["Text"]) == (
        [requester.pk],
        f"小采已下单，订单 {order.order_no}",
    )


def test_pieces_of_colleagues_may_go_to_several_addresses(
    requester: Account, purchaser: Account
) -> None:
    pens = ProductFactory()
    other = AccountFactory(department=purchaser.department, nickname="小李", roles=[])
    gather(purchaser, ask(requester, (pens, 3)))
    gather(purchaser, ask(other, (pens, 2)))
    item = CartItem.objects.get()
    AddressFactory(enterprise=purchaser.enterprise)
    parts = tuple(
        DeliveryForm(place.pk, {item.pk: pieces})
        for place, pieces in zip(Address.objects.order_by("pk"), (4, 1), strict=True)
    )
    orders = orders_submit(
        actor=purchaser, form=CheckoutForm(lines=(SeenLine(item.pk),), deliveries=parts)
    )
    texts = [
        [
            (line.quantity, line.asked_by)
            for line in OrderLine.objects.filter(order=order).order_by("no")
        ]
        for order in orders
    ]
    assert texts == [[(3, "小张"), (1, "小李")], [(1, "小李")]]
    assert {line.left for line in RequisitionLine.objects.all()} == {0}


def test_two_lines_of_a_product_ship_and_are_bought_again_with_all_their_pieces(
    requester: Account, purchaser: Account, staff: Account
) -> None:
    pens = ProductFactory(stock=50)
    fill_cart(purchaser, (pens, 4))
    gather(purchaser, ask(requester, (pens, 3)))
    order = order_submit(actor=purchaser, form=CheckoutForm())
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    assert (Product.objects.get(pk=pens.pk).stock, Product.objects.get(pk=pens.pk).reserved) == (
        43,
        0,
    )
    order_reorder(actor=purchaser, order_no=order.order_no)
    assert CartItem.objects.get().quantity == 7


def test_asker_does_not_approve_the_order_of_his_goods(
    requester: Account, purchaser: Account
) -> None:
    role = RoleFactory(group=requester.group, code="head", menu_codes=[MenuCode.ORDER_APPROVAL])
    requester.roles.add(role)
    other = AccountFactory(department=purchaser.department, nickname="老周", roles=[role])
    create_rule(
        group_id=purchaser.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(requester, other))],
    )
    for row in (ask(requester, (ProductFactory(), 3)), ask(purchaser, (ProductFactory(), 1))):
        gather(purchaser, row)

    order_submit(actor=purchaser, form=CheckoutForm())

    approval = Approval.objects.get()
    assert [task.approver for task in ApprovalTask.objects.all()] == [other]
    assert approval.own_ids == {requester.pk, purchaser.pk}
    with pytest.raises(ApprovalNotFound):
        approval_approve(actor=requester, approval_id=approval.pk)
    approval_approve(actor=other, approval_id=approval.pk)
