"""Each act under dual control waits for a second person, is done as it was proposed, and is not
done after a fact has changed. No page of the back office calls the services directly.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pytest
from auditlog.context import set_extra_data
from auditlog.models import LogEntry
from django.utils import timezone

from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.order_edit import OrderEditForm, compute_order_digest
from apps.aftersales.services.controlled_acts import (
    EDIT_ORDER,
    REFUND_RETURN,
    build_order_edit_parameters,
)
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.tests import stories
from apps.catalog.models import Product
from apps.catalog.services.imports import SheetFile
from apps.catalog.services.imports.run import import_hold
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory, ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.errors import DomainError
from apps.common.models import ImportRun
from apps.common.tenancy import platform_scope
from apps.dual_control.controlled import Parameters, get_act, list_acts
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import act_submit, proposal_release
from apps.inquiries.services.controlled_acts import QUOTE, QUOTE_LOW, quote_parameters
from apps.inquiries.services.inquiry_quote import QuotedLine
from apps.inquiries.tests.inquiry_stories import create_inquiry
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.services.bank_receipts import receipt_record, receipt_set_aside
from apps.invoices.services.controlled_acts import (
    MATCH_OWN_RECEIPT,
    MATCH_RECEIPT,
    build_match_parameters,
    match_submit,
)
from apps.orders.models import Order, Payment
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.controlled_acts import (
    RECORD_PAYMENT,
    SET_CREDIT,
    build_payment_parameters,
)
from apps.orders.services.payments import payment_record
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceListItem
from apps.pricing.selectors.price_changes import PriceRow
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.controlled_acts import (
    CHANGE_PRICES,
    DELETE_PRICES,
    IMPORT_PRICES,
    SET_MARKET_PRICE,
    SET_PRICES,
    build_market_price_parameters,
    build_price_change_parameters,
    build_price_rows_parameters,
    build_price_sheet_parameters,
)
from apps.pricing.services.prices import price_item_save

# The services that a page reaches through `act_submit` only.
SERVICES = {
    "credit_set",
    "order_edit",
    "payment_record",
    "return_refund",
    "receipt_match",
    "price_batch_apply",
    "price_item_save",
    "price_rows_save",
    "price_rows_delete",
    "market_price_set",
    "inquiry_quote",
}


def get_payment(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Record 20.00 元 of an order; meanwhile 1.00 元 is paid."""
    order = place_order(shopper, payment_kind="transfer")
    parameters = build_payment_parameters(order_id=order.pk, amount=Decimal(20), reference="V1")
    return (
        parameters,
        Decimal(20),
        lambda: payment_record(actor=staff, order_id=order.pk, amount=Decimal(1)),
    )


def get_refund(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Refund two pieces at 10.00 元; meanwhile the refund is done."""
    order = stories.received_order(shopper, staff)
    returned = stories.create_story(shopper, staff, order, 2).to("processing")
    return (
        {"return_id": returned.pk},
        Decimal(20),
        lambda: return_refund(actor=staff, return_id=returned.pk),
    )


def match(shopper: Account, staff: Account) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Match 20.00 of 50.00 元; meanwhile 1.00 元 of the order is paid."""
    order = place_order(shopper)
    receipt = receipt_record(
        actor=staff,
        serial="B1",
        received_on=timezone.localdate(),
        payer_name="某某公司",
        amount=Decimal(50),
    )
    parameters = build_match_parameters(
        receipt_id=receipt.pk, parts={order.pk: Decimal(20)}, statement_id=None
    )
    return (
        parameters,
        Decimal(20),
        lambda: payment_record(actor=staff, order_id=order.pk, amount=Decimal(1)),
    )


def get_prices(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Raise 8.00 and 4.00 元 by 5 %, together 0.60 元; meanwhile one of them changes."""
    price_list = PriceListFactory(code="PL")
    for price in ("8.00", "4.00"):
        PriceListItemFactory(price_list=price_list, product=ProductFactory(), price=Decimal(price))
    choice, rule = PriceChoice(price_list), PriceRule(PriceRuleKind.PERCENT, Decimal(5))
    parameters = build_price_change_parameters(
        choice=choice,
        rule=rule,
        digest=get_price_plan(choice=choice, rule=rule).digest,
        skips_refused=False,
    )
    rows = PriceListItem.objects.filter(price=Decimal(8))
    return parameters, Decimal("0.60"), lambda: rows.update(price=Decimal(7))


def type_receipt(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Type 7.00 instead of 8.00 元, after changes of 0.50 元 today; meanwhile it is 7.50 元."""
    item = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"), product=ProductFactory(), price=Decimal(8)
    )
    row = replace(PriceRow.from_item(item), price=Decimal(7))
    parameters = build_price_rows_parameters(rows=[row], earlier=Decimal("0.50"))
    rows = PriceListItem.objects.filter(pk=item.pk)
    return parameters, Decimal("1.50"), lambda: rows.update(price=Decimal("7.50"))


def delete_receipt(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Delete a price of 8.00 元 below the market price of 10.00 元; meanwhile it is 7.50 元."""
    item = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"), product=ProductFactory(), price=Decimal(8)
    )
    row = replace(PriceRow.from_item(item), price=None)
    parameters = build_price_rows_parameters(rows=[row], earlier=Decimal(0))
    rows = PriceListItem.objects.filter(pk=item.pk)
    return parameters, Decimal(2), lambda: rows.update(price=Decimal("7.50"))


def get_market(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Set the market price to 12.00 instead of 10.00 元; meanwhile it is 11.00 元."""
    product = ProductFactory(market_price=Decimal(10))
    parameters = build_market_price_parameters(
        product_id=product.pk, price=Decimal(12), earlier=Decimal(0)
    )
    rows = Product.objects.filter(pk=product.pk)
    return parameters, Decimal(2), lambda: rows.update(market_price=Decimal(11))


def build_sheet(
    shopper: Account, staff: Account
) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """A sheet with 7.00 instead of 8.00 元 and a new price of 9.00 instead of the market price of
    10.00 元; meanwhile the first price changes.
    """
    item = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"), product=ProductFactory(), price=Decimal(8)
    )
    rows = f"PL,{item.product.code},7.00\nPL,{ProductFactory().code},9.00"
    source = SheetFile(lambda: BytesIO(f"编码,商品编码,协议价\n{rows}".encode()))
    with platform_scope(reason="test"):
        run = import_hold(actor=staff, kind="price_items", source=source, upload="a.csv")
    assert isinstance(run, ImportRun)

    def change() -> None:
        item.price = Decimal("7.50")
        price_item_save(actor=staff, item=item)

    return build_price_sheet_parameters(run_id=run.pk, earlier=Decimal(0)), Decimal(2), change


def quote(shopper: Account, staff: Account) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Quote ten pieces at 7.50 元; meanwhile the product's market price changes to 5.00 元."""
    product = ProductFactory(code="700001", market_price=Decimal(10))
    inquiry = create_inquiry(shopper)
    parameters = quote_parameters(
        inquiry_id=inquiry.pk,
        lines={inquiry.lines.get().pk: QuotedLine("700001", Decimal("7.50"))},
        valid_to=timezone.localdate() + timedelta(days=30),
        note="",
    )

    def change() -> None:
        product.market_price = Decimal(5)
        product.save()

    # The value of the goods: a low price is no way around the limit.
    return parameters, Decimal(100), change


def get_edit(shopper: Account, staff: Account) -> tuple[Parameters, Decimal, Callable[[], object]]:
    """Lower two pieces at 10.00 元 to one; meanwhile the order is confirmed."""
    order = place_order(shopper)
    form = OrderEditForm({order.lines.get().pk: 1}, None, "客户来电", compute_order_digest(order))
    parameters = build_order_edit_parameters(order_id=order.pk, form=form)
    return parameters, Decimal(10), lambda: order_confirm(actor=staff, order_id=order.pk)


ACTS = {
    EDIT_ORDER: (get_edit, lambda: Order.objects.get().total_amount == Decimal(10)),
    RECORD_PAYMENT: (get_payment, lambda: Payment.objects.get().amount == Decimal(20)),
    REFUND_RETURN: (
        get_refund,
        lambda: ReturnOrder.objects.get().refund_amount == Decimal(20),
    ),
    MATCH_RECEIPT: (match, lambda: BankMatch.objects.get().amount == Decimal(20)),
    MATCH_OWN_RECEIPT: (match, lambda: BankMatch.objects.get().amount == Decimal(20)),
    CHANGE_PRICES: (
        get_prices,
        lambda: (
            sorted(map(str, PriceListItem.objects.values_list("price", flat=True)))
            == ["4.20", "8.40"]
        ),
    ),
    SET_PRICES: (type_receipt, lambda: PriceListItem.objects.get().price == Decimal(7)),
    IMPORT_PRICES: (
        build_sheet,
        lambda: (
            outbox_deliver()
            and set(PriceListItem.objects.values_list("price", flat=True))
            == {Decimal(7), Decimal(9)}
        ),
    ),
    DELETE_PRICES: (delete_receipt, lambda: not PriceListItem.objects.exists()),
    SET_MARKET_PRICE: (get_market, lambda: Product.objects.get().market_price == Decimal(12)),
    QUOTE: (quote, lambda: PriceListItem.objects.get().price == Decimal("7.50")),
    QUOTE_LOW: (quote, lambda: PriceListItem.objects.get().price == Decimal("7.50")),
}
JOBS = {
    EDIT_ORDER: "客服",
    **dict.fromkeys(
        (
            CHANGE_PRICES,
            SET_PRICES,
            DELETE_PRICES,
            SET_MARKET_PRICE,
            IMPORT_PRICES,
            QUOTE,
            QUOTE_LOW,
        ),
        "商品",
    ),
}


@pytest.mark.parametrize("kind", ACTS)
def test_the_act_is_done_by_two_people(shopper: Account, staff: Account, kind: str) -> None:
    story, is_done = ACTS[kind]
    job = JOBS.get(kind, "财务")
    parameters, amount, _change = story(shopper, staff)
    with platform_scope(reason="test"):
        defaults = {"alone": amount / 2, "release": None}
        ActLimit.objects.update_or_create(kind=kind, job=job, defaults=defaults)
        first, second = create_staff(job), create_staff(job)
        proposal = act_submit(actor=first, kind=kind, parameters=parameters).proposal
        assert proposal is not None
        assert proposal.amount == amount
        # As `AuditlogMiddleware` does: the request's user is the second person.
        with set_extra_data({"actor": second}):
            proposal_release(actor=second, proposal_id=proposal.pk)
        of_second = LogEntry.objects.filter(actor=second)
        assert {entry.content_type.model for entry in of_second} == {"proposal"}
        for entry in LogEntry.objects.filter(actor=first).exclude(content_type__model="proposal"):
            assert entry.changes["released_by"] == ["", str(second)]
        assert is_done()


@pytest.mark.parametrize("kind", ACTS)
def test_a_changed_fact_stops_the_release(shopper: Account, staff: Account, kind: str) -> None:
    story, _is_done = ACTS[kind]
    job = JOBS.get(kind, "财务")
    parameters, amount, change = story(shopper, staff)
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(kind=kind, job=job, defaults={"alone": amount / 2})
        proposal = act_submit(actor=create_staff(job), kind=kind, parameters=parameters).proposal
        assert proposal is not None
    change()
    with platform_scope(reason="test"):
        with pytest.raises(DomainError):
            proposal_release(actor=staff, proposal_id=proposal.pk)
        assert Proposal.objects.get().state == "proposed"


def submit_in_parts(kind: str, parts: list[Parameters], alone: Decimal) -> list[Decimal | None]:
    """Let one person of 财务 do each part, with `alone` as the limit, and a second person release
    the ones that wait. Return the amount of each proposal, None for a part that was done alone.
    """
    amounts: list[Decimal | None] = []
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(
            kind=kind, job="财务", defaults={"alone": alone, "release": None}
        )
        first, second = create_staff("财务"), create_staff("财务")
        for parameters in parts:
            proposal = act_submit(actor=first, kind=kind, parameters=parameters).proposal
            amounts.append(proposal and proposal.amount)
            if proposal is not None:
                proposal_release(actor=second, proposal_id=proposal.pk)
    return amounts


def test_payments_of_one_order_count_together_until_they_are_released(shopper: Account) -> None:
    order = place_order(shopper, payment_kind="transfer")
    parts = [
        build_payment_parameters(order_id=order.pk, amount=Decimal(amount)) for amount in (6, 5, 4)
    ]

    assert submit_in_parts(RECORD_PAYMENT, parts, Decimal(10)) == [None, Decimal(11), None]


def test_matches_of_one_receipt_count_together_until_they_are_released(
    shopper: Account, staff: Account
) -> None:
    order = place_order(shopper)
    receipt = receipt_record(
        actor=staff,
        serial="B1",
        received_on=timezone.localdate(),
        payer_name="某某公司",
        amount=Decimal(50),
    )
    parts = [
        build_match_parameters(
            receipt_id=receipt.pk, parts={order.pk: Decimal(amount)}, statement_id=None
        )
        for amount in (6, 5, 4)
    ]

    assert submit_in_parts(MATCH_RECEIPT, parts, Decimal(10)) == [None, Decimal(11), None]


def record_receipt(actor: Account, serial: str, amount: int) -> BankReceipt:
    return receipt_record(
        actor=actor,
        serial=serial,
        received_on=timezone.localdate(),
        payer_name="某某公司",
        amount=Decimal(amount),
    )


def match_order(actor: Account, receipt: BankReceipt, order: Order, amount: int) -> Decimal | None:
    """Match and return the amount of the proposal, None if the actor may do it alone."""
    parameters = build_match_parameters(
        receipt_id=receipt.pk, parts={order.pk: Decimal(amount)}, statement_id=None
    )
    proposal = match_submit(actor=actor, parameters=parameters).proposal
    return proposal.amount if proposal is not None else None


def test_staff_cannot_match_their_own_receipt_above_the_payment_limit(
    shopper: Account,
) -> None:
    ProductFactory(code="900001", market_price=Decimal(60_000), stock=9)
    order = place_order(shopper, (Product.objects.get(code="900001"), 1))
    with platform_scope(reason="test"):
        first, second = create_staff("财务"), create_staff("财务")
        receipt = record_receipt(first, "B1", 60_000)
        receipt_set_aside(actor=second, receipt_id=receipt.pk, reason="利息")
        receipt_set_aside(actor=second, receipt_id=receipt.pk, reason="")

        assert match_order(first, receipt, order, 50_001) == Decimal(50_001)
        assert match_order(second, receipt, order, 50_001) is None


def test_typed_receipts_of_one_order_count_together_until_they_are_released(
    shopper: Account,
) -> None:
    ProductFactory(code="900001", market_price=Decimal(90_000), stock=9)
    order = place_order(shopper, (Product.objects.get(code="900001"), 1))
    with platform_scope(reason="test"):
        first, second = create_staff("财务"), create_staff("财务")
        receipts = [record_receipt(first, f"B{number}", 30_000) for number in range(3)]

        assert match_order(first, receipts[0], order, 30_000) is None
        assert match_order(first, receipts[1], order, 30_000) == Decimal(60_000)
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        assert match_order(first, receipts[2], order, 20_000) is None


def quote_piece(shopper: Account, actor: Account, price: str) -> Proposal | None:
    """Quote one piece of product 700001 and return the proposal, None without one."""
    inquiry = create_inquiry(shopper, quantity=1)
    lines = {inquiry.lines.get().pk: QuotedLine("700001", Decimal(price))}
    until = timezone.localdate() + timedelta(days=30)
    parameters = quote_parameters(inquiry_id=inquiry.pk, lines=lines, valid_to=until, note="")
    with platform_scope(reason="test"):
        return act_submit(actor=actor, kind=QUOTE, parameters=parameters).proposal


@pytest.mark.parametrize("job", ["客服", "商品"])
@pytest.mark.parametrize(("price", "kind"), [("7.00", None), ("6.99", QUOTE_LOW)])
def test_a_price_far_below_the_present_one_needs_two_people_for_one_piece_too(
    shopper: Account, job: str, price: str, kind: str | None
) -> None:
    ProductFactory(code="700001", market_price=Decimal(10))

    proposal = quote_piece(shopper, create_staff(job), price)

    assert (proposal and proposal.kind) == kind


def type_low_price() -> tuple[str, Parameters]:
    """Type 6.99 instead of 10.00 元, the market price."""
    item = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"),
        product=ProductFactory(market_price=Decimal(10)),
        price=Decimal(10),
    )
    row = replace(PriceRow.from_item(item), price=Decimal("6.99"))
    return SET_PRICES, build_price_rows_parameters(rows=[row], earlier=Decimal(0))


def get_low_tier() -> tuple[str, Parameters]:
    """Add a tier of 0.01 元 from 100 pieces on."""
    item = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"), product=ProductFactory(), price=Decimal(8)
    )
    row = replace(PriceRow.from_item(item), tier1_quantity=100, tier1_price=Decimal("0.01"))
    return SET_PRICES, build_price_rows_parameters(rows=[row], earlier=Decimal(0))


def get_low_market() -> tuple[str, Parameters]:
    """Set the market price to 6.99 instead of 10.00 元."""
    product = ProductFactory(market_price=Decimal(10))
    return SET_MARKET_PRICE, build_market_price_parameters(
        product_id=product.pk, price=Decimal("6.99"), earlier=Decimal(0)
    )


def get_low_batch() -> tuple[str, Parameters]:
    """Lower a price list with one price of 8.00 元 by 31 %."""
    price_list = PriceListFactory(code="PL")
    PriceListItemFactory(price_list=price_list, product=ProductFactory(), price=Decimal(8))
    choice, rule = PriceChoice(price_list), PriceRule(PriceRuleKind.PERCENT, Decimal(-31))
    digest = get_price_plan(choice=choice, rule=rule).digest
    return CHANGE_PRICES, build_price_change_parameters(
        choice=choice, rule=rule, digest=digest, skips_refused=False
    )


def get_low_sheet() -> tuple[str, Parameters]:
    """A sheet with a new price of 4.99 元, below half of the market price."""
    PriceListFactory(code="PL")
    product = ProductFactory(market_price=Decimal(10))
    source = SheetFile(lambda: BytesIO(f"编码,商品编码,协议价\nPL,{product.code},4.99".encode()))
    with platform_scope(reason="test"):
        run = import_hold(
            actor=create_staff("商品"), kind="price_items", source=source, upload="a.csv"
        )
    assert isinstance(run, ImportRun)
    return IMPORT_PRICES, build_price_sheet_parameters(run_id=run.pk, earlier=Decimal(0))


@pytest.mark.parametrize(
    "story", [type_low_price, get_low_tier, get_low_market, get_low_batch, get_low_sheet]
)
def test_low_price_requires_two_people_at_any_amount(
    db: None, story: Callable[[], tuple[str, Parameters]]
) -> None:
    kind, parameters = story()
    with platform_scope(reason="test"):
        outcome = act_submit(actor=create_staff("商品"), kind=kind, parameters=parameters)
        assert outcome.proposal is not None
        assert outcome.proposal.amount is None
        assert outcome.proposal_text.startswith(
            "有价格低于现价七成或市场价五成，须两人完成：已提交复核、尚未生效"
        )
        proposal_release(actor=create_staff("商品"), proposal_id=outcome.proposal.pk)


def test_quotes_step_by_step_stop_at_half_of_the_market_price(shopper: Account) -> None:
    ProductFactory(code="700001", market_price=Decimal(10))
    person = create_staff("商品")

    proposals = [quote_piece(shopper, person, price) for price in ("7.00", "5.00", "4.99")]

    assert [bool(proposal) for proposal in proposals] == [False, False, True]


def test_refunds_of_one_order_count_together_until_they_are_released(
    shopper: Account, staff: Account
) -> None:
    order = stories.received_order(shopper, staff)
    parts = [
        {"return_id": stories.create_story(shopper, staff, order, 1).to("processing").pk}
        for _ in range(3)
    ]

    assert submit_in_parts(REFUND_RETURN, parts, Decimal(15)) == [None, Decimal(20), None]


def test_a_refund_that_waits_for_its_red_invoice_counts_with_the_next_one(
    shopper: Account, staff: Account
) -> None:
    order = stories.received_order(shopper, staff)
    waiting, refunded = (
        stories.create_story(shopper, staff, order, 1).to("processing") for _ in range(2)
    )
    waiting.lines.update(accepted_quantity=1)
    type(waiting).objects.filter(pk=waiting.pk).update(waits_red=True)

    preview = get_act(REFUND_RETURN).preview({"return_id": refunded.pk})

    assert (preview.amount, preview.earlier) == (Decimal(20), Decimal(10))


def test_every_act_is_walked_here() -> None:
    assert {act.kind for act in list_acts()} == {*ACTS, SET_CREDIT}


def test_no_page_calls_the_services_directly() -> None:
    rows = [
        f"{path}: {name.name}"
        for path in Path("apps").rglob("*.py")
        if "admin" in path.with_suffix("").parts and "tests" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.name in SERVICES
    ]
    assert rows == []
