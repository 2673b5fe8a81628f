"""Links in mails: usable once, for 72 hours, by their recipient."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.testing import ApiClient
from apps.notices.enums import NoticeKind
from apps.notices.errors import NoticeLinkUnknown
from apps.notices.models import Notice, NoticeLink
from apps.notices.services.notice import NoticeMessage, notices_create
from apps.notices.tests.factories import deliver_all
from apps.org.models import Account

FOLLOW = "/api/Notice/Follow"
WHERE = "/userCenter/order/approval/7"


@pytest.fixture
def key(approver: Account, mailoutbox: list[Any]) -> str:
    """The key in the mail about a waiting approval."""
    approver.email = "approver@example.com"
    approver.save()
    notices_create(
        NoticeMessage(
            NoticeKind.APPROVAL_WAITING,
            [approver.pk],
            "订单 SO1 等待您审批",
            "1",
            "金额 10.00 元",
            WHERE,
        )
    )
    deliver_all()
    match = re.search(r"http://127\.0\.0\.1:8000/mailLink#key=([\w-]{43})\s", mailoutbox[0].body)
    assert match is not None
    return match[1]


def test_notice_link_leads_its_addressee_to_the_decision_once(approver: Account, key: str) -> None:
    answer = ApiClient(approver).post(FOLLOW, {"Key": key})

    assert answer.body == {"Link": WHERE}
    assert Notice.objects.get().read_at is not None


def test_used_link_reports_its_time_and_its_target(approver: Account, key: str) -> None:
    client = ApiClient(approver)
    client.post(FOLLOW, {"Key": key})
    answer = client.post(FOLLOW, {"Key": key})

    assert answer.code == "wrong_state"
    assert re.fullmatch(
        r"该链接已于 \d\d-\d\d \d\d:\d\d 使用过，每个链接只能使用一次", answer.message
    )
    assert answer.body == {"Link": WHERE}


def test_a_repeated_call_with_its_key_is_not_a_second_use(approver: Account, key: str) -> None:
    client = ApiClient(approver)

    assert [client.post(FOLLOW, {"Key": key}, key="same-key-1").body for _ in range(2)] == [
        {"Link": WHERE}
    ] * 2


def test_after_72_hours_it_has_run_out(approver: Account, key: str) -> None:
    NoticeLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = ApiClient(approver).post(FOLLOW, {"Key": key})

    assert (answer.code, answer.message, answer.body) == (
        "wrong_state",
        "该链接已超过 72 小时有效期",
        {"Link": WHERE},
    )


def test_notice_link_is_valid_for_72_hours(key: str) -> None:
    link = NoticeLink.objects.get()

    assert (
        timedelta(hours=71, minutes=59) < link.expires_at - link.created_at <= timedelta(hours=72)
    )
    assert key not in link.key_hash


def test_link_of_another_account_answers_as_an_unknown_key(
    ga: Account, other_ga: Account, key: str
) -> None:
    answers = [
        ApiClient(who).post(FOLLOW, {"Key": one})
        for who in (ga, other_ga)
        for one in (key, "wrong")
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(404, "not_found")}
    assert {answer.message for answer in answers} == {NoticeLinkUnknown.message}
    assert NoticeLink.objects.get().used_at is None


def test_notice_link_requires_a_login(api: ApiClient, key: str) -> None:
    assert api.post(FOLLOW, {"Key": key}).status == 401
    assert NoticeLink.objects.get().used_at is None


def test_get_request_does_not_use_the_link(approver: Account, key: str) -> None:
    answer = ApiClient(approver).get(FOLLOW, {"Key": key})

    assert answer.code == "method_not_allowed"
    assert NoticeLink.objects.get().used_at is None


def test_notice_without_a_task_has_a_plain_address(
    approver: Account, key: str, mailoutbox: list[Any]
) -> None:
    notices_create(
        NoticeMessage(
            NoticeKind.APPROVAL_DECIDED,
            [approver.pk],
            "订单 SO1 已通过审批",
            "2",
            link="/userCenter/order/detail?OrderNo=SO1",
        )
    )
    deliver_all()

    assert "http://127.0.0.1:8000/userCenter/order/detail?OrderNo=SO1" in mailoutbox[1].body
    assert NoticeLink.objects.count() == 1
