"""Tests of return parcels in both directions. The tracking events come from the carrier and are
returned with the return.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.aftersales.models import ReturnParcel
from apps.aftersales.services.return_close import return_withdraw
from apps.aftersales.services.return_parcels import handle_parcel_sent, returns_track
from apps.aftersales.tests.stories import Story, create_story, received_order
from apps.common.testing import ApiClient
from apps.orders.models import TrackingEvent
from apps.org.models import Account


@pytest.fixture
def story(shopper: Account, staff: Account) -> Story:
    """A return whose parcel SF900 is on its way back."""
    one = create_story(shopper, staff, received_order(shopper, staff))
    one.to("pending_receipt")
    return one


def list_tracking(account: Account, story: Story) -> list[tuple[str, list[str]]]:
    parcels = ApiClient(account).get(f"/api/ReturnOrder/{story.now.return_no}").body["Parcels"]
    return [
        (parcel["TrackingNo"], [seen["KindText"] for seen in parcel["Tracking"]])
        for parcel in parcels
    ]


def test_return_parcel_is_tracked_when_it_is_sent(shopper: Account, story: Story) -> None:
    handle_parcel_sent(story.now.return_no, {"return_id": story.pk})
    assert list_tracking(shopper, story) == [("SF900", ["已揽收"])]


def test_return_tracking_is_shown_newest_first(shopper: Account, story: Story) -> None:
    ReturnParcel.objects.update(sent_at=timezone.now() - timedelta(hours=10))
    assert (returns_track(), returns_track()) == (1, 1)
    assert list_tracking(shopper, story) == [("SF900", ["运输中", "运输中", "已揽收"])]


def test_arrived_return_parcel_is_not_tracked(story: Story) -> None:
    story.to("inspecting")
    assert (returns_track(), TrackingEvent.objects.count()) == (0, 0)


def test_withdrawn_return_parcel_is_not_tracked(shopper: Account, story: Story) -> None:
    return_withdraw(actor=shopper, return_no=story.now.return_no, reason="不退了")
    assert returns_track() == 0


def test_replacement_parcel_is_tracked_until_the_customer_receives_it(
    shopper: Account, staff: Account
) -> None:
    one = create_story(shopper, staff, received_order(shopper, staff), kind="exchange")
    one.to("pending_confirm")
    assert (returns_track(), list_tracking(shopper, one)) == (
        1,
        [("SF900", []), ("SF901", ["已揽收"])],
    )
