"""Returns of the demo in every state, written by the current services under a fixed clock, and
return policies that differ by category.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from apps.aftersales.enums import ReturnKind, ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder, ReturnPolicy
from apps.aftersales.services.return_apply import ReturnForm, ReturnFormLine, return_open
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_message import return_message, return_reply
from apps.aftersales.services.return_parcels import return_fetched, return_send_out, return_ship
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.services.return_review import (
    InspectionResult,
    return_approve,
    return_inspect,
    return_receive,
    return_reject,
)
from apps.catalog.models import Category
from apps.common.tenancy import tenant_scope
from apps.orders.models import Order, OrderLine
from apps.org.models import Account
from demo.load.clock import clock_at

S = ReturnStatus
SEND_TO = "江苏省苏州市工业园区示例路 66 号 2 号库 售后组 0512-65550100"
# category name → (return, exchange, repair), each as (days, days for defects, accepts opened goods,
# note)
POLICIES: dict[str, tuple[tuple[int, int, bool, str], ...]] = {
    "": (
        (7, 15, False, ""),
        (7, 15, False, ""),
        (0, 0, False, "消耗品不提供维修，有质量问题请申请退换"),
    ),
    "水饮冲调": (
        (7, 15, False, "食品饮料拆封后不退"),
        (7, 15, False, "食品饮料拆封后不换"),
        (0, 0, False, "食品饮料不提供维修"),
    ),
    "休闲食品": (
        (7, 15, False, "食品拆封后不退"),
        (7, 15, False, "食品拆封后不换"),
        (0, 0, False, "食品不提供维修"),
    ),
    "卫生纸": (
        (7, 15, False, "卫生用品拆封后不退"),
        (7, 15, False, "卫生用品拆封后不换"),
        (0, 0, False, "卫生用品不提供维修"),
    ),
    "清洁用品": (
        (7, 15, False, "卫生用品拆封后不退"),
        (7, 15, False, "卫生用品拆封后不换"),
        (0, 0, False, "清洁用品不提供维修"),
    ),
}

# Categories of repairable goods.
LASTING = (
    *(
        "打印复印",
        "文印装订",
        "会议考勤",
        "办公椅凳",
        "办公桌台",
        "柜类货架",
        "电脑整机",
        "外设配件",
        "网络数码",
        "大家电",
    ),
    *("厨房小电", "生活小电", "安防监控", "电动气动", "展示教学"),
)
REPAIRED = ((7, 15, False, ""), (7, 15, False, ""), (365, 365, True, "保修期内免费维修"))


@dataclass(frozen=True, slots=True)
class Story:
    """A return of an account's order, requested `days` ago. `status` is its final state."""

    who: str
    days: float
    kind: str
    reason: str
    way: str
    status: str
    detail: str
    messages: tuple[tuple[str, str], ...] = ()


STORIES = (
    Story(
        "buyer",
        0.3,
        "return",
        "quality",
        "pickup",
        S.PENDING_REVIEW,
        "做工有问题，不能正常使用",
        (("he", "请尽快安排取件。"),),
    ),
    Story(
        "buyer",
        2,
        "exchange",
        "wrong",
        "send",
        S.PENDING_SEND,
        "收到的规格与订单不符",
        (("us", "同意换货，请按地址寄回。"),),
    ),
    Story("buyer", 3, "repair", "quality", "pickup", S.INSPECTING, "不能正常使用"),
    Story("buyer", 5, "return", "unsuitable", "send", S.PENDING_CONFIRM, "多订了，未拆封"),
    Story("buyer", 30, "return", "damaged", "pickup", S.COMPLETED, "外箱破损，内件压坏"),
    Story("ga", 1.5, "exchange", "quality", "pickup", S.PROCESSING, "接缝开裂"),
    Story("ga", 20, "return", "unsuitable", "send", S.REJECTED, "不想要了，已经拆开用过"),
    Story("xl.li", 1, "return", "short", "none", S.PENDING_REVIEW, "少一箱"),
    Story("xl.li", 4, "return", "quality", "send", S.PENDING_RECEIPT, "印刷模糊"),
    Story("xl.qian", 15, "exchange", "damaged", "pickup", S.COMPLETED, "外壳有裂纹"),
    Story("xl.qian", 8, "return", "unsuitable", "send", S.WITHDRAWN, "规格买错"),
)


def load_returns(now: datetime, chance: random.Random) -> str:
    """Write the policies and the returns of the last weeks. Return a summary in Chinese."""
    _create_policies()
    people = {
        person.username: person
        for person in Account.objects.filter(
            username__in=["ops.kefu", *(story.who for story in STORIES)]
        )
    }
    used: set[int] = set()
    texts = sum(
        _play_story(story, people[story.who], people["ops.kefu"], now, chance, used)
        for story in STORIES
        if story.who in people
    )
    return f"{texts} 张"


def _create_policies() -> None:
    for name, terms in (POLICIES | dict.fromkeys(LASTING, REPAIRED)).items():
        category = Category.objects.filter(name=name).order_by("level").first() if name else None
        if name and category is None:
            continue
        for kind, (days, quality_days, takes_opened, note) in zip(ReturnKind, terms, strict=True):
            ReturnPolicy.objects.create(
                category=category,
                kind=kind,
                days=days,
                quality_days=quality_days,
                takes_opened=takes_opened,
                note=note,
            )


def _play_story(
    story: Story,
    person: Account,
    staff: Account,
    now: datetime,
    chance: random.Random,
    used: set[int],
) -> bool:
    at = now - timedelta(days=story.days)
    with tenant_scope(group_id=person.group_id or 0):
        line = _find_line(person, at, chance, used, lasting=story.kind == ReturnKind.REPAIR)
        if line is None:
            return False
        used.add(line.order_id)
        pieces = min(1 + chance.randrange(3), line.received_quantity)
        form = ReturnForm(
            line.order.order_no,
            story.kind,
            story.reason,
            story.way,
            (ReturnFormLine(line.pk, pieces),),
            story.detail,
        )
        with clock_at(at):
            return_order = return_open(line.order, form, actor=person)
    _lead_return(story, return_order, line.order.requester, staff, at)
    return True


def _find_line(
    person: Account, at: datetime, chance: random.Random, used: set[int], *, lasting: bool
) -> OrderLine | None:
    """Return a line of an order that was completed before `at`, of the person or else of the
    person's enterprise.
    """
    free = OrderLine.objects.filter(
        received_quantity__gt=F("returning_quantity") + F("returned_quantity"),
        order__completed_at__lt=at,
    )
    if lasting:
        free = free.filter(product__category__parent__parent__name__in=LASTING)
    for orders in (
        Order.objects.filter(requester=person),
        Order.objects.filter(enterprise=person.enterprise_id),
    ):
        latest = (
            free.filter(order__in=orders).exclude(order__in=used).select_related("order__requester")
        )
        rows: list[OrderLine] = list(latest.order_by("-order__completed_at", "pk")[:6])
        if rows:
            return chance.choice(rows)
    return None


def _lead_return(
    story: Story, return_order: ReturnOrder, buyer: Account, staff: Account, at: datetime
) -> None:
    """Move the return forward, some hours per step, until it has the status of the story."""
    key, number = return_order.pk, return_order.return_no
    steps: dict[str, Callable[[], object]] = {
        S.PENDING_REVIEW: lambda: return_approve(
            actor=staff, return_id=key, send_to=SEND_TO if story.way == ReturnWay.SEND else ""
        ),
        S.PENDING_SEND: lambda: _send_parcel(story, return_order, buyer, staff),
        S.PENDING_RECEIPT: lambda: return_receive(actor=staff, return_id=key),
        S.INSPECTING: lambda: _inspect(return_order, staff),
        S.PROCESSING: lambda: _settle(story, key, staff),
        S.PENDING_CONFIRM: lambda: return_confirm(actor=buyer, return_no=number),
    }
    ends: dict[str, Callable[[], object]] = {
        S.REJECTED: lambda: return_reject(
            actor=staff, return_id=key, reason="商品已拆封使用，不影响使用的情况下不支持退货"
        ),
        S.WITHDRAWN: lambda: return_withdraw(
            actor=buyer, return_no=number, reason="部门间已调剂，不退了"
        ),
    }
    moment = at
    with tenant_scope(group_id=return_order.group_id):
        for who, text in story.messages:
            moment += timedelta(hours=1)
            with clock_at(moment):
                _say(return_order, buyer if who == "he" else staff, text, is_ours=who == "us")
        if story.status in ends:
            with clock_at(moment + timedelta(hours=3)):
                ends[story.status]()
            return
        step = min(timedelta(hours=12), (timezone.now() - moment) / 8)
        while (stands := ReturnOrder.objects.get(pk=key).status) != story.status:
            moment += step
            with clock_at(moment):
                steps[stands]()


def _say(return_order: ReturnOrder, who: Account, text: str, *, is_ours: bool) -> None:
    if is_ours:
        return_reply(actor=who, return_id=return_order.pk, text=text)
    else:
        return_message(actor=who, return_no=return_order.return_no, text=text)


def _send_parcel(story: Story, return_order: ReturnOrder, buyer: Account, staff: Account) -> None:
    parcel = {"carrier": "示例速运", "tracking_no": f"SF{return_order.pk:010d}"}
    if story.way == ReturnWay.PICKUP:
        return_fetched(actor=staff, return_id=return_order.pk, **parcel)
    else:
        return_ship(actor=buyer, return_no=return_order.return_no, **parcel)


def _inspect(return_order: ReturnOrder, staff: Account) -> None:
    sound = return_order.reason == "unsuitable"
    counts = {
        line.pk: InspectionResult(line.quantity, to_shelf=sound)
        for line in return_order.lines.all()
    }
    return_inspect(actor=staff, return_id=return_order.pk, lines=counts)


def _settle(story: Story, key: int, staff: Account) -> None:
    if story.kind == ReturnKind.RETURN:
        return_refund(actor=staff, return_id=key)
    else:
        return_send_out(
            actor=staff, return_id=key, carrier="文采自营配送", tracking_no=f"WC{key:010d}"
        )
