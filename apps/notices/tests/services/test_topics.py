"""The notices created for each topic, once per recipient."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from apps.common.background.outbox import list_handlers, outbox_publish
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.identity.services.second_factor import factor_begin, factor_confirm, factor_reset
from apps.identity.tests.services.test_second_factor import compute_code
from apps.notices.enums import KINDS, NoticeKind
from apps.notices.models import Notice
from apps.notices.services.topics import TOPICS
from apps.notices.tests.factories import deliver_all
from apps.org.models import Account


def list_notice_titles(to: Account) -> list[str]:
    """Return the titles of the account's notices, oldest first."""
    with platform_scope(reason="test"):
        return list(
            Notice.objects.filter(recipient=to).order_by("pk").values_list("title", flat=True)
        )


def publish_approval(topic: str, *to: Account, actor: Account | None = None, **more: Any) -> None:
    payload = {
        "ApprovalId": 7,
        "SubjectNo": "SO1",
        "ActorId": actor.pk if actor else None,
        "To": [one.pk for one in to],
        "Text": "请看",
    }
    outbox_publish(topic=topic, key="SO1", payload={**payload, **more})


def test_every_topic_has_its_handler() -> None:
    assert [topic for topic in TOPICS if not list_handlers(topic)] == []


def test_every_notice_kind_has_a_definition() -> None:
    assert set(KINDS) == set(NoticeKind)


@pytest.mark.parametrize(
    ("topic", "title", "kind"),
    [
        ("approval.waiting", "小采提交的订单 SO1 等待您审批", "approval_waiting"),
        ("approval.asked", "小采就订单 SO1 的审批向您提问", "approval_asked"),
        ("approval.answered", "小采答复了订单 SO1 的审批提问", "approval_answered"),
        ("approval.commented", "小采在订单 SO1 的审批中留言", "approval_commented"),
        ("approval.mentioned", "小采在订单 SO1 的审批中提到了您", "approval_mentioned"),
        ("approval.amended", "小采调整了订单 SO1 的商品数量", "approval_amended"),
        ("approval.reminded", "小采催办：订单 SO1 等待您审批", "approval_reminded"),
        ("approval.escalated", "订单 SO1 审批超时，已上报给您", "approval_escalated"),
    ],
)
def test_approval_message_becomes_a_notice_for_its_recipients(
    buyer: Account, approver: Account, topic: str, title: str, kind: str
) -> None:
    publish_approval(topic, approver, actor=buyer)
    deliver_all()

    notice = Notice.objects.get(recipient=approver)
    assert (notice.title, notice.kind, notice.text, notice.link) == (
        title,
        kind,
        "请看",
        "/userCenter/order/approval/7",
    )


def test_notice_without_approval_permission_links_to_the_order(
    limited: Account, approver: Account
) -> None:
    publish_approval("approval.asked", limited, approver, actor=None)
    deliver_all()

    assert Notice.objects.get(recipient=limited).link == "/userCenter/order/detail?OrderNo=SO1"
    assert Notice.objects.get(recipient=approver).link == "/userCenter/order/approval/7"


def test_delegation_message_notifies_the_delegate(buyer: Account, approver: Account) -> None:
    text = "老审请您代为审批：2026-12-01 至 2026-12-05"
    payload = {"DelegationId": 3, "ActorId": approver.pk, "To": [buyer.pk], "Text": text}
    outbox_publish(topic="approval.delegated", key="3", payload=payload)
    deliver_all()

    notice = Notice.objects.get(recipient=buyer)
    assert (notice.title, notice.text, notice.link) == (
        "老审的代理审批安排",
        text,
        "/userCenter/order/approval",
    )


def test_actor_gets_no_notice_of_his_own_action(buyer: Account, approver: Account) -> None:
    publish_approval("approval.commented", buyer, approver, actor=buyer)
    deliver_all()

    assert (list_notice_titles(buyer), len(list_notice_titles(approver))) == ([], 1)


def test_redelivered_message_creates_one_notice(buyer: Account, approver: Account) -> None:
    publish_approval("approval.reminded", approver, actor=buyer)
    deliver_all()
    OutboxMessage.objects.update(delivered_at=None)
    deliver_all()

    assert list_notice_titles(approver) == ["小采催办：订单 SO1 等待您审批"]


def test_two_reminders_with_the_same_words_are_two(buyer: Account, approver: Account) -> None:
    publish_approval("approval.reminded", approver, actor=buyer)
    publish_approval("approval.reminded", approver, actor=buyer)
    deliver_all()

    assert len(list_notice_titles(approver)) == 2


def test_messages_with_the_same_once_key_create_one_notice(
    buyer: Account, approver: Account
) -> None:
    publish_approval("approval.waiting", approver, actor=buyer, Once="task3")
    publish_approval("approval.waiting", approver, actor=buyer, Once="task3")
    deliver_all()

    assert len(list_notice_titles(approver)) == 1


def test_decision_notifies_the_requester_and_ends_waiting_notices(
    buyer: Account, approver: Account, ga: Account
) -> None:
    publish_approval("approval.waiting", approver, ga, actor=buyer)
    publish_approval("approval.decided", buyer, actor=approver, Outcome="rejected")
    deliver_all()

    assert list_notice_titles(buyer) == ["订单 SO1 被审批驳回"]
    assert not Notice.objects.filter(kind=NoticeKind.APPROVAL_WAITING, read_at=None).exists()
    assert Notice.objects.get(recipient=buyer).link == "/userCenter/order/detail?OrderNo=SO1"


def test_withdrawn_approval_marks_its_notices_as_read(buyer: Account, approver: Account) -> None:
    publish_approval("approval.waiting", approver, actor=buyer)
    outbox_publish(topic="approval.withdrawn", key="SO1", payload={"ApprovalId": 7})
    deliver_all()

    assert Notice.objects.get(recipient=approver).read_at is not None


def publish_moved(**still: list[int]) -> None:
    outbox_publish(
        topic="approval.moved",
        key="SO1",
        payload={"ApprovalId": 7, "At": timezone.now().isoformat(), **still},
    )
    deliver_all()


def list_waited_for() -> set[tuple[int, str]]:
    return set(Notice.objects.filter(read_at=None).values_list("recipient_id", "kind"))


def test_approval_move_ends_notices_of_former_recipients(
    buyer: Account, approver: Account, ga: Account
) -> None:
    publish_approval("approval.waiting", approver, ga, actor=buyer)
    publish_approval("approval.reminded", approver, ga, actor=buyer)
    publish_approval("approval.asked", buyer, actor=approver)
    deliver_all()
    publish_moved(Waiting=[ga.pk])
    assert list_waited_for() == {
        (ga.pk, "approval_waiting"),
        (ga.pk, "approval_reminded"),
        (buyer.pk, "approval_asked"),
    }

    publish_moved(Asked=[buyer.pk])
    assert (buyer.pk, "approval_asked") in list_waited_for()
    publish_moved(Asked=[])
    assert list_waited_for() == {(ga.pk, "approval_waiting"), (ga.pk, "approval_reminded")}


def test_late_move_message_keeps_newer_waiting_notices(buyer: Account, approver: Account) -> None:
    at = timezone.now().isoformat()
    publish_approval("approval.waiting", approver, actor=buyer)
    deliver_all()
    outbox_publish(
        topic="approval.moved", key="SO1", payload={"ApprovalId": 7, "At": at, "Waiting": []}
    )
    deliver_all()

    assert list_waited_for() == {(approver.pk, "approval_waiting")}


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("order.shipped", "订单 SO1 已发货"),
        ("order.received", "平台客服确认了订单 SO1 的部分收货"),
        ("order.completed", "平台客服确认了订单 SO1 的收货，订单已完成"),
        ("order.cancelled", "订单 SO1 已被平台客服取消"),
    ],
)
def test_staff_action_on_an_order_notifies_its_requester(
    buyer: Account, staff: Account, topic: str, title: str
) -> None:
    outbox_publish(
        topic=topic,
        key="SO1",
        payload={
            "order_id": 1,
            "requester_id": buyer.pk,
            "actor_id": staff.pk,
            "reason": "顺丰 SF1",
        },
    )
    deliver_all()

    assert list_notice_titles(buyer) == [title]


def test_automatic_action_notice_names_no_actor(buyer: Account) -> None:
    outbox_publish(
        topic="order.cancelled",
        key="SO1",
        payload={"order_id": 1, "requester_id": buyer.pk, "actor_id": None, "reason": "超时"},
    )
    deliver_all()

    outbox_publish(
        topic="cancel.granted",
        key="QX1",
        payload={
            "order_no": "SO2",
            "cancel_id": 1,
            "requester_id": buyer.pk,
            "actor_id": None,
            "reason": "客服逾期未处理",
        },
    )
    deliver_all()

    assert sorted(list_notice_titles(buyer)) == ["取消申请 QX1 已自动同意", "订单 SO1 已自动取消"]


def test_own_cancellation_creates_no_notice(buyer: Account) -> None:
    outbox_publish(
        topic="order.cancelled",
        key="SO1",
        payload={"order_id": 1, "requester_id": buyer.pk, "actor_id": buyer.pk, "reason": ""},
    )
    deliver_all()

    assert list_notice_titles(buyer) == []


@pytest.mark.parametrize(
    ("topic", "more", "titles"),
    [
        ("inquiry.quoted", {}, ["询价单 XJ1 已报价"]),
        ("inquiry.message", {"is_ours": True}, ["客服在询价单 XJ1 中给您留言"]),
        ("inquiry.message", {"is_ours": False}, []),
        ("inquiry.declined", {"reason": "缺货"}, ["询价单 XJ1 已被客服关闭"]),
        ("inquiry.expired", {}, ["询价单 XJ1 的报价已到期"]),
    ],
)
def test_inquiry_answer_creates_a_notice(
    buyer: Account, topic: str, more: dict[str, Any], titles: list[str]
) -> None:
    outbox_publish(
        topic=topic,
        key="XJ1",
        payload={"inquiry_id": 1, "requester_id": buyer.pk, "actor_id": None, **more},
    )
    deliver_all()

    assert list_notice_titles(buyer) == titles


def test_password_change_creates_a_page_notice_and_one_mail(
    buyer: Account, mailoutbox: list[Any]
) -> None:
    buyer.email = "buyer@example.com"
    buyer.save()
    payload = {"AccountId": buyer.pk, "At": "2026-11-22T10:00:00+08:00"}
    outbox_publish(topic="identity.password_changed", key=str(buyer.pk), payload=payload)
    deliver_all()

    assert list_notice_titles(buyer) == ["您的登录密码已修改"]
    assert len(mailoutbox) == 1


def test_reset_second_factor_creates_a_page_notice(buyer: Account, staff: Account) -> None:
    secret = factor_begin(account=buyer).secret
    factor_confirm(account=buyer, code=compute_code(secret))
    factor_reset(staff=staff, account=buyer, reason="手机丢失")
    deliver_all()

    assert list_notice_titles(buyer) == ["您的两步验证已重置"]


def test_account_of_another_group_gets_no_notice(buyer: Account, other_ga: Account) -> None:
    publish_approval("approval.commented", other_ga, actor=buyer)
    deliver_all()

    assert list_notice_titles(other_ga) == []


def test_in_the_platforms_scope_each_hears_in_his_own_group(
    buyer: Account, other_ga: Account
) -> None:
    with platform_scope(reason="test"):
        publish_approval("approval.commented", buyer, other_ga)
        deliver_all()
        rows = {row.recipient_id: row.group_id for row in Notice.objects.all()}

    assert rows == {buyer.pk: buyer.group_id, other_ga.pk: other_ga.group_id}


def test_disabled_account_gets_no_notice(buyer: Account, approver: Account) -> None:
    approver.is_active = False
    approver.save()
    publish_approval("approval.waiting", approver, actor=buyer)
    deliver_all()

    assert list_notice_titles(approver) == []
