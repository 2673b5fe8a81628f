"""Tests of parcel tracking. Each carrier event is stored once and returned with its shipment."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from apps.common.testing import ApiClient
from apps.orders.models import Order, Shipment, TrackingEvent
from apps.orders.services.shipments import handle_order_shipped, shipments_track
from apps.org.models import Account


def send_tracking(hours: float) -> None:
    Shipment.objects.update(shipped_at=timezone.now() - timedelta(hours=hours))


@pytest.mark.parametrize(
    ("hours", "kinds"),
    [
        (0, ["picked_up"]),
        (10, ["picked_up", "in_transit", "in_transit"]),
        (40, ["picked_up", *["in_transit"] * 3, "delivering", "delivered"]),
    ],
)
def test_the_demo_carrier_advances_by_the_clock(
    shipped_order: Order, hours: float, kinds: list[str]
) -> None:
    send_tracking(hours)
    shipments_track()
    assert list(TrackingEvent.objects.values_list("kind", flat=True)) == kinds


def test_repeated_tracking_events_are_stored_once(shipped_order: Order) -> None:
    send_tracking(10)
    assert [shipments_track(), shipments_track()] == [1, 1]
    assert TrackingEvent.objects.count() == 3


def test_received_shipment_is_not_tracked(shipped_order: Order) -> None:
    Shipment.objects.update(received_at=timezone.now())
    assert (shipments_track(), TrackingEvent.objects.count()) == (0, 0)


@override_settings(DEMO_MODE=False)
def test_shipment_without_a_tracking_provider_gets_no_events(shipped_order: Order) -> None:
    assert (shipments_track(), TrackingEvent.objects.count()) == (0, 0)


def test_a_new_shipment_is_tracked_at_once_and_shown_with_its_order(
    shipped_order: Order, buyer: Account
) -> None:
    handle_order_shipped(shipped_order.order_no, {"order_id": shipped_order.pk})
    rows = (
        ApiClient(buyer)
        .get(f"/api/Order/{shipped_order.order_no}")
        .body["Shipments"][0]["Tracking"]
    )
    assert [(row["Kind"], row["KindText"], row["Text"]) for row in rows] == [
        ("picked_up", "已揽收", "快件已揽收")
    ]
