"""What the other apps publish, and what a person is told of it: one table, topic → the words.

A handler reads nothing of the app that published: whoever is told, and of what, stands in the payload.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.common.background.outbox import Handler, message_number
from apps.common.days import moment_text
from apps.notices import titles
from apps.notices.enums import NoticeKind
from apps.notices.services.notice_read import subject_done
from apps.notices.services.notice_tell import Told, notices_tell
from apps.org.models import Account

Payload = dict[str, Any]
Words = Callable[[str, Payload], "Told | None"]
K = NoticeKind
STAFF, SYSTEM = "平台客服", "系统"
CONTACTS = {"mobile": "手机号码", "email": "邮箱"}


def handler_of(topic: str) -> Handler:
    """Return the outbox's handler of a topic: it may run twice, what it tells is told once."""
    words = TOPICS[topic]

    def handle(key: str, payload: Payload) -> None:
        if topic in ENDING:
            _end(payload, all_of_it=topic != "approval.moved")
        if (told := words(key, payload)) is not None:
            notices_tell(told)

    return handle


def _end(payload: Payload, *, all_of_it: bool) -> None:
    """What has been done waits for nobody: all of what has ended, of another approval whatever it asks of others by now."""
    subject = str(payload["SubjectKey"]) if "SubjectKey" in payload else f"approval:{payload['ApprovalId']}"
    if all_of_it:
        subject_done(subject_key=subject)
        return
    # Delivered late, it must not end what has been asked since.
    until = parse_datetime(str(payload["At"]))
    for word, kinds in MOVED.items():
        if word in payload:
            subject_done(subject_key=subject, kinds=kinds, but=payload[word], until=until)


def _once(topic: str, payload: Payload) -> str:
    """What names this for ever: the publisher's own word, else the message, else (outside a delivery) what it says."""
    said = payload.get("Once") or message_number()
    if said is None:
        said = hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode()).hexdigest()[:32]
    return f"{topic}:{said}"[:120]


def _people(payload: Payload, *, but: object = None) -> list[int]:
    """Whom it is for; nobody is told of what he did himself."""
    to: Iterable[object] = payload.get("To") or ()
    return [int(str(pk)) for pk in to if pk is not None and str(pk) != str(but)]


def _who(pk: object) -> str:
    """Return how a person is called: staff by no name of their own, nobody is the system."""
    if pk is None:
        return SYSTEM
    found = Account.objects.filter(pk=int(str(pk)), is_staff=False).values_list("nickname", flat=True).first()
    return found or STAFF


def _title(topic: str, title: str, number: str, actor: object) -> str:
    """Return what heads the news: of what the clock did, no doer."""
    if actor is None:
        title = titles.BY_CLOCK.get(topic, title)
    return title.format(no=number, who=_who(actor))


def _approval(topic: str, kind: NoticeKind, title: str) -> Words:
    def words(_key: str, payload: Payload) -> Told | None:
        actor, number = payload.get("ActorId"), str(payload["ApprovalId"])
        # He asked himself: it waits for him all the same.
        to = _people(payload, but=None if kind == K.APPROVAL_WAITING else actor)
        if not to:
            return None
        return Told(
            kind=kind,
            to=to,
            title=title.format(who=_who(actor), no=payload["SubjectNo"]),
            text=str(payload.get("Text") or ""),
            link=f"/userCenter/order/approval/{number}",
            subject_key=f"approval:{number}",
            once=_once(topic, payload),
            own_link=_order_page(str(payload["SubjectNo"])),
        )

    return words


def _order_page(order_no: str) -> str:
    return f"/userCenter/order/detail?OrderNo={order_no}"


def _decided(_key: str, payload: Payload) -> Told | None:
    outcome = "已通过审批" if payload.get("Outcome") == "approved" else "被审批驳回"
    told = _approval("approval.decided", K.APPROVAL_DECIDED, f"订单 {{no}} {outcome}")(_key, payload)
    if told is None:
        return None
    number = str(payload["SubjectNo"])
    # Whoever asked reads of it in his order: he may have no right to approvals. What has been done waits for nobody.
    return Told(told.kind, told.to, told.title, told.once, told.text, _order_page(number), f"order:{number}")


def _delegated(_key: str, payload: Payload) -> Told | None:
    to = _people(payload, but=payload.get("ActorId"))
    title, link = f"{_who(payload.get('ActorId'))}的代理审批安排", "/userCenter/order/approval"
    once = _once("approval.delegated", payload)
    return Told(K.APPROVAL_DELEGATED, to, title, once, str(payload.get("Text") or ""), link) if to else None


def _order(topic: str, kind: NoticeKind, title: str) -> Words:
    def words(key: str, payload: Payload) -> Told | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor:
            return None
        return Told(
            kind=kind,
            to=[int(requester)],
            title=_title(topic, title, key, actor),
            text=str(payload.get("reason") or ""),
            link=_order_page(key),
            subject_key=f"order:{key}",
            once=_once(topic, payload),
        )

    return words


def _inquiry(topic: str, title: str) -> Words:
    def words(key: str, payload: Payload) -> Told | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor or payload.get("is_ours") is False:
            return None
        return Told(
            kind=K.INQUIRY_QUOTED,
            to=[int(requester)],
            title=title.format(no=key),
            text=str(payload.get("reason") or ""),
            link=f"/userCenter/order/productInquiry/{key}",
            subject_key=f"inquiry:{key}",
            once=_once(topic, payload),
        )

    return words


def _return(topic: str, kind: NoticeKind, title: str) -> Words:
    def words(key: str, payload: Payload) -> Told | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor or payload.get("is_ours") is False:
            return None
        return Told(
            kind=kind,
            to=[int(requester)],
            title=title.format(no=key),
            text=str(payload.get("reason") or ""),
            link=f"/userCenter/order/afterSales/{key}",
            subject_key=f"return:{key}",
            once=_once(topic, payload),
        )

    return words


def _cancel(topic: str, title: str) -> Words:
    def words(key: str, payload: Payload) -> Told | None:
        requester, actor = payload.get("requester_id"), payload.get("actor_id")
        if requester is None or requester == actor:
            return None
        return Told(
            kind=K.CANCEL_DECIDED,
            to=[int(requester)],
            title=_title(topic, title, key, actor),
            text=f"订单 {payload['order_no']}" + (f"：{payload['reason']}" if payload.get("reason") else ""),
            link=f"/userCenter/order/cancelSales/{payload['cancel_id']}",
            subject_key=f"order:{payload['order_no']}",
            once=_once(topic, payload),
        )

    return words


def _said(topic: str, kind: NoticeKind) -> Words:
    """What its publisher has put into words himself: Title, Text, Link, SubjectKey."""

    def words(_key: str, payload: Payload) -> Told | None:
        to = _people(payload)
        link, subject = str(payload.get("Link") or ""), str(payload.get("SubjectKey") or "")
        return Told(kind, to, str(payload["Title"]), _once(topic, payload), str(payload.get("Text") or ""), link, subject) if to else None

    return words


def _account(topic: str, what: Callable[[Payload], str]) -> Words:
    def words(key: str, payload: Payload) -> Told:
        at = parse_datetime(str(payload["At"])) or timezone.now()
        return Told(
            kind=K.ACCOUNT_CHANGED,
            to=[int(str(payload["AccountId"]))],
            title=what(payload),
            text=f"{moment_text(at)} 生效。如果不是您本人操作，请立即修改登录密码并联系贵司管理员。",
            link="/userCenter/user/account",
            once=f"{topic}:{key}:{payload['At']}"[:120],
        )

    return words


def _table() -> dict[str, Words]:
    return {
        **{topic: _approval(topic, kind, title) for topic, (kind, title) in titles.APPROVALS.items()},
        "approval.decided": _decided,
        "approval.delegated": _delegated,
        "approval.withdrawn": lambda _key, _payload: None,
        "approval.moved": lambda _key, _payload: None,
        "budget.transfer_withdrawn": lambda _key, _payload: None,
        **{topic: _order(topic, kind, title) for topic, (kind, title) in titles.ORDERS.items()},
        **{topic: _inquiry(topic, title) for topic, title in titles.INQUIRIES.items()},
        **{topic: _return(topic, kind, title) for topic, (kind, title) in titles.RETURNS.items()},
        **{topic: _cancel(topic, title) for topic, title in titles.CANCELS.items()},
        **{topic: _said(topic, kind) for topic, kind in titles.SAID.items()},
        "identity.password_changed": _account("identity.password_changed", lambda _payload: "您的登录密码已修改"),
        "identity.contact_changed": _account("identity.contact_changed", lambda payload: f"您的{CONTACTS[str(payload['Kind'])]}已更换"),
        "identity.wechat_work_bound": _account("identity.wechat_work_bound", lambda _payload: "您的账号已绑定企业微信"),
    }


TOPICS: dict[str, Words] = _table()
# After these some are waited for no more: after `approval.moved` not all.
ENDING = frozenset({"approval.decided", "approval.withdrawn", "approval.moved", "budget.transfer_decided", "budget.transfer_withdrawn"})
# What `approval.moved` says who is still asked for, and what asks it of them.
MOVED = {"Waiting": (K.APPROVAL_WAITING, K.APPROVAL_REMINDED, K.APPROVAL_ESCALATED), "Asked": (K.APPROVAL_ASKED,)}
