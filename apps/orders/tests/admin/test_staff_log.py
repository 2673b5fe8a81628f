"""Tests of the back office's log. Each staff action on an order records the actor, the action,
the values before and after, and the IP address.
"""

from __future__ import annotations

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.urls import reverse

from apps.common.errors import ValidationFailed
from apps.common.tenancy import no_scope
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel_by_staff
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.notes import order_note
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD


@pytest.fixture
def office(staff: Account) -> Client:
    client = Client(REMOTE_ADDR="203.0.113.9")
    client.post(reverse("admin:login"), {"username": staff.username, "password": PASSWORD})
    return client


def test_confirmed_order_is_logged_with_its_state_change_and_address(
    office: Client, placed_order: Order, staff: Account
) -> None:
    with no_scope():
        office.post(f"/admin/orders/order/{placed_order.pk}/confirm/", {"act": "1"})
        entry = LogEntry.objects.get_for_object(placed_order).get()
        listed = office.get(
            reverse("admin:auditlog_logentry_changelist"),
            {"q": placed_order.order_no, "kind": "orders.order"},
        ).content.decode()
        page = office.get(
            reverse("admin:auditlog_logentry_change", args=[entry.pk])
        ).content.decode()
    assert (entry.actor_id, entry.remote_addr) == (staff.pk, "203.0.113.9")
    assert "确认订单" in listed
    assert placed_order.order_no in listed
    assert "<td>状态</td><td>待确认</td><td>待发货</td>" in page


def test_a_reason_is_in_the_log(placed_order: Order, staff: Account) -> None:
    order_cancel_by_staff(actor=staff, order_id=placed_order.pk, reason="客户来电取消")
    entry = LogEntry.objects.get_for_object(placed_order).latest("id")
    assert entry.changes_dict["note"] == ["", "客户来电取消"]


def test_staff_note_is_in_the_operations_log(
    office: Client, placed_order: Order, staff: Account
) -> None:
    order_note(actor=staff, order_id=placed_order.pk, text="客户要求周五前到货")
    entry = LogEntry.objects.get_for_object(placed_order).get()
    with no_scope():
        page = office.get(
            reverse("admin:auditlog_logentry_change", args=[entry.pk])
        ).content.decode()
    assert "添加备注" in page
    assert "<td>说明</td><td>—</td><td>客户要求周五前到货</td>" in page


def test_staff_log_excludes_customer_actions(shopper: Account, staff: Account) -> None:
    order = place_order(shopper)
    assert not LogEntry.objects.get_for_object(order).exists()
    order_confirm(actor=staff, order_id=order.pk)
    assert LogEntry.objects.get_for_object(order).count() == 1


def test_a_note_has_a_text_of_at_most_500_characters(placed_order: Order, staff: Account) -> None:
    assert order_note(actor=staff, order_id=placed_order.pk, text="备" * 500).text == "备" * 500
    for text in (" ", "备" * 501):
        with pytest.raises(ValidationFailed):
            order_note(actor=staff, order_id=placed_order.pk, text=text)
