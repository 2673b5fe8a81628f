"""Tests of reviews in the back office: the queue, the actions, and the permissions."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.common.tenancy import no_scope
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.reviews.models import OrderReview, PublishedReview
from apps.reviews.tests.reviewing import receive_order, review, store_picture

LIST = "/admin/reviews/orderreview/"


@pytest.fixture
def written(shopper: Account, staff: Account) -> OrderReview:
    return review(
        receive_order(shopper, staff),
        2,
        "<b>掉页</b>",
        file_ids=(store_picture(shopper).public_id,),
    )


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def test_review_queue_lists_unchecked_reviews(office: Client, written: OrderReview) -> None:
    with no_scope():
        assert office.get(f"{LIST}?waiting=1").context["cl"].result_count == 1
        office.post(f"{LIST}{written.pk}/check/", {"act": "1"})
        assert office.get(f"{LIST}?waiting=1").context["cl"].result_count == 0
        assert office.get(f"{LIST}?waiting=poor").context["cl"].result_count == 1


def test_many_are_looked_at_in_one_act(office: Client, written: OrderReview) -> None:
    with no_scope():
        office.post(LIST, {"action": "check_many", "_selected_action": [written.pk]})
    assert OrderReview.objects.get(pk=written.pk).checked_at is not None


def test_a_review_is_hidden_with_its_reason(office: Client, written: OrderReview) -> None:
    with no_scope():
        assert (
            office.post(f"{LIST}{written.pk}/hide/", {"act": "1", "reason": ""}).status_code == 200
        )
        assert (
            office.post(
                f"{LIST}{written.pk}/hide/", {"act": "1", "reason": "含联系方式"}
            ).status_code
            == 302
        )
    assert (
        PublishedReview.objects.count(),
        OrderReview.objects.get(pk=written.pk).hidden_reason,
    ) == (0, "含联系方式")


def test_a_review_is_answered(office: Client, written: OrderReview) -> None:
    with no_scope():
        office.post(f"{LIST}{written.pk}/reply/", {"act": "1", "text": "已安排换货"})
    assert PublishedReview.objects.get().reply_text == "已安排换货"


def test_review_text_is_escaped_in_the_admin(office: Client, written: OrderReview) -> None:
    with no_scope():
        page = office.get(f"{LIST}{written.pk}/change/").content.decode()
    assert "<b>掉页</b>" not in page
    assert "&lt;b&gt;掉页&lt;/b&gt;" in page


def test_staff_look_at_the_pictures(office: Client, written: OrderReview) -> None:
    stored_picture = written.pictures.get()
    with no_scope():
        answer = office.get(f"{LIST}{written.pk}/picture/{stored_picture.pk}/")
    assert answer["Content-Type"] == "image/png"


@pytest.mark.parametrize(("job", "status"), [("客服", 200), ("商品", 403)])
def test_hiding_a_review_requires_the_order_job(
    written: OrderReview, job: str, status: int
) -> None:
    with no_scope():
        assert open_office(create_staff(job)).get(f"{LIST}{written.pk}/hide/").status_code == status


def test_admin_home_counts_unchecked_reviews(office: Client, written: OrderReview) -> None:
    with no_scope():
        cards = {
            card["title"]: card["number"] for card in office.get("/admin/").context["work_cards"]
        }
    assert cards["待查看评价"] == 1
