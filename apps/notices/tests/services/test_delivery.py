"""Deliveries by the reader's preferences: sent once, retried, given up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from apps.common.models import OutboxMessage
from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.models import WeChatWorkAccount
from apps.identity.services.mail import send_account_mail
from apps.identity.wechat_work import DemoWeChatWork
from apps.notices.enums import Channel, DeliveryState, MailMode, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticePreference
from apps.notices.services.delivery import (
    CLAIM,
    GIVE_UP_AFTER,
    MIN_TRIES,
    ClaimedElsewhere,
    handle_notice_delivery,
)
from apps.notices.services.notice import (
    NoticeMessage,
    notices_create,
    notices_read,
    subject_mark_done,
)
from apps.notices.tests.factories import deliver_all
from apps.org.models import Account

Sent = list[dict[str, str]]


@pytest.fixture
def reader(buyer: Account) -> Account:
    buyer.email = "buyer@example.com"
    buyer.save()
    return buyer


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """The messages that 企业微信 received."""
    rows: Sent = []
    monkeypatch.setattr(DemoWeChatWork, "send", lambda _self, **card: rows.append(card))
    return rows


def bind(account: Account) -> None:
    WeChatWorkAccount.objects.create(corp_id="demo-corp", user_id="linxiaoyu", account=account)


def tell(account: Account, kind: NoticeKind = NoticeKind.INQUIRY_QUOTED, once: str = "1") -> Notice:
    message = NoticeMessage(
        kind,
        [account.pk],
        "询价单 XJ1 已报价",
        once,
        "请在 3 天内采纳",
        "/userCenter/order/productInquiry/XJ1",
    )
    return notices_create(message)[0]


def set_preference(
    account: Account,
    kind: NoticeKind,
    *,
    page: bool = True,
    mail: str = MailMode.OFF,
    wechat_work: bool = False,
) -> None:
    NoticePreference.objects.create(
        account=account, kind=kind, page=page, mail=mail, wechat_work=wechat_work
    )


def list_states(notice: Notice) -> list[tuple[str, str]]:
    return list(
        NoticeDelivery.objects.filter(notice=notice).order_by("pk").values_list("channel", "state")
    )


def test_a_letter_goes_out_once(reader: Account, mailoutbox: list[Any]) -> None:
    notice = tell(reader)
    deliver_all()
    OutboxMessage.objects.update(delivered_at=None)
    deliver_all()

    assert [letter.subject for letter in mailoutbox] == ["文采商城：询价单 XJ1 已报价"]
    assert mailoutbox[0].to == ["buyer@example.com"]
    assert "http://127.0.0.1:8000/userCenter/order/productInquiry/XJ1" in mailoutbox[0].body
    assert mailoutbox[0].extra_headers["Message-ID"] == f"<notice-{notice.pk}@127.0.0.1>"
    assert list_states(notice) == [(Channel.MAIL, DeliveryState.SENT)]


def test_without_an_address_there_is_no_letter(buyer: Account, mailoutbox: list[Any]) -> None:
    notice = tell(buyer)
    deliver_all()

    assert (list_states(notice), mailoutbox) == ([], [])


def test_disabled_mail_preference_sends_no_mail(reader: Account, mailoutbox: list[Any]) -> None:
    set_preference(reader, NoticeKind.INQUIRY_QUOTED)
    notice = tell(reader)
    deliver_all()

    assert (notice.is_on_page, mailoutbox) == (True, [])


def test_mail_only_notice_is_not_on_the_page(reader: Account, mailoutbox: list[Any]) -> None:
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, page=False, mail=MailMode.INSTANT)
    notice = tell(reader)
    deliver_all()

    assert (notice.is_on_page, len(mailoutbox)) == (False, 1)


def test_notice_with_every_channel_disabled_is_not_created(reader: Account) -> None:
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, page=False)
    message = NoticeMessage(NoticeKind.INQUIRY_QUOTED, [reader.pk], "询价单 XJ1 已报价", "1")

    assert notices_create(message) == []


def test_mandatory_notice_is_on_the_page_despite_its_preference(reader: Account) -> None:
    set_preference(reader, NoticeKind.APPROVAL_WAITING, page=False)

    assert tell(reader, NoticeKind.APPROVAL_WAITING).is_on_page


def test_a_bound_account_gets_a_card(reader: Account, cards: Sent) -> None:
    bind(reader)
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, wechat_work=True)
    notice = tell(reader)
    deliver_all()

    assert list_states(notice) == [(Channel.WECHAT_WORK, DeliveryState.SENT)]
    assert cards == [
        {
            "member": "linxiaoyu",
            "title": "询价单 XJ1 已报价",
            "text": "请在 3 天内采纳",
            "url": "http://127.0.0.1:8000/userCenter/order/productInquiry/XJ1",
        }
    ]


def test_unbound_account_gets_no_wechat_work_card(reader: Account, cards: Sent) -> None:
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, wechat_work=True)
    notice = tell(reader)
    deliver_all()

    assert (list_states(notice), cards) == ([], [])


def test_without_settings_there_is_no_card(reader: Account, cards: Sent, settings: Any) -> None:
    settings.DEMO_MODE = False
    bind(reader)
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, wechat_work=True)
    tell(reader)
    deliver_all()

    assert cards == []


def test_failed_mail_is_retried(
    reader: Account, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = tell(reader)
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _refuse)
        deliver_all()
    assert list_states(notice) == [(Channel.MAIL, DeliveryState.WAITING)]
    assert NoticeDelivery.objects.get().last_error == "ConnectionRefusedError: mail"

    OutboxMessage.objects.update(available_at=timezone.now())
    deliver_all()
    assert list_states(notice) == [(Channel.MAIL, DeliveryState.SENT)]
    assert len(mailoutbox) == 1


def try_again(times: int) -> None:
    for _ in range(times):
        OutboxMessage.objects.filter(delivered_at=None).update(available_at=timezone.now())
        deliver_all()


def test_a_server_may_be_away_for_days(
    reader: Account, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = tell(reader)
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _refuse)
        try_again(MIN_TRIES + 2)
        Notice.objects.update(created_at=timezone.now() - GIVE_UP_AFTER + timedelta(minutes=1))
        try_again(1)
    try_again(1)

    assert (list_states(notice), len(mailoutbox)) == ([(Channel.MAIL, DeliveryState.SENT)], 1)


def test_after_three_days_it_is_given_up(reader: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DemoWeChatWork, "send", _raise_away)
    bind(reader)
    set_preference(reader, NoticeKind.INQUIRY_QUOTED, wechat_work=True)
    notice = tell(reader)
    Notice.objects.update(created_at=timezone.now() - GIVE_UP_AFTER)
    try_again(MIN_TRIES - 1)
    assert list_states(notice) == [(Channel.WECHAT_WORK, DeliveryState.WAITING)]

    try_again(3)
    assert list_states(notice) == [(Channel.WECHAT_WORK, DeliveryState.FAILED)]
    assert NoticeDelivery.objects.get().attempts == MIN_TRIES
    assert not OutboxMessage.objects.filter(delivered_at=None).exists()


def test_delivery_claimed_by_another_worker_is_sent_after_the_claim(
    reader: Account, mailoutbox: list[Any]
) -> None:
    tell(reader)
    delivery = NoticeDelivery.objects.get()
    NoticeDelivery.objects.update(state=DeliveryState.SENDING, claimed_at=timezone.now())
    with pytest.raises(ClaimedElsewhere):
        handle_notice_delivery("", {"DeliveryId": delivery.pk})
    assert mailoutbox == []

    NoticeDelivery.objects.update(claimed_at=timezone.now() - CLAIM - timedelta(seconds=1))
    handle_notice_delivery("", {"DeliveryId": delivery.pk})
    assert len(mailoutbox) == 1


def test_disabled_account_gets_no_mail(reader: Account, mailoutbox: list[Any]) -> None:
    notice = tell(reader)
    reader.is_active = False
    reader.save()
    deliver_all()

    assert (list_states(notice), mailoutbox) == ([(Channel.MAIL, DeliveryState.SKIPPED)], [])


def test_done_subject_skips_its_deliveries(
    reader: Account, cards: Sent, mailoutbox: list[Any]
) -> None:
    bind(reader)
    message = NoticeMessage(
        NoticeKind.APPROVAL_WAITING,
        [reader.pk],
        "订单 SO1 等待您审批",
        "1",
        subject_key="approval:7",
    )
    notice = notices_create(message)[0]
    subject_mark_done(subject_key="approval:7")
    deliver_all()

    assert list_states(notice) == [
        (Channel.MAIL, DeliveryState.SKIPPED),
        (Channel.WECHAT_WORK, DeliveryState.SKIPPED),
    ]
    assert (cards, mailoutbox) == ([], [])


def test_read_notice_without_a_task_is_still_mailed(reader: Account, mailoutbox: list[Any]) -> None:
    tell(reader)
    notices_read(actor=reader, ids=None)
    deliver_all()

    assert len(mailoutbox) == 1


def test_notice_text_is_escaped_in_the_mail(reader: Account, mailoutbox: list[Any]) -> None:
    notices_create(
        NoticeMessage(NoticeKind.INQUIRY_QUOTED, [reader.pk], "<script>x</script>", "1", "<b>y</b>")
    )
    deliver_all()

    page = mailoutbox[0].alternatives[0][0]
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "<b>y</b>" not in page


def test_a_line_break_in_a_name_is_a_space_in_the_title_and_the_subject(
    reader: Account, mailoutbox: list[Any]
) -> None:
    notice = notices_create(
        NoticeMessage(NoticeKind.BUDGET_ALERT, [reader.pk], "预算“行政\r\n部”已用 80%", "1")
    )[0]
    send_account_mail(account=reader, subject="更换\n邮箱", template="password_changed")
    deliver_all()

    assert notice.title == "预算“行政 部”已用 80%"
    assert [letter.subject for letter in mailoutbox] == [
        "文采商城：更换 邮箱",
        "文采商城：预算“行政 部”已用 80%",
    ]
    assert all("\n" not in letter.message()["Subject"] for letter in mailoutbox)


def _refuse(*_args: Any) -> int:
    raise ConnectionRefusedError("mail")


def _raise_away(*_args: Any, **_card: Any) -> None:
    raise WeChatWorkUnavailable
