"""Tests of receipts: the receiver, the quantities and amounts that they record, and the claims
that they open.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, ValidationFailed
from apps.common.hooks import Hook
from apps.common.testing import ApiClient
from apps.orders.claims import Claim, OpenedReturn
from apps.orders.models import Order, Receipt, ReceiptLine, Shipment
from apps.orders.services import receipts
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive, shipments_receive_overdue
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def odd_order(shopper: Account, staff: Account) -> Order:
    """A shipped order of three pieces at 0.35 元 with 13 % tax: 1.05 元 in total, including 0.12
    元 tax.
    """
    order = place_order(shopper, (ProductFactory(market_price=Decimal("0.35")), 3))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    return order


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Claim]:
    """Register a claims handler. The returned list collects the claims that the handler
    receives.
    """
    hook: Hook = Hook()
    monkeypatch.setattr(receipts, "CLAIM_HANDLER", hook)
    given: list[Claim] = []

    def take(*, order: Order, actor: Account, claims: Sequence[Claim]) -> Sequence[OpenedReturn]:
        given.extend(claims)
        return [OpenedReturn("TH1", "少件")]

    hook.add(take)
    return given


def list_parts() -> list[tuple[int, Decimal, Decimal]]:
    return list(
        ReceiptLine.objects.order_by("pk").values_list("quantity", "amount_incl_tax", "tax_amount")
    )


def test_the_parts_of_a_line_sum_to_its_tax_to_the_cent(odd_order: Order, buyer: Account) -> None:
    line = odd_order.lines.get()
    for _ in range(3):
        order_receive(actor=buyer, order_no=odd_order.order_no, quantities={line.pk: 1})
    assert list_parts() == [(1, Decimal("0.35"), Decimal("0.04"))] * 3
    assert line.tax_amount == Decimal("0.12")


def test_the_last_part_takes_the_cent_that_rounding_left(shopper: Account, staff: Account) -> None:
    order = place_order(shopper, (ProductFactory(market_price=Decimal("0.39")), 2))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    line = order.lines.get()
    for _ in range(2):
        order_receive(actor=shopper, order_no=order.order_no, quantities={line.pk: 1})
    assert [tax for _, _, tax in list_parts()] == [Decimal("0.04"), Decimal("0.05")]
    assert line.tax_amount == Decimal("0.09")


def test_receipt_records_the_receiver_and_the_received_lines(
    shipped_order: Order, buyer: Account
) -> None:
    order_receive(actor=buyer, order_no=shipped_order.order_no)
    receipt = Receipt.objects.get()
    assert (receipt.order_id, receipt.received_by_id) == (shipped_order.pk, buyer.pk)
    assert list_parts() == [(2, Decimal("20.00"), Decimal("2.30"))]


def test_automatic_receipt_has_no_receiver(shipped_order: Order) -> None:
    Shipment.objects.update(shipped_at=timezone.now() - timedelta(days=8))
    shipments_receive_overdue()
    assert (Receipt.objects.get().received_by, len(list_parts())) == (None, 1)


def test_shipment_shows_its_automatic_receipt_time_until_it_is_received(
    shipped_order: Order, buyer: Account
) -> None:
    Shipment.objects.update(shipped_at=datetime(2026, 11, 18, 8, 0, tzinfo=UTC))
    path = f"/api/Order/{shipped_order.order_no}"
    row = ApiClient(buyer).get(path).body["Shipments"][0]
    assert (row["ReceivedAt"], row["AutoReceiveAt"]) == (None, "2026-11-25T16:00:00+08:00")

    order_receive(actor=buyer, order_no=shipped_order.order_no)
    assert ApiClient(buyer).get(path).body["Shipments"][0]["AutoReceiveAt"] is None


def test_a_refused_receipt_writes_none(shipped_order: Order, buyer: Account) -> None:
    with pytest.raises(QuantityExceeded):
        order_receive(
            actor=buyer,
            order_no=shipped_order.order_no,
            quantities={shipped_order.lines.get().pk: 3},
        )
    assert Receipt.objects.count() == 0


def test_claimed_quantity_counts_as_received_and_reaches_the_claim_handler(
    shipped_order: Order, buyer: Account, taken: list[Claim]
) -> None:
    claim = Claim(shipped_order.lines.get().pk, 1, "short", "箱里只有一个")
    order = order_receive(actor=buyer, order_no=shipped_order.order_no, claims=[claim]).order
    assert (order.status, order.lines.get().received_quantity, taken) == ("completed", 2, [claim])


def test_claims_above_the_received_quantity_are_refused(
    shipped_order: Order, buyer: Account, taken: list[Claim]
) -> None:
    line = shipped_order.lines.get()
    with pytest.raises(QuantityExceeded, match="本次签收 1，少件和破损合计不能多于它"):
        order_receive(
            actor=buyer,
            order_no=shipped_order.order_no,
            quantities={line.pk: 1},
            claims=[Claim(line.pk, 1, "short"), Claim(line.pk, 1, "damaged")],
        )
    assert (Receipt.objects.count(), taken) == (0, [])


def test_claim_without_a_handler_result_is_refused(
    shipped_order: Order, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook: Hook = Hook()
    monkeypatch.setattr(receipts, "CLAIM_HANDLER", hook)
    with pytest.raises(ValidationFailed, match="请联系客服"):
        order_receive(
            actor=buyer,
            order_no=shipped_order.order_no,
            claims=[Claim(shipped_order.lines.get().pk, 1, "short")],
        )


def test_a_parcel_that_was_received_is_not_received_again(
    confirmed_order: Order, buyer: Account, staff: Account
) -> None:
    line = confirmed_order.lines.get()
    parcels = [
        order_ship(
            actor=staff,
            order_id=confirmed_order.pk,
            carrier="示例快递",
            tracking_no=number,
            quantities={line.pk: 1},
        ).shipment_no
        for number in ("SF1", "SF2")
    ]
    order_receive(actor=buyer, order_no=confirmed_order.order_no, shipment_no=parcels[0])

    with pytest.raises(ValidationFailed, match="没有待收货的商品"):
        order_receive(actor=buyer, order_no=confirmed_order.order_no, shipment_no=parcels[0])
    assert Receipt.objects.count() == 1
