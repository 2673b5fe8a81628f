"""/report-mail/end: one-click unsubscribe from a mail program (RFC 8058)."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client

from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.reports.models import ReportRecipient, ReportSubscription
from apps.reports.tests.subscribing import ADDRESS, set_mail_address, subscribe
from apps.reports.tests.trading import deliver

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def sent(ga: Account) -> ReportSubscription:
    """A subscription with one mail address and no account as recipient, after its first mail."""
    owner = set_mail_address(ga, "ga@yunfan.example")
    row = subscribe(owner, addresses=(ADDRESS,))
    ApiClient(owner).post(f"/api/ReportSubscription/{row.pk}/SendNow")
    deliver()
    return row


def get_button() -> str:
    """Return the URL in the List-Unsubscribe header of the mail."""
    return str(mail.outbox[0].extra_headers["List-Unsubscribe"]).strip("<>")


def is_ended() -> bool:
    return ReportRecipient.objects.get().unsubscribed_at is not None


def test_the_head_of_a_letter_names_one_address_to_post_to(sent: ReportSubscription) -> None:
    head = mail.outbox[0].extra_headers
    assert head["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert head["List-Unsubscribe"].count("<") == 1
    assert "/report-mail/end/" in head["List-Unsubscribe"]


def test_a_post_without_sign_in_or_cookie_ends_the_letters_and_twice_is_the_same(
    sent: ReportSubscription,
) -> None:
    client = Client(enforce_csrf_checks=True)
    assert [client.post(get_button(), ONE_CLICK).status_code for _ in range(2)] == [200, 200]
    assert is_ended()


def test_a_form_in_the_address_encoding_is_taken_too(sent: ReportSubscription) -> None:
    answer = Client().post(
        get_button(), "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
    )
    assert (answer.status_code, answer.content.decode()) == (200, "已退订")
    assert is_ended()


def test_opening_the_unsubscribe_address_ends_nothing(sent: ReportSubscription) -> None:
    answer = Client().get(get_button())
    assert (answer.status_code, answer.headers["Location"], is_ended()) == (
        302,
        "/reportMail",
        False,
    )


def test_post_without_the_one_click_field_ends_nothing(sent: ReportSubscription) -> None:
    assert (Client().post(get_button()).status_code, is_ended()) == (400, False)


def test_while_the_subscription_pauses_it_ends_too(sent: ReportSubscription) -> None:
    ReportSubscription.objects.update(is_active=False)
    assert (Client().post(get_button(), ONE_CLICK).status_code, is_ended()) == (200, True)


def test_forged_unsubscribe_address_is_refused(sent: ReportSubscription) -> None:
    assert (Client().post("/report-mail/end/1:forged", ONE_CLICK).status_code, is_ended()) == (
        404,
        False,
    )


def test_unsubscribe_key_of_the_mail_header_is_refused_by_the_page_api(
    sent: ReportSubscription,
) -> None:
    key = get_button().rpartition("/")[2]
    for call in ("Leaving", "Leave"):
        assert (
            not ApiClient().post(f"/api/ReportSubscription/{call}", {"Key": key, "IsOn": True}).ok
        )
