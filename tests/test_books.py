"""manage.py check_books reports every kind of planted error in stock, budgets and orders."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone

from apps.approvals.models import Approval
from apps.budgets.models import Budget, BudgetEntry, BudgetReservation
from apps.budgets.tests.factories import make_budget as make_own_budget
from apps.catalog.models import Product, StockMovement
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.models import Event
from apps.common.money import build_money_value
from apps.common.testing.faults import list_missed
from apps.orders.models import Order, OrderLine, Payment, ReceiptLine, ShipmentLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.line_keys import line_keys_fill
from apps.orders.services.payments import payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, make_budget, make_rule, place_order
from apps.org.models import Account, Group, PurchaseLimit
from apps.org.tests.factories import EnterpriseFactory

CENT = build_money_value(Decimal("0.01"))
FIRST, SECOND, ASKED = 1, 2, 3


def get_nth(model: Any, number: int) -> Any:
    """Return the nth row by primary key, as a queryset."""
    return model.objects.filter(pk=model.objects.order_by("pk")[number - 1].pk)


def of_pens(number: int) -> Any:
    """Return the pens line of the nth order, as a queryset."""
    return OrderLine.objects.filter(order=get_nth(Order, number).get(), quantity__in=[3, 4])


@pytest.fixture
def trade(shopper: Account, approver: Account, staff: Account) -> None:
    """Three orders on a budget below another one: one received and paid, one partly shipped and
    partly received, one in approval. Everything is consistent.
    """
    assert shopper.enterprise
    whole = make_budget(shopper, "9000.00")
    make_own_budget(enterprise=shopper.enterprise, account=shopper, amount="9000.00", parent=whole)
    FreightRegionFactory(fee=Decimal("8.00"))
    pens, paper = ProductFactory(stock=100), ProductFactory(stock=100)
    done = place_order(shopper, (pens, 3))
    order_confirm(actor=staff, order_id=done.pk)
    order_ship(actor=staff, order_id=done.pk, carrier="示例快递", tracking_no="SF1")
    order_receive(actor=shopper, order_no=done.order_no)
    payment_record(actor=staff, order_id=done.pk, amount=done.total_amount)
    part = place_order(shopper, (pens, 4), (paper, 2))
    order_confirm(actor=staff, order_id=part.pk)
    line = part.lines.get(product=pens)
    order_ship(
        actor=staff,
        order_id=part.pk,
        carrier="示例快递",
        tracking_no="SF2",
        quantities={line.pk: 3},
    )
    order_receive(actor=shopper, order_no=part.order_no, quantities={line.pk: 1})
    make_rule(shopper, approver)
    place_order(shopper, (paper, 5))
    set_limits(shopper, pens)


def set_limits(shopper: Account, pens: Product) -> None:
    """Write limits that the orders reach exactly: the largest order costs 68.00, the pens of the
    month cost 70.00. No order was submitted after the third limit was set.
    """
    rows: list[tuple[str, str, Any]] = [
        ("order", "68.00", None),
        ("month", "70.00", pens.l2),
        ("day", "0.01", None),
    ]
    for period, amount, category in rows:
        PurchaseLimit.objects.create(
            account=shopper,
            period=period,
            amount=Decimal(amount),
            action="refuse",
            category=category,
        )
    an_hour_ago = timezone.now() - timedelta(hours=1)
    PurchaseLimit.objects.exclude(period="day").update(created_at=an_hour_ago)


def find_differences() -> set[str]:
    return {difference.figure for _, difference in list_differences()}


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "pieces out of nowhere": (lambda: get_nth(Product, 1).update(stock=F("stock") + 1), "库存"),
    "pieces set aside for nobody": (
        lambda: get_nth(Product, 1).update(reserved=F("reserved") + 1),
        "库存预占",
    ),
    "set aside, but no order waits for them": (
        lambda: get_nth(Product, 1).update(reserved=F("reserved") + 1),
        "库存预占（按订单）",
    ),
    "a movement lost": (lambda: StockMovement.objects.filter(kind="ship").first().delete(), "库存"),
    "a budget's amount": (lambda: Budget.objects.update(amount=F("amount") + CENT), "额度"),
    "a budget's reserved": (lambda: Budget.objects.update(reserved=F("reserved") + CENT), "已预占"),
    "a budget's consumed": (lambda: Budget.objects.update(consumed=F("consumed") + CENT), "已使用"),
    "a row of the ledger lost": (
        lambda: BudgetEntry.objects.filter(kind="consume").first().delete(),
        "已使用",
    ),
    "a parent's reserved": (
        lambda: get_nth(Budget, 1).update(reserved=F("reserved") + CENT),
        "已预占（含下级）",
    ),
    "a parent's consumed": (
        lambda: get_nth(Budget, 1).update(consumed=F("consumed") + CENT),
        "已使用（含下级）",
    ),
    "a use that the parent did not count": (
        lambda: BudgetEntry.objects.filter(origin__isnull=False).first().delete(),
        "已预占",
    ),
    "a cycle in the tree": (
        lambda: get_nth(Budget, 1).update(parent=get_nth(Budget, 2).get()),
        "上级预算",
    ),
    "a parent of another enterprise": (
        lambda: get_nth(Budget, 1).update(enterprise=EnterpriseFactory(group=Group.objects.get())),
        "上级预算的企业",
    ),
    "a parent that ends earlier": (
        lambda: get_nth(Budget, 1).update(period_to=date(2097, 12, 31)),
        "上级预算的周期",
    ),
    "what a reservation holds": (
        lambda: get_nth(BudgetReservation, ASKED).update(amount=F("amount") - CENT),
        "预占中",
    ),
    "an ended order that holds budget": (
        lambda: get_nth(BudgetReservation, FIRST).update(amount=CENT),
        "预算预占",
    ),
    "shipped more than the shipments say": (
        lambda: of_pens(SECOND).update(shipped_quantity=4),
        "已发数量",
    ),
    "received more than the shipments say": (
        lambda: of_pens(SECOND).update(received_quantity=2),
        "已收数量",
    ),
    "a receipt of more pieces": (lambda: get_nth(ReceiptLine, 1).update(quantity=4), "签收单数量"),
    "a receipt over another amount": (
        lambda: get_nth(ReceiptLine, 1).update(amount_incl_tax=F("amount_incl_tax") - CENT),
        "签收金额",
    ),
    "a receipt with another tax": (
        lambda: get_nth(ReceiptLine, 1).update(tax_amount=F("tax_amount") - CENT),
        "签收税额",
    ),
    "a shipment that sent more": (
        lambda: get_nth(ShipmentLine, SECOND).update(quantity=4),
        "已发数量",
    ),
    "ordered more than is charged": (lambda: of_pens(SECOND).update(quantity=5), "金额"),
    "a line's amount": (
        lambda: get_nth(OrderLine, 1).update(amount_incl_tax=F("amount_incl_tax") + CENT),
        "金额",
    ),
    "a line's tax": (
        lambda: get_nth(OrderLine, 1).update(tax_amount=F("tax_amount") + CENT),
        "税额",
    ),
    "a price of another tier": (
        lambda: get_nth(OrderLine, 1).update(
            price_tiers={"Quantity": 3, "Steps": [[1, "10.00"], [3, "9.00"]]}
        ),
        "单价（按阶梯价）",
    ),
    "a price of a tier that the quantity reaches": (
        lambda: get_nth(OrderLine, 1).update(
            price_tiers={"Quantity": 1, "Steps": [[1, "10.00"], [3, "9.00"]]}
        ),
        "单价（按阶梯价）",
    ),
    "a line of another enterprise": (
        lambda: get_nth(OrderLine, 1).update(enterprise_key=0),
        "企业编号",
    ),
    "a line that no rule counts": (
        lambda: get_nth(OrderLine, 1).update(is_ended=True),
        "未发货即结束",
    ),
    "an order's goods": (
        lambda: get_nth(Order, FIRST).update(
            goods_amount=F("goods_amount") - CENT, freight_amount=F("freight_amount") + CENT
        ),
        "商品金额",
    ),
    "an order's tax": (
        lambda: get_nth(Order, FIRST).update(tax_amount=F("tax_amount") + CENT),
        "税额",
    ),
    "a state no event left": (
        lambda: get_nth(Order, SECOND).update(status="pending_shipment"),
        "订单状态",
    ),
    "a state that quantities deny": (
        lambda: get_nth(Order, SECOND).update(status="completed"),
        "订单状态（按收发数量）",
    ),
    "a submission lost": (
        lambda: Event.objects.filter(kind="submitted").first().delete(),
        "提交记录",
    ),
    "an approval decided alone": (lambda: Approval.objects.update(status="approved"), "审批状态"),
    "in approval, but asked nobody": (
        lambda: get_nth(Order, ASKED).update(status="pending_confirm"),
        "订单状态（按审批）",
    ),
    "settled without money": (
        lambda: get_nth(Order, SECOND).update(settlement_status="done"),
        "结算状态",
    ),
    "money that left": (lambda: Payment.objects.update(refunded_amount=F("amount")), "结算状态"),
    "a refund without a row": (lambda: Payment.objects.update(refunded_amount=CENT), "已退金额"),
    "a payment closed though paid": (lambda: Payment.objects.update(status="closed"), "结算状态"),
    "an order above the limit": (
        lambda: get_nth(PurchaseLimit, 1).update(amount=F("amount") - CENT),
        "已下单金额",
    ),
    "goods above the limit of their category": (
        lambda: get_nth(PurchaseLimit, 2).update(amount=F("amount") - CENT),
        "已下单金额",
    ),
    "paid twice": (lambda: Payment.objects.update(amount=F("amount") + CENT), "已付金额"),
}


def test_right_books_have_no_difference(trade: None) -> None:
    assert list(list_differences()) == []


def test_each_planted_error_is_found(trade: None) -> None:
    assert list_missed(PLANTED) == []


def test_the_command_prints_each_and_fails(trade: None, platform: None) -> None:
    get_nth(Product, 1).update(stock=F("stock") + 1)
    texts = StringIO()

    with pytest.raises(SystemExit, match="1"):
        call_command("check_books", stderr=texts)

    product = Product.objects.order_by("pk")[0]
    assert texts.getvalue().splitlines() == [
        f"[库存] 商品 {product.code} 的库存：账面 95，应为 94",
        "共 1 处差异",
    ]


def test_a_repair_fills_the_keys_of_lines_that_older_code_wrote(
    trade: None, platform: None
) -> None:
    get_nth(Order, FIRST).update(status="cancelled")
    line = OrderLine.objects.filter(order__in=get_nth(Order, FIRST).values("pk"))
    line.update(enterprise_key=0, is_ended=False)
    texts = StringIO()

    with pytest.raises(SystemExit):
        call_command("check_books", "--repair", stdout=texts, stderr=StringIO())

    assert texts.getvalue().splitlines() == ["[订单行] 补全 2 行"]
    assert set(line.values_list("enterprise_key", "is_ended")) == {
        (Order.objects.earliest("pk").enterprise_id, True)
    }
    assert line_keys_fill() == 0
