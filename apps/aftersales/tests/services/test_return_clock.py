"""Tests of the scheduled task on returns: it sends each reminder once. After the deadline it
withdraws or completes the return.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_close import (
    _expire_return,
    returns_confirm_silent,
    returns_expire,
    returns_remind,
)
from apps.aftersales.tests.stories import Story, create_story, get_line, received_order
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.orders.models import Order
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    return received_order(shopper, staff)


def move_deadline(story: Story, **many: float) -> None:
    ReturnOrder.objects.filter(pk=story.pk).update(due_at=timezone.now() + timedelta(**many))


def get_jobs() -> tuple[int, int, int]:
    with platform_scope(reason="test"):
        return returns_remind(), returns_expire(), returns_confirm_silent()


def test_return_not_sent_within_seven_days_is_withdrawn(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 4)
    story.to("pending_send")
    assert story.now.due_at == story.now.waiting_since + timedelta(days=7)
    assert get_jobs() == (0, 0, 0)
    move_deadline(story, hours=-1)
    assert get_jobs() == (0, 1, 0)
    assert (story.now.status, get_line(order).returning_quantity) == ("withdrawn", 0)
    assert "7 天内未寄回" in story.now.close_reason


def test_job_withdraws_no_return_that_was_sent_or_prolonged_meanwhile(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order)
    story.to("pending_send")
    assert not _expire_return(story.pk)
    assert story.now.status == "pending_send"
    story.to("pending_receipt")
    move_deadline(story, hours=-1)
    assert not _expire_return(story.pk)
    assert story.now.status == "pending_receipt"


def test_pickup_return_is_never_withdrawn_by_the_job(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, way="pickup")
    story.to("pending_send")
    move_deadline(story, days=-9)
    assert get_jobs() == (0, 0, 0)


def test_silence_for_seven_days_confirms(shopper: Account, staff: Account, order: Order) -> None:
    story = create_story(shopper, staff, order)
    story.to("pending_confirm")
    assert story.now.due_at == story.now.waiting_since + timedelta(days=7)
    move_deadline(story, minutes=-1)
    assert get_jobs() == (0, 0, 1)
    assert story.now.status == "completed"


@pytest.mark.parametrize("status", ["pending_send", "pending_confirm"])
def test_return_reminder_is_sent_once_two_days_before_the_deadline(
    shopper: Account, staff: Account, order: Order, status: str
) -> None:
    story = create_story(shopper, staff, order)
    story.to(status)
    move_deadline(story, days=1)
    assert (get_jobs(), get_jobs()) == ((1, 0, 0), (0, 0, 0))
    assert OutboxMessage.objects.filter(topic="return.reminded").count() == 1
    assert story.now.status == status
