"""A submit writes exactly the order that checkout showed, or nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.approvals.models import Approval
from apps.budgets.errors import BudgetExceeded, BudgetNotFound
from apps.budgets.models import Budget
from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_add
from apps.catalog.errors import OffSale, StockShort
from apps.catalog.models import Product, StockMovement
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import Stale, ValidationFailed
from apps.common.models import Event, OutboxMessage
from apps.common.testing import assert_queries
from apps.orders.enums import InvoiceKind, PaymentKind
from apps.orders.errors import CreditExceeded, PriceMoved
from apps.orders.models import Order, Payment
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import (
    FreightRegionFactory,
    InvoiceTitleFactory,
    fill_cart,
    make_budget,
    make_rule,
    place_order,
)
from apps.org.enums import PurchasingRight
from apps.org.models import Account, Address, Enterprise, InvoiceTitle
from apps.org.tests.factories import AddressFactory, EnterpriseFactory


def assert_nothing_written(product: Product) -> None:
    assert not Order.objects.exists()
    assert not Event.objects.exists()
    assert not OutboxMessage.objects.exists()
    assert not StockMovement.objects.exclude(reference="期初").exists()
    assert Product.objects.get(pk=product.pk).reserved == 0
    assert CartItem.objects.exists()


def test_an_order_that_needs_no_approval_waits_for_confirmation(shopper: Account) -> None:
    order = place_order(shopper)
    assert (order.status, order.approval_status, order.get_status_display()) == (
        "pending_confirm",
        "not_needed",
        "待确认",
    )


def test_an_order_that_a_rule_matches_waits_for_approval(order_in_approval: Order) -> None:
    assert (order_in_approval.status, order_in_approval.approval_status) == (
        "pending_approval",
        "pending",
    )
    assert Approval.objects.get().subject_no == order_in_approval.order_no


def test_the_lines_leave_the_cart_and_the_rest_stays(shopper: Account) -> None:
    kept_product = ProductFactory()
    cart_add(actor=shopper, quantities={kept_product.code: 1})
    CartItem.objects.update(is_selected=False)
    place_order(shopper)
    assert [item.product_id for item in CartItem.objects.all()] == [kept_product.pk]


def test_submitted_order_stores_prices_address_invoice_and_references(shopper: Account) -> None:
    product = ProductFactory(name="订书机", tax_rate=Decimal("0.13"), market_price=Decimal("11.30"))
    order = place_order(
        shopper, (product, 3), remark="请放前台", cost_center="CC-1", purchase_order_no="PO-9"
    )
    Product.objects.filter(pk=product.pk).update(name="改名", market_price=Decimal("99.00"))
    Address.objects.update(receiver="改名")
    InvoiceTitle.objects.update(title="改名")
    saved = Order.objects.get(pk=order.pk)
    line = saved.lines.get()
    assert (line.name, line.unit_price_incl_tax, line.amount_incl_tax, line.tax_amount) == (
        "订书机",
        *map(Decimal, ("11.30", "33.90", "3.90")),
    )
    assert (saved.address_snapshot["Receiver"], saved.invoice_snapshot["Title"]) == (
        "王小明",
        "云帆科技有限公司",
    )
    assert (saved.remark, saved.cost_center, saved.purchase_order_no) == (
        "请放前台",
        "CC-1",
        "PO-9",
    )


def test_tax_is_rounded_per_line_and_lines_sum_to_the_order(shopper: Account) -> None:
    lines = [
        (ProductFactory(market_price=Decimal(price), tax_rate=Decimal(rate)), 3)
        for price, rate in [("0.37", "0.13"), ("1.99", "0.06")]
    ]
    order = place_order(shopper, *lines)
    assert {line.tax_amount for line in order.lines.all()} == {Decimal("0.13"), Decimal("0.34")}
    assert sum(line.tax_amount for line in order.lines.all()) == order.tax_amount
    assert sum(line.amount_incl_tax for line in order.lines.all()) == order.goods_amount


def test_freight_of_the_region_is_added_and_its_days_promised(shopper: Account) -> None:
    FreightRegionFactory(fee=Decimal("12.00"))
    FreightRegionFactory(province="上海市", fee=Decimal("8.00"), extra_days=2)
    FreightRegionFactory(
        province="上海市", amount_from=Decimal("99.00"), fee=Decimal("0.00"), extra_days=2
    )
    order = place_order(shopper, (ProductFactory(lead_days=3), 2))
    assert (order.freight_amount, order.total_amount, order.promised_days) == (
        Decimal("8.00"),
        Decimal("28.00"),
        5,
    )


def test_an_order_above_the_threshold_is_carried_free(shopper: Account) -> None:
    FreightRegionFactory(province="上海市", fee=Decimal("8.00"))
    FreightRegionFactory(province="上海市", amount_from=Decimal("99.00"))
    assert place_order(shopper, (ProductFactory(), 10)).freight_amount == Decimal("0.00")


def test_budget_and_stock_are_reserved(shopper: Account) -> None:
    budget, product = make_budget(shopper, "100.00"), ProductFactory(stock=5)
    place_order(shopper, (product, 2), budget_id=budget.pk)
    assert Budget.objects.get().available == Decimal("80.00")
    assert Product.objects.get(pk=product.pk).available == 3


def test_order_without_a_budget_choice_charges_the_nearest_budget(shopper: Account) -> None:
    make_budget(shopper, "100.00")
    place_order(shopper)
    assert Budget.objects.get().reserved == Decimal("20.00")


def test_the_enterprise_is_locked_after_the_goods_and_before_what_its_lock_protects(
    shopper: Account,
) -> None:
    make_budget(shopper, "1000.00")
    fill_cart(shopper, (ProductFactory(), 1))

    with CaptureQueriesContext(connection) as captured:
        order_submit(actor=shopper, form=CheckoutForm())

    marks = {
        "goods": "ci.quantity",
        "address": 'FROM "org_address"',
        "titles": 'FROM "org_invoicetitle"',
        "enterprise": 'SELECT "org_enterprise"."id" AS "pk" FROM "org_enterprise"',
        "credit": 'AS "credit_limit"',
        "budgets": 'FROM "budgets_budget"',
        "rules": 'FROM "approvals_approvalrulestep"',
        "order": 'INSERT INTO "orders_order"',
    }
    statements = [query["sql"] for query in captured.captured_queries]
    places = {
        name: next(n for n, sql in enumerate(statements) if mark in sql)
        for name, mark in marks.items()
    }
    assert sorted(places, key=lambda name: places[name]) == list(marks)


def test_blocking_budget_refuses_the_order_and_writes_nothing(shopper: Account) -> None:
    product = ProductFactory()
    make_budget(shopper, "19.99")
    with pytest.raises(BudgetExceeded, match=r"可用 ¥19\.99，本单需要 ¥20\.00"):
        place_order(shopper, (product, 2))
    assert_nothing_written(product)


def test_warning_budget_accepts_an_order_beyond_its_amount(shopper: Account) -> None:
    make_budget(shopper, "5.00", policy="warn")
    assert place_order(shopper).status == "pending_confirm"
    assert Budget.objects.get().available == Decimal("-15.00")


def test_approving_budget_sends_an_exceeding_order_to_the_head(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "5.00", policy="approve")
    assert place_order(shopper).status == "pending_approval"
    assert Approval.objects.get().steps.get().tasks.get().approver == approver


def test_a_moved_price_is_refused_with_the_difference(shopper: Account) -> None:
    product = ProductFactory(name="订书机")
    item = fill_cart(shopper, (product, 2))[0]
    Product.objects.update(market_price=Decimal("10.50"))
    with pytest.raises(PriceMoved) as refusal:
        order_submit(actor=shopper, form=CheckoutForm(lines=(SeenLine(item.pk, Decimal("10.00")),)))
    difference = {
        "CartItemId": str(item.pk),
        "ProductCode": product.code,
        "Name": "订书机",
        "Brand": product.brand.name,
        "SeenPrice": "10.00",
        "CustomerPrice": "10.50",
    }
    assert refusal.value.body == {"Lines": [difference], "Problems": []}
    assert_nothing_written(product)


def test_price_change_is_reported_before_an_exceeded_budget(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 2))[0]
    make_budget(shopper, "5.00")
    Product.objects.update(market_price=Decimal("10.50"))
    with pytest.raises(PriceMoved) as refusal:
        order_submit(actor=shopper, form=CheckoutForm(lines=(SeenLine(item.pk, Decimal("10.00")),)))
    assert [row["SeenPrice"] for row in refusal.value.body["Lines"]] == ["10.00"]
    assert [row["Code"] for row in refusal.value.body["Problems"]] == ["budget_exceeded"]


def test_order_submit_leaves_unavailable_products_in_the_cart(shopper: Account) -> None:
    off, good = ProductFactory(), ProductFactory()
    fill_cart(shopper, (off, 1), (good, 2))
    Product.objects.filter(pk=off.pk).update(status="off")
    order = order_submit(actor=shopper, form=CheckoutForm())
    assert [line.product_id for line in order.lines.all()] == [good.pk]
    assert [item.product_id for item in CartItem.objects.all()] == [off.pk]


def test_requested_line_taken_off_sale_refuses_the_whole_order(shopper: Account) -> None:
    off = ProductFactory(name="旧款")
    lines = fill_cart(shopper, (off, 1), (ProductFactory(), 2))
    Product.objects.filter(pk=off.pk).update(status="off")
    with pytest.raises(OffSale, match="“旧款”已下架"):
        order_submit(
            actor=shopper, form=CheckoutForm(lines=tuple(SeenLine(line.pk) for line in lines))
        )
    assert_nothing_written(off)


def test_stock_sold_since_the_preview_refuses_the_order(shopper: Account) -> None:
    product = ProductFactory(stock=2)
    fill_cart(shopper, (product, 2))
    Product.objects.update(stock=1)
    with pytest.raises(StockShort, match="库存不足，仅剩 1 支"):
        order_submit(actor=shopper, form=CheckoutForm())
    assert_nothing_written(product)


def test_product_taken_off_sale_after_adding_to_the_cart_is_refused(shopper: Account) -> None:
    product = ProductFactory()
    fill_cart(shopper, (product, 2))
    Product.objects.update(status="off")
    with pytest.raises(OffSale):
        order_submit(actor=shopper, form=CheckoutForm())
    assert_nothing_written(product)


def test_line_removed_from_the_cart_is_refused_as_stale(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 1))[0]
    with pytest.raises(Stale, match="已不在购物车中"):
        order_submit(
            actor=shopper, form=CheckoutForm(lines=(SeenLine(item.pk), SeenLine(item.pk + 1000)))
        )


def test_an_amount_that_no_screen_could_show_is_refused(shopper: Account) -> None:
    with pytest.raises(ValidationFailed, match="超出单笔上限"):
        place_order(
            shopper, (ProductFactory(market_price=Decimal("99999999.99"), stock=999_999), 999_999)
        )


def test_an_empty_selection_is_refused(shopper: Account) -> None:
    with pytest.raises(ValidationFailed, match="请先在购物车中选择要购买的商品"):
        order_submit(actor=shopper, form=CheckoutForm())


def test_an_enterprise_without_credit_cannot_order_on_account(shopper: Account) -> None:
    Enterprise.objects.update(credit_limit=None)
    shopper = Account.objects.get(pk=shopper.pk)
    with pytest.raises(CreditExceeded, match="未开通月结"):
        place_order(shopper)


def test_a_special_invoice_needs_the_qualification(shopper: Account) -> None:
    with pytest.raises(ValidationFailed, match="专票资质尚未审核"):
        place_order(shopper, invoice_kind=InvoiceKind.E_SPECIAL)


@pytest.mark.parametrize("choice", ["address_id", "invoice_title_id"])
def test_foreign_address_or_title_is_refused_like_a_missing_one(
    shopper: Account, choice: str
) -> None:
    foreign = EnterpriseFactory(group=shopper.group)
    pk = (AddressFactory if choice == "address_id" else InvoiceTitleFactory)(enterprise=foreign).pk
    texts = []
    for value in (pk, 999_999):
        with pytest.raises(ValidationFailed) as refusal:
            place_order(shopper, **{choice: value})
        texts.append(refusal.value.text)
    assert texts[0] == texts[1]


def test_unknown_budget_is_not_found(shopper: Account) -> None:
    with pytest.raises(BudgetNotFound):
        place_order(shopper, budget_id=999_999)


def test_an_online_order_has_a_payment_to_make(shopper: Account) -> None:
    order = place_order(shopper, payment_kind=PaymentKind.ONLINE)
    payment = Payment.objects.get()
    assert (order.status, payment.amount, payment.status) == (
        "pending_confirm",
        Decimal("20.00"),
        "pending",
    )


def test_an_online_order_in_approval_has_none_yet(shopper: Account, approver: Account) -> None:
    make_rule(shopper, approver)
    place_order(shopper, payment_kind=PaymentKind.ONLINE)
    assert not Payment.objects.exists()


def test_the_event_and_the_message_are_written_with_the_order(placed_order: Order) -> None:
    event, message = Event.objects.get(), OutboxMessage.objects.get()
    assert (event.kind, event.from_state, event.to_state, event.actor) == (
        "submitted",
        "",
        "pending_confirm",
        placed_order.requester,
    )
    assert (message.topic, message.key) == ("order.submitted", placed_order.order_no)


def test_ten_lines_with_budget_and_approval_cost_27_queries(
    shopper: Account, approver: Account
) -> None:
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    fill_cart(shopper, *[(ProductFactory(), 1) for _ in range(10)])
    actor = Account.objects.select_related("group", "enterprise", "department").get(pk=shopper.pk)
    assert actor.purchasing == PurchasingRight.ORDER  # Read, as by the look-up of a bearer.
    with assert_queries(27):
        order_submit(actor=actor, form=CheckoutForm())
