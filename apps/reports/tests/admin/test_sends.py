"""订阅发送 in the back office: the period, the result, the number of attempts and the error."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.common.testing import assert_queries
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.reports.models import ReportLetter, ReportSend, ReportSubscription
from apps.reports.tests.subscribing import (
    ADDRESS,
    look_at,
    parse_moment,
    set_mail_address,
    subscribe,
)

LIST = "/admin/reports/reportsend/"


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("系统"))


@pytest.fixture
def sent(ga: Account) -> ReportSend:
    subscription = subscribe(
        set_mail_address(ga, "ga@yunfan.example"), addresses=(ADDRESS, "cfo@yunfan.example")
    )
    ReportSubscription.objects.update(next_at=parse_moment("2026-11-02 08:30"))
    look_at(parse_moment("2026-11-02 08:30"))
    return ReportSend.objects.get(subscription=subscription)


def test_staff_see_the_period_the_tries_and_the_error(office: Client, sent: ReportSend) -> None:
    ReportSend.objects.update(state="partly")
    ReportLetter.objects.filter(to=ADDRESS).update(
        state="failed", attempts=9, note="SMTPRecipientsRefused: 550"
    )

    row = office.get(LIST).context["cl"].result_list[0]
    page = office.get(LIST).content.decode()

    assert (row.letter_count, row.most_attempts, row.trouble) == (
        2,
        9,
        "SMTPRecipientsRefused: 550",
    )
    words = (
        "2026-11-02 08:30",
        "月报",
        str(sent.subscription.owner),
        "每天",
        "部分失败",
        "SMTPRecipientsRefused: 550",
    )
    assert [text for text in words if text not in page] == []
    letters = office.get(f"{LIST}{sent.pk}/change/").content.decode()
    assert [
        text
        for text in (ADDRESS, "cfo@yunfan.example", "SMTPRecipientsRefused: 550")
        if text not in letters
    ] == []


def test_send_without_its_view_is_still_shown(office: Client, sent: ReportSend) -> None:
    ReportSubscription.objects.update(view=None)
    assert "报表订阅" in office.get(LIST).content.decode()
    assert office.get(f"{LIST}{sent.pk}/change/").status_code == 200


@pytest.mark.parametrize("job", ["客服", "商品"])
def test_other_jobs_do_not_see_them(sent: ReportSend, job: str) -> None:
    office = open_office(create_staff(job))
    assert [office.get(page).status_code for page in (LIST, f"{LIST}{sent.pk}/change/")] == [
        403,
        403,
    ]


def test_report_sends_are_read_only(office: Client, sent: ReportSend) -> None:
    assert office.post(f"{LIST}{sent.pk}/change/", {"state": "sent"}).status_code == 403
    assert office.post(f"{LIST}{sent.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_list_costs_the_same_however_many_there_are(office: Client, sent: ReportSend) -> None:
    with assert_queries(6):  # session, account, user and role permissions, count, page
        office.get(LIST)
    rows = ReportSend.objects.bulk_create(
        ReportSend(
            group_id=sent.group_id,
            subscription=sent.subscription,
            due_at=parse_moment(f"2026-10-{day:02} 08:30"),
        )
        for day in range(1, 31)
    )
    ReportLetter.objects.bulk_create(
        ReportLetter(group_id=sent.group_id, send=row, to=ADDRESS) for row in rows
    )
    with assert_queries(6):
        office.get(LIST)
