"""Tests of bank receipts. A receipt is recorded once and matched to orders up to its amount;
undoing a match requires a reason.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.catalog.errors import ImportRefused
from apps.catalog.models import CatalogChange
from apps.catalog.services.imports import import_apply
from apps.catalog.tests.factories import ProductFactory
from apps.catalog.tests.sheets import Rows
from apps.common.audit import request_scope
from apps.common.books import list_differences
from apps.common.errors import ValidationFailed, WrongState
from apps.common.models import Event, OutboxMessage
from apps.common.testing import ApiClient
from apps.common.testing.faults import CHUNK_WRITTEN, at_statement
from apps.invoices.errors import ReceiptSpent
from apps.invoices.models import BankMatch, BankReceipt, Statement, StatementLine
from apps.invoices.selectors.bank_receipts import (
    allocate_amount,
    list_open_orders,
    list_suggestions,
    list_unmatched_receipts,
)
from apps.invoices.services.bank_receipts import (
    BankReceiptImporter,
    receipt_match,
    receipt_record,
    receipt_set_aside,
    receipt_unmatch,
)
from apps.invoices.services.statements import handle_bank_moved, statements_update
from apps.invoices.tests.factories import received_order
from apps.orders.models import Order
from apps.orders.services.payments import payment_refund
from apps.orders.tests.factories import place_order
from apps.org.models import Account, InvoiceTitle


def record_receipt(staff: Account, amount: str, **more: Any) -> BankReceipt:
    """Return a bank receipt of today."""
    fields = {
        "serial": f"B{BankReceipt.objects.count()}",
        "payer_name": "某某公司",
        "received_on": timezone.localdate(),
        **more,
    }
    return receipt_record(actor=staff, amount=Decimal(amount), **fields)


def order_of(shopper: Account, staff: Account, pieces: int = 3) -> Order:
    """Return a received order of `pieces` at 10.00 元."""
    return received_order(shopper, (ProductFactory(), pieces), staff=staff)


def get_settlement(order: Order) -> str:
    return str(Order.objects.values_list("settlement_status", flat=True).get(pk=order.pk))


def get_unmatched_amount(receipt: BankReceipt) -> Decimal:
    return BankReceipt.objects.get(pk=receipt.pk).left


def test_a_receipt_of_a_day_to_come_is_not_written_down(staff: Account) -> None:
    with pytest.raises(ValidationFailed, match="不能晚于今天"):
        record_receipt(staff, "10.00", received_on=timezone.localdate() + timedelta(days=1))
    assert not BankReceipt.objects.exists()


def test_a_slip_in_the_year_is_not_written_down(staff: Account) -> None:
    with pytest.raises(ValidationFailed, match="早于 5 年前"):
        record_receipt(staff, "10.00", received_on=date(206, 3, 2))
    assert not BankReceipt.objects.exists()


def test_match_of_a_future_dated_receipt_is_in_the_current_statement(
    shopper: Account, staff: Account
) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00")
    BankReceipt.objects.filter(pk=receipt.pk).update(
        received_on=timezone.localdate() + timedelta(days=400)
    )
    receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})

    assert shopper.enterprise is not None
    (statement,) = statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    assert (statement.paid, statement.closing) == (Decimal("30.00"), Decimal("0.00"))


def test_one_receipt_settles_several_orders_in_whole_and_in_part(
    shopper: Account, staff: Account
) -> None:
    first, second = order_of(shopper, staff), order_of(shopper, staff, 5)
    receipt = record_receipt(staff, "70.00")

    receipt_match(
        actor=staff,
        receipt_id=receipt.pk,
        parts={first.pk: Decimal("30.00"), second.pk: Decimal("20.00")},
    )

    assert (get_settlement(first), get_settlement(second), get_unmatched_amount(receipt)) == (
        "done",
        "partly",
        Decimal("20.00"),
    )
    assert list(list_differences()) == []


def test_several_receipts_settle_one_order(shopper: Account, staff: Account) -> None:
    order = order_of(shopper, staff)
    for amount in ("10.00", "20.00"):
        receipt_match(
            actor=staff,
            receipt_id=record_receipt(staff, amount).pk,
            parts={order.pk: Decimal(amount)},
        )
    assert get_settlement(order) == "done"
    assert not list_unmatched_receipts().exists()


def test_match_above_the_receipt_amount_is_refused_and_writes_nothing(
    shopper: Account, staff: Account
) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "29.99")
    with pytest.raises(ReceiptSpent, match=r"只剩 ¥29\.99 可匹配，本次合计 ¥30\.00"):
        receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})
    assert (get_settlement(order), BankMatch.objects.count(), get_unmatched_amount(receipt)) == (
        "none",
        0,
        Decimal("29.99"),
    )


def test_more_than_the_order_owes_is_refused(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "99.00")
    with pytest.raises(ValidationFailed, match=r"不超过未结金额 ¥30\.00"):
        receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.01")})
    assert get_unmatched_amount(receipt) == Decimal("99.00")


def test_the_database_itself_refuses_more_than_the_amount(staff: Account) -> None:
    receipt = record_receipt(staff, "1.00")
    with pytest.raises(IntegrityError), transaction.atomic():
        BankReceipt.objects.filter(pk=receipt.pk).update(matched_amount=Decimal("1.01"))


def test_match_without_an_amount_is_refused(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "1.00")
    with pytest.raises(ValidationFailed, match="至少一张订单"):
        receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("0.00")})


def test_undone_match_reopens_the_order_and_the_receipt(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00")
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})[0]

    receipt_unmatch(actor=staff, match_id=match.pk, reason="认错客户")

    assert (get_settlement(order), get_unmatched_amount(receipt)) == ("none", Decimal("30.00"))
    event = Event.objects.get(kind="payment_undone")
    assert (event.actor_id, event.note) == (staff.pk, "撤销收款 ¥30.00：认错客户")
    [texts] = ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["Payments"]
    assert (texts["StatusText"], texts["Amount"], texts["Refunded"]) == ("已撤销", "30.00", "0.00")
    assert list(list_differences()) == []


def test_undone_match_cannot_be_undone_again(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00")
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})[0]
    receipt_unmatch(actor=staff, match_id=match.pk, reason="认错客户")
    with pytest.raises(WrongState, match="该匹配已撤销"):
        receipt_unmatch(actor=staff, match_id=match.pk, reason="再次")


def test_refunded_match_cannot_be_undone(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00")
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})[0]
    payment_refund(order, actor=staff, amount=Decimal("10.00"), note="退货", reference="R1")
    with pytest.raises(WrongState, match=r"已退款 ¥10\.00"):
        receipt_unmatch(actor=staff, match_id=match.pk, reason="认错客户")


def test_undone_receipt_can_be_matched_to_another_order(shopper: Account, staff: Account) -> None:
    first, second, receipt = (
        order_of(shopper, staff),
        order_of(shopper, staff),
        record_receipt(staff, "30.00"),
    )
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={first.pk: Decimal("30.00")})[0]
    receipt_unmatch(actor=staff, match_id=match.pk, reason="认错订单")
    receipt_match(actor=staff, receipt_id=receipt.pk, parts={second.pk: Decimal("30.00")})
    assert (get_settlement(first), get_settlement(second)) == ("none", "done")


def test_the_statement_follows_at_once_and_shows_the_banks_number(
    shopper: Account, staff: Account
) -> None:
    assert shopper.enterprise is not None
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00", payer_name="云帆公司")
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})[0]

    message = OutboxMessage.objects.get(topic="bank.moved")
    handle_bank_moved(message.key, message.payload)

    line = StatementLine.objects.get(kind="payment")
    assert (line.reference, line.text) == (
        receipt.serial,
        f"银行到账 云帆公司（订单 {order.order_no}）",
    )
    assert Statement.objects.values_list("paid", "closing").get() == (
        Decimal("30.00"),
        Decimal("0.00"),
    )

    receipt_unmatch(actor=staff, match_id=match.pk, reason="认错客户")
    handle_bank_moved(message.key, message.payload)
    assert Statement.objects.values_list("paid", "closing").get() == (
        Decimal("0.00"),
        Decimal("30.00"),
    )


def test_matched_payment_is_dated_on_the_banks_day(shopper: Account, staff: Account) -> None:
    order, receipt = (
        order_of(shopper, staff),
        record_receipt(staff, "30.00", received_on=date(2026, 3, 31)),
    )
    match = receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})[0]
    assert timezone.localtime(match.payment.paid_at).date() == date(2026, 3, 31)


def test_interest_is_set_aside_and_waits_no_more(shopper: Account, staff: Account) -> None:
    order, receipt = order_of(shopper, staff), record_receipt(staff, "30.00")
    receipt_set_aside(actor=staff, receipt_id=receipt.pk, reason="利息")
    assert not list_unmatched_receipts().exists()
    entry = LogEntry.objects.get_for_object(receipt).latest("id")
    assert (entry.actor_id, entry.changes) == (staff.pk, {"无需匹配的原因": ["", "利息"]})
    with pytest.raises(ReceiptSpent):
        receipt_match(actor=staff, receipt_id=receipt.pk, parts={order.pk: Decimal("30.00")})


def test_recorded_receipt_is_logged_with_its_actor_and_values(staff: Account) -> None:
    with request_scope(actor=None, address="203.0.113.9"):
        receipt = record_receipt(staff, "1280.50", received_on=date(2026, 3, 2), remark="货款")

    entry = LogEntry.objects.get_for_object(receipt).get()
    assert (entry.actor_id, entry.action, entry.remote_addr) == (
        staff.pk,
        LogEntry.Action.CREATE,
        "203.0.113.9",
    )
    values = {
        "到账金额": ["", "¥1,280.50"],
        "到账日期": ["", "2026-03-02"],
        "付款方户名": ["", "某某公司"],
        "附言": ["", "货款"],
    }
    assert entry.changes == values


def test_the_same_serial_is_written_down_once(staff: Account) -> None:
    record_receipt(staff, "1.00", serial="S1")
    with pytest.raises(ValidationFailed, match="流水号 S1 已登记过"):
        record_receipt(staff, "1.00", serial="S1")
    assert LogEntry.objects.filter(content_type__model="bankreceipt").count() == 1


def list_suggested(receipt: BankReceipt) -> list[tuple[list[str], Decimal]]:
    return [(row.reasons, row.amount) for row in list_suggestions(receipt)]


def test_an_orders_number_in_the_remark_is_the_first_suggestion(
    shopper: Account, staff: Account
) -> None:
    order_of(shopper, staff, 9)
    order = order_of(shopper, staff)
    receipt = record_receipt(staff, "30.00", remark=f"货款{order.order_no}")
    assert list_suggested(receipt)[0] == ([f"附言中有订单号 {order.order_no}"], Decimal("30.00"))


def test_payer_named_as_an_invoice_title_is_suggested_for_the_oldest_orders(
    shopper: Account, staff: Account
) -> None:
    InvoiceTitle.objects.update(title="云帆开票专用")
    first, second = order_of(shopper, staff), order_of(shopper, staff, 5)
    suggestion = list_suggestions(record_receipt(staff, "45.00", payer_name="云帆开票专用"))[0]
    assert suggestion.parts == {first.pk: Decimal("30.00"), second.pk: Decimal("15.00")}
    assert suggestion.reasons == ["付款方户名与开票抬头一致", "先结最早的订单"]


def test_suggestion_for_a_known_payer_prefers_the_order_of_the_amount(
    shopper: Account, staff: Account
) -> None:
    assert shopper.enterprise is not None
    order_of(shopper, staff)
    second = order_of(shopper, staff, 5)
    suggestion = list_suggestions(
        record_receipt(staff, "50.00", payer_name=shopper.enterprise.name)
    )[0]
    assert suggestion.parts == {second.pk: Decimal("50.00")}


def test_suggestion_prefers_a_statement_of_the_amount(shopper: Account, staff: Account) -> None:
    assert shopper.enterprise is not None
    first, second = order_of(shopper, staff), order_of(shopper, staff, 5)
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    Statement.objects.update(status="pending")
    place_order(shopper, (ProductFactory(), 4))
    suggestion = list_suggestions(
        record_receipt(staff, "80.00", payer_name=shopper.enterprise.name)
    )[0]
    assert suggestion.statement == Statement.objects.get()
    assert suggestion.parts == {first.pk: Decimal("30.00"), second.pk: Decimal("50.00")}


def test_a_payers_account_is_remembered(shopper: Account, staff: Account) -> None:
    first = order_of(shopper, staff)
    receipt = record_receipt(staff, "10.00", payer_account="6222")
    receipt_match(actor=staff, receipt_id=receipt.pk, parts={first.pk: Decimal("10.00")})
    assert (
        list_suggested(record_receipt(staff, "5.00", payer_account="6222", payer_name="代付人"))[0][
            0
        ][0]
        == "该账号曾为其付款"
    )


def test_suggestion_for_an_unknown_payer_requires_an_equal_amount(
    shopper: Account, staff: Account
) -> None:
    order_of(shopper, staff)
    assert list_suggested(record_receipt(staff, "30.00")) == [
        (["只有金额一致，请核对付款方"], Decimal("30.00"))
    ]
    assert list_suggested(record_receipt(staff, "31.00")) == []


def test_online_orders_are_not_paid_by_the_bank(shopper: Account) -> None:
    place_order(shopper, payment_kind="online")
    assert shopper.enterprise_id is not None
    assert list_open_orders(enterprise_id=shopper.enterprise_id) == []


def test_parts_never_exceed_the_amount(shopper: Account, staff: Account) -> None:
    for _ in range(3):
        order_of(shopper, staff)
    assert shopper.enterprise_id is not None
    parts = allocate_amount(
        list_open_orders(enterprise_id=shopper.enterprise_id), amount=Decimal("40.00")
    )
    assert sorted(parts.values()) == [Decimal("10.00"), Decimal("30.00")]


def test_failed_receipt_import_records_no_catalogue_change(staff: Account, platform: None) -> None:
    header = ("流水号", "到账日期", "付款方户名", "到账金额")
    rows = [(f"S{number}", "2026-03-02", "云帆公司", "10.00") for number in range(110)]

    def collide() -> None:
        record_receipt(staff, "20.00", serial="S105")

    with pytest.raises(ImportRefused), at_statement(CHUNK_WRITTEN, 1, collide):
        import_apply(
            actor=staff,
            kind="bank_receipt",
            source=Rows(header, *rows),
            importer=BankReceiptImporter,
        )

    assert list(BankReceipt.objects.values_list("serial", flat=True)) == ["S105"]
    assert not CatalogChange.objects.exists()
