"""The daily digest at 9:00 in Shanghai: one mail with all notices of the day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.db.models import F
from django.utils import timezone

from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.notices.enums import DeliveryState, MailMode, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest, NoticePreference
from apps.notices.selectors import get_next_digest_time
from apps.notices.services.delivery import MIN_TRIES, digest_begin, notices_send_digests
from apps.notices.services.notice import NoticeMessage, notices_create, notices_read
from apps.notices.tests.factories import deliver_all
from apps.org.models import Account


@pytest.fixture
def reader(buyer: Account) -> Account:
    buyer.email = "buyer@example.com"
    buyer.save()
    NoticePreference.objects.create(
        account=buyer, kind=NoticeKind.ORDER_SHIPPED, mail=MailMode.DAILY
    )
    NoticePreference.objects.create(
        account=buyer, kind=NoticeKind.BUDGET_ALERT, mail=MailMode.DAILY
    )
    return buyer


def ship(reader: Account, number: int) -> None:
    link = f"/userCenter/order/detail?OrderNo=SO{number}"
    notices_create(
        NoticeMessage(
            NoticeKind.ORDER_SHIPPED, [reader.pk], f"订单 SO{number} 已发货", str(number), link=link
        )
    )


def is_nine() -> int:
    """Set the clock to 9:00, run the job and return how many digests it started."""
    with platform_scope(reason="test"):
        NoticeDelivery.objects.update(due_at=timezone.now())
        return notices_send_digests()


def test_before_nine_it_goes_today_later_tomorrow() -> None:
    assert get_next_digest_time(datetime(2026, 11, 22, 0, 59, tzinfo=UTC)) == datetime(
        2026, 11, 22, 1, tzinfo=UTC
    )
    assert get_next_digest_time(datetime(2026, 11, 22, 1, 0, tzinfo=UTC)) == datetime(
        2026, 11, 23, 1, tzinfo=UTC
    )
    assert get_next_digest_time(datetime(2024, 2, 28, 20, 0, tzinfo=UTC)) == datetime(
        2024, 2, 29, 1, tzinfo=UTC
    )


def test_digest_is_not_sent_before_its_hour(reader: Account, mailoutbox: list[Any]) -> None:
    ship(reader, 1)
    with platform_scope(reason="test"):
        assert notices_send_digests() == 0
    deliver_all()

    assert mailoutbox == []


def test_all_of_the_day_is_one_letter_by_section(reader: Account, mailoutbox: list[Any]) -> None:
    ship(reader, 1)
    ship(reader, 2)
    notices_create(NoticeMessage(NoticeKind.BUDGET_ALERT, [reader.pk], "预算“行政”已用 80%", "b"))
    assert is_nine() == 1
    deliver_all()

    assert len(mailoutbox) == 1
    words = mailoutbox[0].body
    assert mailoutbox[0].subject == f"文采商城：{timezone.localdate():%m-%d} 消息汇总（3 条）"
    assert (
        words.index("【订单】")
        < words.index("订单 SO2 已发货")
        < words.index("订单 SO1 已发货")
        < words.index("【预算】")
    )
    assert "http://127.0.0.1:8000/userCenter/order/detail?OrderNo=SO1" in words
    assert set(NoticeDelivery.objects.values_list("state", flat=True)) == {DeliveryState.SENT}


def test_two_runners_begin_one_letter(reader: Account, mailoutbox: list[Any]) -> None:
    ship(reader, 1)
    assert is_nine() == 1
    with platform_scope(reason="test"):
        assert notices_send_digests() == 0
        assert digest_begin(reader.pk, reader.group_id or 0, timezone.localdate()) is False
    deliver_all()
    OutboxMessage.objects.update(delivered_at=None)
    deliver_all()

    assert (len(mailoutbox), NoticeDigest.objects.count()) == (1, 1)


def test_notice_after_the_digest_waits_for_the_next_day(
    reader: Account, mailoutbox: list[Any]
) -> None:
    ship(reader, 1)
    is_nine()
    ship(reader, 2)
    assert is_nine() == 0
    NoticeDigest.objects.update(day=timezone.localdate() - timedelta(days=1))
    assert is_nine() == 1
    deliver_all()

    assert len(mailoutbox) == 2


def test_failed_digest_is_sent_again(
    reader: Account, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(reader, 1)
    is_nine()
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _refuse)
        deliver_all()
    OutboxMessage.objects.update(available_at=timezone.now())
    deliver_all()

    assert len(mailoutbox) == 1
    assert NoticeDigest.objects.get().attempts == 2


def test_notices_in_an_unsent_digest_start_no_second_one(reader: Account) -> None:
    ship(reader, 1)
    assert is_nine() == 1
    NoticeDigest.objects.update(day=F("day") - timedelta(days=1))
    assert is_nine() == 0


def test_after_many_tries_of_a_day_it_still_goes(
    reader: Account, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(reader, 1)
    is_nine()
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _refuse)
        for _ in range(MIN_TRIES + 2):
            OutboxMessage.objects.filter(delivered_at=None).update(available_at=timezone.now())
            deliver_all()
    OutboxMessage.objects.filter(delivered_at=None).update(available_at=timezone.now())
    deliver_all()

    assert (len(mailoutbox), NoticeDelivery.objects.get().state) == (1, DeliveryState.SENT)


def test_digest_omits_read_and_disabled_notices(reader: Account, mailoutbox: list[Any]) -> None:
    ship(reader, 1)
    ship(reader, 2)
    notices_create(NoticeMessage(NoticeKind.BUDGET_ALERT, [reader.pk], "预算“行政”已用 80%", "b"))
    NoticePreference.objects.filter(kind=NoticeKind.BUDGET_ALERT).update(mail=MailMode.OFF)
    Notice.objects.filter(title__contains="SO1").update(read_at=timezone.now())
    is_nine()
    deliver_all()

    assert mailoutbox[0].subject == f"文采商城：{timezone.localdate():%m-%d} 消息汇总（1 条）"
    assert (
        "SO2" in mailoutbox[0].body,
        "SO1" in mailoutbox[0].body,
        "预算" in mailoutbox[0].body,
    ) == (True, False, False)
    skipped, sent = DeliveryState.SKIPPED, DeliveryState.SENT
    assert list(NoticeDelivery.objects.order_by("pk").values_list("state", flat=True)) == [
        skipped,
        sent,
        skipped,
    ]


def test_empty_digest_is_skipped(reader: Account, mailoutbox: list[Any]) -> None:
    ship(reader, 1)
    notices_read(actor=reader, ids=None)
    is_nine()
    deliver_all()

    assert (mailoutbox, NoticeDigest.objects.get().state) == ([], DeliveryState.SKIPPED)


def test_each_group_gets_its_own(reader: Account, other_ga: Account, mailoutbox: list[Any]) -> None:
    with platform_scope(reason="test"):
        other_ga.email = "other@example.com"
        other_ga.save()
        notices_create(
            NoticeMessage(
                NoticeKind.TERMS_ENDING, [reader.pk, other_ga.pk], "协议将于 11-30 到期", "1"
            )
        )
    assert is_nine() == 2
    deliver_all()

    assert sorted(letter.to[0] for letter in mailoutbox) == [
        "buyer@example.com",
        "other@example.com",
    ]


def _refuse(*_args: Any) -> int:
    raise ConnectionRefusedError("mail")
