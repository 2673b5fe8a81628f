"""Notices and daily letters are sent once, with several processes that deliver the same
message. With real processes.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.tenancy import platform_scope
from apps.notices.enums import DeliveryState, MailMode, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest, NoticePreference
from apps.notices.services.delivery import notices_send_digests
from apps.notices.services.notice import NoticeMessage, link_follow, link_issue, notices_create
from apps.notices.services.topics import build_handler
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def letters(tmp_path: Path, settings: Any) -> Path:
    """The folder in which every process stores its letters, one file each."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    assert str(tmp_path) == configured.EMAIL_FILE_PATH
    return tmp_path


@pytest.fixture
def reader(buyer: Account) -> Account:
    buyer.email = "buyer@example.com"
    buyer.save()
    return buyer


def deliver() -> int:
    return outbox_deliver()


def get_digest() -> int:
    with platform_scope(reason="test"):
        return notices_send_digests()


def test_message_handled_by_twenty_processes_creates_one_notice_and_one_letter(
    reader: Account, approver: Account, letters: Path
) -> None:
    payload = {
        "ApprovalId": 7,
        "SubjectNo": "SO1",
        "ActorId": approver.pk,
        "To": [reader.pk],
        "Text": "请尽快",
    }

    run_race([partial(build_handler("approval.reminded"), "SO1", payload) for _ in range(20)])
    assert Notice.objects.count() == 1
    run_race([deliver for _ in range(20)])

    assert len(list(letters.iterdir())) == 1
    assert list(NoticeDelivery.objects.values_list("state", "attempts")) == [
        (DeliveryState.SENT, 1)
    ]


def test_twenty_runners_write_one_daily_letter(reader: Account, letters: Path) -> None:
    NoticePreference.objects.create(
        account=reader, kind=NoticeKind.ORDER_SHIPPED, mail=MailMode.DAILY
    )
    for number in range(3):
        notices_create(
            NoticeMessage(
                NoticeKind.ORDER_SHIPPED, [reader.pk], f"订单 SO{number} 已发货", str(number)
            )
        )
    NoticeDelivery.objects.update(due_at=timezone.now())

    begun = run_race([get_digest for _ in range(20)])
    run_race([deliver for _ in range(20)])

    assert sum(outcome.value for outcome in begun) == 1
    assert NoticeDigest.objects.count() == 1
    assert len(list(letters.iterdir())) == 1


def test_a_link_opened_twenty_times_at_once_is_good_once(reader: Account) -> None:
    notice = notices_create(
        NoticeMessage(
            NoticeKind.APPROVAL_WAITING,
            [reader.pk],
            "订单 SO1 等待您审批",
            "1",
            link="/userCenter/order/approval/7",
        )
    )[0]
    key = link_issue(notice=notice).partition("#key=")[2]

    outcomes = run_race([partial(link_follow, actor=reader, key=key) for _ in range(20)])

    assert sorted(outcome.code for outcome in outcomes) == [""] + ["wrong_state"] * 19
