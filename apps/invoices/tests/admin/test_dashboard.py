"""Tests of the back office's start page: the counts of pending work on invoices and bank
receipts.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope
from apps.invoices.models import BankReceipt
from apps.invoices.tests.factories import apply_for_all, received_order
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office


def get_context(office: Client) -> Any:
    with no_scope():
        return office.get("/admin/").context


def test_each_invoice_card_links_to_the_rows_of_its_count(shopper: Account, staff: Account) -> None:
    apply_for_all(shopper, received_order(shopper, (ProductFactory(), 3), staff=staff))
    waiting: Order = order_confirm(
        actor=staff, order_id=place_order(shopper, (ProductFactory(), 4)).pk
    )
    line = OrderLine.objects.get(order=waiting)
    cancel_apply(actor=shopper, form=CancelForm(waiting.order_no, "unwanted", "", {line.pk: 1}))
    for serial in ("S1", "S2"):
        BankReceipt.objects.create(
            serial=serial,
            received_on=timezone.localdate(),
            payer_name="某某",
            amount=Decimal("7.00"),
        )
    office = open_office(staff)

    cards = {card["title"]: card for card in get_context(office)["work_cards"]}

    wanted = {"待审核开票": 1, "开票失败": 0, "待确认红冲": 0, "待匹配到账": 2, "待处理取消": 1}
    assert {title: cards[title]["number"] for title in wanted} == wanted
    with no_scope():
        listed = {
            title: office.get(cards[title]["link"]).context["cl"].result_count for title in wanted
        }
    assert listed == wanted


def test_unmatched_receipt_is_late_after_days(staff: Account) -> None:
    BankReceipt.objects.create(
        serial="S1", received_on="2026-03-02", payer_name="某某", amount=Decimal("7.00")
    )
    context = get_context(open_office(staff))
    [card] = [card for card in context["work_cards"] if card["title"] == "待匹配到账"]
    [todo] = [todo for todo in context["todo_lists"] if todo["title"] == "待匹配的银行到账"]
    assert card["is_late"]
    assert [(row.number, row.amount) for row in todo["rows"]] == [("S1", "¥7.00")]


@pytest.mark.parametrize("title", ["待审核开票", "待匹配到账", "待处理取消"])
def test_catalogue_staff_see_no_invoice_cards(db: None, title: str) -> None:
    assert title not in [
        card["title"] for card in get_context(open_office(create_staff("商品")))["work_cards"]
    ]
