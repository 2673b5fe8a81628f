"""The topics of other apps and the notices built from them: tables of titles, and one builder
per kind of topic.

A handler reads nothing from the publishing app. Recipients and content are in the payload. Titles
use {who} for the actor and {no} for the number of the subject.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.common.background.outbox import Handler, delivering, get_message_number
from apps.common.days import format_moment
from apps.common.models import OutboxMessage
from apps.notices.enums import NoticeKind
from apps.notices.services.notice import NoticeMessage, notices_create, subject_mark_done
from apps.org.models import Account

K = NoticeKind

APPROVALS: dict[str, tuple[NoticeKind, str]] = {
    "approval.waiting": (K.APPROVAL_WAITING, "{who}提交的订单 {no} 等待您审批"),
    "approval.asked": (K.APPROVAL_ASKED, "{who}就订单 {no} 的审批向您提问"),
    "approval.answered": (K.APPROVAL_ANSWERED, "{who}答复了订单 {no} 的审批提问"),
    "approval.commented": (K.APPROVAL_COMMENTED, "{who}在订单 {no} 的审批中留言"),
    "approval.mentioned": (K.APPROVAL_MENTIONED, "{who}在订单 {no} 的审批中提到了您"),
    "approval.copied": (K.APPROVAL_COPIED, "订单 {no} 的审批抄送给您"),
    "approval.amended": (K.APPROVAL_AMENDED, "{who}调整了订单 {no} 的商品数量"),
    "approval.reminded": (K.APPROVAL_REMINDED, "{who}催办：订单 {no} 等待您审批"),
    "approval.escalated": (K.APPROVAL_ESCALATED, "订单 {no} 审批超时，已上报给您"),
}
ORDERS: dict[str, tuple[NoticeKind, str]] = {
    "order.shipped": (K.ORDER_SHIPPED, "订单 {no} 已发货"),
    "order.received": (K.ORDER_RECEIVED, "{who}确认了订单 {no} 的部分收货"),
    "order.completed": (K.ORDER_RECEIVED, "{who}确认了订单 {no} 的收货，订单已完成"),
    "order.cancelled": (K.ORDER_CANCELLED, "订单 {no} 已被{who}取消"),
    "order.address_changed": (K.ORDER_CHANGED, "{who}修改了订单 {no} 的收货地址"),
}
# Titles for events of periodic jobs; the text names the deadline.
BY_CLOCK: dict[str, str] = {
    "order.cancelled": "订单 {no} 已自动取消",
    "cancel.granted": "取消申请 {no} 已自动同意",
}
INQUIRIES: dict[str, str] = {
    "inquiry.quoted": "询价单 {no} 已报价",
    "inquiry.message": "客服在询价单 {no} 中给您留言",
    "inquiry.declined": "询价单 {no} 已被客服关闭",
    "inquiry.expired": "询价单 {no} 的报价已到期",
}
RETURNS: dict[str, tuple[NoticeKind, str]] = {
    "return.approved": (K.RETURN_PROGRESS, "售后单 {no} 已通过审核"),
    "return.rejected": (K.RETURN_PROGRESS, "售后单 {no} 未通过审核"),
    "return.received": (K.RETURN_PROGRESS, "售后单 {no} 退回的商品已收到"),
    "return.inspected": (K.RETURN_PROGRESS, "售后单 {no} 已出检测结果"),
    "return.waits_red": (K.RETURN_PROGRESS, "售后单 {no} 正在等待发票红冲"),
    "return.refunded": (K.RETURN_PROGRESS, "售后单 {no} 已退款"),
    "return.replaced": (K.RETURN_PROGRESS, "售后单 {no} 的新品已寄出"),
    "return.repaired": (K.RETURN_PROGRESS, "售后单 {no} 修好的商品已寄出"),
    "return.sent_out": (K.RETURN_PROGRESS, "售后单 {no} 未通过检测的商品已退还"),
    "return.expired": (K.RETURN_PROGRESS, "售后单 {no} 超时未寄回，已自动撤销"),
    "return.completed": (K.RETURN_PROGRESS, "售后单 {no} 已完成"),
    "return.message": (K.RETURN_PROGRESS, "客服在售后单 {no} 中给您留言"),
    "return.reminded": (K.RETURN_DUE, "售后单 {no} 即将到期，请尽快处理"),
}
CANCELS: dict[str, str] = {
    "cancel.done": "{who}取消了订单中的部分商品（{no}）",
    "cancel.granted": "取消申请 {no} 已同意",
    "cancel.refused": "取消申请 {no} 被拒绝",
}
PREPARED: dict[str, NoticeKind] = {
    "budget.alert": K.BUDGET_ALERT,
    "terms.ending": K.TERMS_ENDING,
    "terms.changed": K.TERMS_CHANGED,
    "invoice.issued": K.INVOICE_ISSUED,
    "invoice.rejected": K.INVOICE_REJECTED,
    "invoice.qualification": K.INVOICE_QUALIFICATION,
    "statement.issued": K.STATEMENT_ISSUED,
    "statement.pending": K.STATEMENT_MOVED,
    "statement.disputed": K.STATEMENT_MOVED,
    "statement.confirmed": K.STATEMENT_MOVED,
    "review.replied": K.REVIEW_MOVED,
    "review.hidden": K.REVIEW_MOVED,
    "question.answered": K.QUESTION_MOVED,
    "question.hidden": K.QUESTION_MOVED,
    "budget.transfer_asked": K.TRANSFER_WAITING,
    "budget.transfer_decided": K.TRANSFER_DECIDED,
    "webhook.paused": K.WEBHOOK_PAUSED,
    "export.ended": K.EXPORT_ENDED,
    "import.ended": K.IMPORT_ENDED,
    "requisition.waiting": K.REQUISITION_WAITING,
    "requisition.moved": K.REQUISITION_MOVED,
    "quotation.expiring": K.QUOTATION_MOVED,
    "quotation.ordered": K.QUOTATION_MOVED,
    "quotation.shortened": K.QUOTATION_MOVED,
    "quotation.voided": K.QUOTATION_MOVED,
    "quick_list.shared": K.LIST_SHARED,
    "restock.arrived": K.RESTOCK,
    "recurring.upcoming": K.RECURRING_UPCOMING,
    "recurring.blocked": K.RECURRING_BLOCKED,
    "recurring.moved": K.RECURRING_MOVED,
    "report.trouble": K.REPORT_TROUBLE,
}


Payload = dict[str, Any]
MessageBuilder = Callable[[str, Payload, "DisplayNames"], "NoticeMessage | None"]
STAFF, SYSTEM = "平台客服", "系统"
CONTACTS = {"mobile": "手机号码", "email": "邮箱"}


def build_handler(topic: str) -> Handler:
    """Return the outbox handler of a topic. It may run twice; the notice is created once."""
    build_message = TOPICS[topic]

    def handle(key: str, payload: Payload) -> None:
        if topic in SETTLING_TOPICS:
            _settle_notices(topic, payload)
        if (message := build_message(key, payload, DisplayNames([payload]))) is not None:
            notices_create(message)

    return handle


def handle_topic_batch(messages: Sequence[OutboxMessage]) -> None:
    """Create the notices of several messages of one group together. A message that settles notices
    finds those of the messages before it.
    """
    names = DisplayNames([message.payload for message in messages])
    gathered: list[NoticeMessage] = []
    for message in messages:
        if message.topic in SETTLING_TOPICS:
            notices_create(*gathered)
            gathered = []
            _settle_notices(message.topic, message.payload)
        with delivering(message):
            built = TOPICS[message.topic](message.key, message.payload, names)
        if built is not None:
            gathered.append(built)
    notices_create(*gathered)


def _settle_notices(topic: str, payload: Payload) -> None:
    """Mark notices as read whose act is done: all notices of an ended subject, or of a moved
    approval those of people who no longer have to act.
    """
    subject = (
        str(payload["SubjectKey"])
        if "SubjectKey" in payload
        else f"approval:{payload['ApprovalId']}"
    )
    if topic != "approval.moved":
        subject_mark_done(subject_key=subject)
        return
    # A late message must not settle notices that were created since.
    until = parse_datetime(str(payload["At"]))
    for payload_key, kinds in SETTLED_KINDS.items():
        if payload_key in payload:
            subject_mark_done(
                subject_key=subject, kinds=kinds, except_for=payload[payload_key], until=until
            )


def _dedupe_key(topic: str, payload: Payload) -> str:
    """Return the key that prevents a second notice: `Once` of the publisher, otherwise the
    message number, otherwise (outside a delivery) a hash of the payload.
    """
    identifier = payload.get("Once") or get_message_number()
    if identifier is None:
        identifier = hashlib.sha256(
            json.dumps(payload, sort_keys=True, default=str).encode()
        ).hexdigest()[:32]
    return f"{topic}:{identifier}"[:120]


def _list_recipients(payload: Payload, *, except_for: object = None) -> list[int]:
    """Return the recipients without the actor."""
    to: Iterable[object] = payload.get("To") or ()
    return [int(str(pk)) for pk in to if pk is not None and str(pk) != str(except_for)]


class DisplayNames:
    """The names of the actors of messages. The first name that is asked for reads all of them."""

    def __init__(self, payloads: Iterable[Payload]) -> None:
        actors = {payload.get(key) for payload in payloads for key in ("ActorId", "actor_id")}
        self._actor_ids = {int(str(pk)) for pk in actors if pk is not None}

    @cached_property
    def _nicknames(self) -> dict[int, str]:
        people = Account.objects.filter(pk__in=self._actor_ids, is_staff=False)
        return dict(people.values_list("pk", "nickname"))

    def get_name(self, pk: object) -> str:
        """Return the nickname of an account; 平台客服 for staff, 系统 for None."""
        return SYSTEM if pk is None else self._nicknames.get(int(str(pk))) or STAFF


def _format_title(
    topic: str, title: str, number: str, actor: object, *, names: DisplayNames
) -> str:
    """Return the title. Without an actor the title of the periodic job is used."""
    if actor is None:
        title = BY_CLOCK.get(topic, title)
    return title.format(no=number, who=names.get_name(actor))


def _build_approval_builder(topic: str, kind: NoticeKind, title: str) -> MessageBuilder:
    """Return the function that turns a payload of this approval topic into a notice. None:
    nobody is to be notified.
    """

    def build_message(_key: str, payload: Payload, names: DisplayNames) -> NoticeMessage | None:
        actor, number = payload.get("ActorId"), str(payload["ApprovalId"])
        # A requester who is also the approver gets the notice too.
        to = _list_recipients(payload, except_for=None if kind == K.APPROVAL_WAITING else actor)
        if not to:
            return None
        return NoticeMessage(
            kind=kind,
            to=to,
            title=title.format(who=names.get_name(actor), no=payload["SubjectNo"]),
            text=str(payload.get("Text") or ""),
            link=f"/userCenter/order/approval/{number}",
            subject_key=f"approval:{number}",
            once=_dedupe_key(topic, payload),
            own_link=_get_order_page(str(payload["SubjectNo"])),
        )

    return build_message


def _get_order_page(order_no: str) -> str:
    return f"/userCenter/order/detail?OrderNo={order_no}"


def _build_decision_message(
    _key: str, payload: Payload, names: DisplayNames
) -> NoticeMessage | None:
    outcome = "已通过审批" if payload.get("Outcome") == "approved" else "被审批驳回"
    message = _build_approval_builder(
        "approval.decided", K.APPROVAL_DECIDED, f"订单 {{no}} {outcome}"
    )(_key, payload, names)
    if message is None:
        return None
    number = str(payload["SubjectNo"])
    # The requester reads the result in the order, because the menu of approvals may be missing.
    return NoticeMessage(
        message.kind,
        message.to,
        message.title,
        message.once,
        message.text,
        _get_order_page(number),
        f"order:{number}",
    )


def _build_delegation_message(
    _key: str, payload: Payload, names: DisplayNames
) -> NoticeMessage | None:
    to = _list_recipients(payload, except_for=payload.get("ActorId"))
    if not to:
        return None
    return NoticeMessage(
        kind=K.APPROVAL_DELEGATED,
        to=to,
        title=f"{names.get_name(payload.get('ActorId'))}的代理审批安排",
        once=_dedupe_key("approval.delegated", payload),
        text=str(payload.get("Text") or ""),
        link="/userCenter/order/approval",
    )


def _build_order_builder(topic: str, kind: NoticeKind, title: str) -> MessageBuilder:
    """Return the function that notifies the requester of an order about an act of somebody else."""

    def build_message(key: str, payload: Payload, names: DisplayNames) -> NoticeMessage | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor:
            return None
        return NoticeMessage(
            kind=kind,
            to=[int(requester)],
            title=_format_title(topic, title, key, actor, names=names),
            text=str(payload.get("reason") or ""),
            link=_get_order_page(key),
            subject_key=f"order:{key}",
            once=_dedupe_key(topic, payload),
        )

    return build_message


def _build_document_builder(
    topic: str, kind: NoticeKind, title: str, *, page: str, subject: str
) -> MessageBuilder:
    """Build the notices to the requester of an inquiry or a return. `page` is the address of the
    list, `subject` the first part of the subject key. An own act or message gives no notice.
    """

    def build_message(key: str, payload: Payload, _names: DisplayNames) -> NoticeMessage | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor or payload.get("is_ours") is False:
            return None
        return NoticeMessage(
            kind=kind,
            to=[int(requester)],
            title=title.format(no=key),
            text=str(payload.get("reason") or ""),
            link=f"{page}/{key}",
            subject_key=f"{subject}:{key}",
            once=_dedupe_key(topic, payload),
        )

    return build_message


def _build_cancel_builder(topic: str, title: str) -> MessageBuilder:
    """Return the function that notifies the requester of a decided cancellation."""

    def build_message(key: str, payload: Payload, names: DisplayNames) -> NoticeMessage | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor:
            return None
        return NoticeMessage(
            kind=K.CANCEL_DECIDED,
            to=[int(requester)],
            title=_format_title(topic, title, key, actor, names=names),
            text=f"订单 {payload['order_no']}"
            + (f"：{payload['reason']}" if payload.get("reason") else ""),
            link=f"/userCenter/order/cancelSales/{payload['cancel_id']}",
            subject_key=f"order:{payload['order_no']}",
            once=_dedupe_key(topic, payload),
        )

    return build_message


def _build_prepared_builder(topic: str, kind: NoticeKind) -> MessageBuilder:
    """Build notices whose publisher sends Title, Text, Link and SubjectKey."""

    def build_message(_key: str, payload: Payload, _names: DisplayNames) -> NoticeMessage | None:
        to = _list_recipients(payload)
        link, subject = str(payload.get("Link") or ""), str(payload.get("SubjectKey") or "")
        return (
            NoticeMessage(
                kind,
                to,
                str(payload["Title"]),
                _dedupe_key(topic, payload),
                str(payload.get("Text") or ""),
                link,
                subject,
            )
            if to
            else None
        )

    return build_message


def _build_account_builder(topic: str, build_title: Callable[[Payload], str]) -> MessageBuilder:
    """Return the function that notifies an account of a change of its password or contact."""

    def build_message(key: str, payload: Payload, _names: DisplayNames) -> NoticeMessage:
        at = parse_datetime(str(payload["At"])) or timezone.now()
        return NoticeMessage(
            kind=K.ACCOUNT_CHANGED,
            to=[int(str(payload["AccountId"]))],
            title=build_title(payload),
            text=(
                f"{format_moment(at)} 生效。"
                "如果不是您本人操作，请立即修改登录密码并联系贵司管理员。"
            ),
            link="/userCenter/user/account",
            once=f"{topic}:{key}:{payload['At']}"[:120],
        )

    return build_message


def _get_builders_by_topic() -> dict[str, MessageBuilder]:
    """Return {outbox topic: function that builds its notice}."""
    return {
        **{
            topic: _build_approval_builder(topic, kind, title)
            for topic, (kind, title) in APPROVALS.items()
        },
        "approval.decided": _build_decision_message,
        "approval.delegated": _build_delegation_message,
        "approval.withdrawn": lambda _key, _payload, _names: None,
        "approval.moved": lambda _key, _payload, _names: None,
        "budget.transfer_withdrawn": lambda _key, _payload, _names: None,
        **{
            topic: _build_order_builder(topic, kind, title)
            for topic, (kind, title) in ORDERS.items()
        },
        **{
            topic: _build_document_builder(
                topic,
                K.INQUIRY_QUOTED,
                title,
                page="/userCenter/order/productInquiry",
                subject="inquiry",
            )
            for topic, title in INQUIRIES.items()
        },
        **{
            topic: _build_document_builder(
                topic, kind, title, page="/userCenter/order/afterSales", subject="return"
            )
            for topic, (kind, title) in RETURNS.items()
        },
        **{topic: _build_cancel_builder(topic, title) for topic, title in CANCELS.items()},
        **{topic: _build_prepared_builder(topic, kind) for topic, kind in PREPARED.items()},
        "identity.password_changed": _build_account_builder(
            "identity.password_changed", lambda _payload: "您的登录密码已修改"
        ),
        "identity.contact_changed": _build_account_builder(
            "identity.contact_changed",
            lambda payload: f"您的{CONTACTS[str(payload['Kind'])]}已更换",
        ),
        "identity.contact_changed_by_staff": _build_account_builder(
            "identity.contact_changed_by_staff",
            lambda payload: f"您的{CONTACTS[str(payload['Kind'])]}已由客服更换",
        ),
        "identity.wechat_work_bound": _build_account_builder(
            "identity.wechat_work_bound", lambda _payload: "您的账号已绑定企业微信"
        ),
        "identity.factor_reset": _build_account_builder(
            "identity.factor_reset", lambda _payload: "您的两步验证已重置"
        ),
    }


TOPICS: dict[str, MessageBuilder] = _get_builders_by_topic()
# Topics that settle notices; `approval.moved` settles only some.
SETTLING_TOPICS = frozenset(
    {
        "approval.decided",
        "approval.withdrawn",
        "approval.moved",
        "budget.transfer_decided",
        "budget.transfer_withdrawn",
        "recurring.moved",
    }
)
# {key of the payload of `approval.moved`: the kinds of notices it settles}
SETTLED_KINDS = {
    "Waiting": (K.APPROVAL_WAITING, K.APPROVAL_REMINDED, K.APPROVAL_ESCALATED),
    "Asked": (K.APPROVAL_ASKED,),
}
