"""Replies about orders, purchases and approvals, within the person's rights."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils import timezone

from apps.approvals.enums import TaskStatus
from apps.approvals.models import Approval
from apps.assistant.answers import Delta, Event, Link, Links, Remember, Working
from apps.assistant.embedded.question import ORDERS as SHOWN_ORDERS
from apps.assistant.embedded.question import Question, list_shown_orders, points_beyond, resolve
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.orders import (
    OrderPage,
    OrderQuestion,
    count_decided_approvals,
    find_last_shipped_order,
    format_waiting_names,
    list_own_waiting_approvals,
    look_up_approvals,
    look_up_order,
    orders_find,
    purchases_find,
)
from apps.common.money import format_yuan
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, Shipment
from apps.orders.selectors.orders import UNPAID, OrderDetail

ORDER_TOOL, APPROVALS, BOUGHT = "order_status", "pending_approvals", "purchases"
ALL_ORDERS = Link("我的订单", "/userCenter/order/index")
ALL_APPROVALS = Link("订单审批", "/userCenter/order/approval")
S = OrderStatus
OPEN = (
    S.PENDING_APPROVAL,
    S.PENDING_CONFIRM,
    S.PENDING_SHIPMENT,
    S.PARTLY_SHIPPED,
    S.PENDING_RECEIPT,
)
# pattern in the masked text → order states, title
STATES: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (re.compile(r"待付款|待支付|没付|未付|未支付|没支付|要付款|没有?付款"), (UNPAID,), "待支付"),
    (re.compile(r"驳回|被拒|没通过|退回|打回|拒了"), (S.REJECTED,), "审批驳回"),
    (re.compile(r"撤回|撤销"), (S.WITHDRAWN,), "已撤回"),
    (re.compile(r"审批|待审|在审"), (S.PENDING_APPROVAL,), "审批中"),
    (re.compile(r"取消"), (S.CANCELLED,), "已取消"),
    (
        re.compile(r"没发货|未发货|待发货|没发|未发|拖着|待确认"),
        (S.PENDING_CONFIRM, S.PENDING_SHIPMENT),
        "待发货（含待确认）",
    ),
    (
        re.compile(r"待收货|在路上|路上|在途|包裹|快递|物流"),
        (S.PARTLY_SHIPPED, S.PENDING_RECEIPT),
        "在途、待收货",
    ),
    (
        re.compile(
            r"没收货|未收货|没签收|未签收|没收|没收到|没到|没送到|未到货|没完成|未完成|进行中|处理中|没结束|还没"
        ),
        OPEN,
        "还没到货",
    ),
    (re.compile(r"完成|已完|已收货|已签收"), (S.COMPLETED,), "已完成"),
)

# Words about a state that no row of the table understands.
UNCLEAR_STATE = re.compile(r"收货|到货|签收|发货|付款|支付|物流")


def show_order(question: Question) -> Iterator[Event]:
    """Show one order: the named one, the one referred to, the last shipped one, or the newest."""
    yield Working(ORDER_TOOL, "正在查询订单")
    slots = question.slots
    if slots.order_nos:
        for order_no in slots.order_nos[:3]:
            yield from _reply_with_order(question, order_no)
        return
    if slots.references and not re.search(r"最近|最新|刚", slots.masked_text):
        shown_numbers = list_shown_orders(question.turns)
        numbers = resolve(slots.references, shown_numbers)
        if not numbers or points_beyond(slots.references, shown_numbers):
            yield Delta("您说的是哪一张订单？请告诉我订单号，或先让我列出订单。")
            return
        for order_no in numbers[:3]:
            yield from _reply_with_order(question, order_no)
        return
    if re.search(r"单号|物流|快递|运单|包裹", slots.masked_text):
        order = find_last_shipped_order(actor=question.actor)
        if order is None:
            yield Delta("您的订单还没有发货记录，没有物流单号。")
            yield Links((ALL_ORDERS,))
            return
        yield from _reply_with_order(question, order.order_no)
        return
    page = orders_find(actor=question.actor, question=OrderQuestion())
    if not page.orders:
        yield Delta("您还没有订单。")
        yield Links((ALL_ORDERS,))
        return
    yield from _reply_with_order(question, page.orders[0].order_no)


def _reply_with_order(question: Question, order_no: str) -> Iterator[Event]:
    """Show one order with its state, lines and shipments, and remember it as the order shown
    last.
    """
    detail = look_up_order(actor=question.actor, order_no=order_no)
    if detail is None:
        yield Delta(
            f"没有找到订单 {escape_markdown(order_no)}：请核对订单号，或它不在您可以查看的范围内。"
        )
        yield Links((ALL_ORDERS,))
        return
    yield Delta(_format_order(detail))
    yield Links((_order_link(detail.order), ALL_ORDERS))
    yield Remember({SHOWN_ORDERS: [detail.order.order_no]})


def _order_link(order: Order) -> Link:
    return Link(f"订单 {order.order_no}", f"/userCenter/order/detail?OrderNo={order.order_no}")


def _format_order(detail: OrderDetail) -> str:
    """Return an order as Markdown: state, amount, delivery, five lines, shipments, approval."""
    order = detail.order
    lines = list(order.lines.all())
    goods = [f"- {escape_markdown(line.name)} × {line.quantity} {line.unit}" for line in lines[:5]]
    if len(lines) > 5:
        goods.append(f"- 等共 {len(lines)} 种")
    requester = escape_markdown(order.requester.nickname)
    parts = [
        (
            f"订单 **{order.order_no}** 现在是 **{order.get_status_display()}**，"
            f"{requester} {_format_submission_day(order)} 提交，"
            f"金额 {format_yuan(order.total_amount)}。"
        ),
        _format_delivery(order),
        "\n".join(goods),
    ]
    shipments = [_format_shipment(row) for row in order.shipments.all()]
    if shipments:
        parts.append("\n".join(["物流：", *shipments]))
    if order.status == S.PENDING_APPROVAL and detail.approval is not None:
        names = escape_markdown(format_waiting_names(detail.approval))
        parts.append(f"正在等待审批：{names}。" if names else "正在等待审批。")
    if order.status == S.REJECTED and detail.approval is not None:
        parts += _list_rejection_texts(detail.approval)
    return "\n\n".join(part for part in parts if part)


def _format_delivery(order: Order) -> str:
    """Return when the goods arrive, as far as the order says it."""
    promised = f"承诺交货 {order.promised_days} 天"
    match order.status:
        case S.PENDING_APPROVAL:
            return f"审批通过后才会发货，{promised}，具体到货日期要等发货后才知道。"
        case S.PENDING_CONFIRM | S.PENDING_SHIPMENT:
            return f"还没有发货，{promised}。"
        case S.PARTLY_SHIPPED | S.PENDING_RECEIPT:
            return f"已经发货，{promised}，请看下面的物流。"
    return ""


def _list_rejection_texts(approval: Approval) -> list[str]:
    """Return who rejected the order, why, and the possible next step."""
    return [
        _describe_rejection(approval),
        "可以在订单详情里点“再次购买”，按意见修改后重新提交。",
    ]


def _describe_rejection(approval: Approval) -> str:
    """Return who rejected the order and why, as Markdown. "" if nobody rejected it."""
    reasons = [
        f"{escape_markdown(task.approver.nickname)} 驳回，原因："
        f"**{escape_markdown(task.comment or '未填写')}**"
        for step in approval.steps.all()
        for task in step.tasks.all()
        if task.status == TaskStatus.REJECTED
    ]
    return "；".join(reasons)


def _format_shipment(row: Shipment) -> str:
    arrived = "，已签收" if row.received_at else ""
    return (
        f"- {escape_markdown(row.carrier)}，运单号 {escape_markdown(row.tracking_no)}，"
        f"{timezone.localtime(row.shipped_at):%m月%d日} 发出{arrived}"
    )


def _format_submission_day(order: Order) -> str:
    return f"{timezone.localtime(order.submitted_at):%Y年%m月%d日}"


def show_orders(question: Question) -> Iterator[Event]:
    """List the orders of a state, a period and a person.

    Raises:
        NotAllowed: the person has no right to open orders, or asks about colleagues.
    """
    yield Working(ORDER_TOOL, "正在查询订单")
    slots = question.slots
    statuses, title = _find_states(slots.masked_text)
    if not statuses and UNCLEAR_STATE.search(slots.masked_text):
        yield Delta(
            "您想看哪种状态的订单？可以说“待发货”“还没到货”“待支付”“已完成”“已取消”“审批中”。"
        )
        return
    period = slots.periods[0] if slots.periods else None
    people = [pk for person in slots.people for pk in person.account_ids]
    place = slots.departments[0] if slots.departments else None
    is_all = bool(re.search(r"公司|部门|集团|企业|大家|所有人", slots.text)) or place is not None
    page = orders_find(
        actor=question.actor,
        question=OrderQuestion(
            statuses=statuses,
            since=period.since if period else None,
            until=period.until if period else None,
            requester_ids=tuple(people),
            department_id=place.department_id if place else None,
            is_own=not is_all,
        ),
    )
    who = "、".join(person.word for person in slots.people) or (place.name if place else "")
    if is_all and not who:
        who = "您可查看范围内"
    when = f"{period.label}（{period.days_text}）提交的" if period else ""
    head = f"{escape_markdown(who)}{'的' * bool(who)}{when}{title}{'的' * bool(title)}订单"
    yield from _reply_with_list(page, head)


def _find_states(masked_text: str) -> tuple[tuple[str, ...], str]:
    """Return the order states that the request names, and their Chinese title; (), "" if it names
    none.
    """
    for pattern, statuses, title in STATES:
        if pattern.search(masked_text):
            return statuses, title
    return (), ""


def show_shipped(question: Question) -> Iterator[Event]:
    """List the orders of which a parcel left in a period."""
    yield Working(ORDER_TOOL, "正在查询发货")
    periods = question.slots.periods
    if not periods:
        yield Delta("您想查哪段时间发的货？例如“这周发货了哪些”。")
        return
    period = periods[0]
    page = orders_find(
        actor=question.actor,
        question=OrderQuestion(shipped=(period.since, period.until)),
    )
    yield from _reply_with_list(page, f"{period.label}（{period.days_text}）发过货的订单")


def _reply_with_list(page: OrderPage, title: str) -> Iterator[Event]:
    """List the orders of a page with their shipments under way, and remember them as shown."""
    if not page.total:
        yield Delta(f"没有{title}。")
        yield Links((ALL_ORDERS,))
        return
    rows = [
        (
            f"- **{order.order_no}** {order.get_status_display()}，"
            f"{_format_submission_day(order)}，{format_yuan(order.total_amount)}"
        )
        + "".join(
            f"，{escape_markdown(row.carrier)} {escape_markdown(row.tracking_no)}"
            for row in order.shipments.all()
            if not row.received_at
        )
        for order in page.orders
    ]
    head = f"{title}共 {page.total} 张" + ("，最近的是：" if page.total > len(rows) else "：")
    yield Delta("\n".join([head, "", *rows]))
    yield Links((ALL_ORDERS,))
    yield Remember({SHOWN_ORDERS: [order.order_no for order in page.orders]})


def show_bought(question: Question) -> Iterator[Event]:
    """Show what was bought in a period, or when a kind was bought last."""
    yield Working(BOUGHT, "正在查询购买记录")
    slots = question.slots
    period = slots.periods[0] if slots.periods else None
    if not (period or slots.kinds or slots.brands or slots.measures):
        yield Delta("您想查哪段时间，或哪种商品的购买记录？例如“上个月买了哪些东西”。")
        return
    account_ids = [pk for person in slots.people for pk in person.account_ids]
    purchases = purchases_find(
        actor=question.actor,
        category_ids=[category.id for kind in slots.kinds for category in kind.categories],
        words=[*slots.brands, *slots.colours, *slots.measures],
        since=period.since if period else None,
        until=period.until if period else None,
        requester_ids=account_ids,
    )
    goods_text = " ".join(
        [
            *slots.brands,
            *slots.colours,
            *(measure.upper() for measure in slots.measures),
            *(kind.word for kind in slots.kinds),
        ]
    )
    people_names = "、".join(person.word for person in slots.people)
    period_text = f"{period.label}（{period.days_text}）" if period else ""
    if not purchases.lines:
        yield Delta(
            f"{escape_markdown(people_names + period_text)}没有买过"
            f"{escape_markdown(goods_text or '商品')}。"
        )
        yield Links((ALL_ORDERS,))
        return
    if period is None:
        line = purchases.lines[0]
        yield Delta(
            f"最近一次买{escape_markdown(goods_text)}是 "
            f"**{_format_submission_day(line.order)}**，订单 **{line.order.order_no}**："
            f"{escape_markdown(line.name)} × {line.quantity} {line.unit}，"
            f"{format_yuan(line.amount_incl_tax)}。"
        )
        yield Links((_order_link(line.order),))
        yield Remember({SHOWN_ORDERS: [line.order.order_no]})
        return
    names = list(dict.fromkeys(line.name for line in purchases.lines))
    rows = [f"- {escape_markdown(name)}" for name in names]
    yield Delta(
        "\n".join(
            [
                (
                    f"{escape_markdown(people_names)}{period_text}买了 {purchases.total} 行商品，"
                    "最近的是："
                ),
                "",
                *rows,
            ]
        )
    )
    yield Links((ALL_ORDERS,))


def show_approvals(question: Question) -> Iterator[Event]:
    """Show what waits for the person, what he decided, where his own orders wait, or why they were
    rejected.
    """
    yield Working(APPROVALS, "正在查询审批")
    masked_text, periods = question.slots.masked_text, question.slots.periods
    if re.search(r"驳回|被拒|没通过|拒绝|打回", masked_text):
        yield from _show_rejected(question)
    elif periods and re.search(r"(?:批|审)", masked_text) and not re.search(r"等|待", masked_text):
        number = count_decided_approvals(
            actor=question.actor, since=periods[0].since, until=periods[0].until
        )
        yield Delta(f"{periods[0].label}（{periods[0].days_text}）您处理了 {number} 张审批。")
        yield Links((ALL_APPROVALS,))
    elif not re.search(r"(?:等|要|待|轮到)着?我", masked_text) and re.search(
        r"卡|谁|批了没|批了吗|(?:我|提交).{0,6}(?:走到|到哪|进度)|批到|审到", masked_text
    ):
        yield from _show_own_waiting(question)
    else:
        yield from _show_waiting(question)


def _show_waiting(question: Question) -> Iterator[Event]:
    """List the orders that wait for the person's approval, sorted as the request asks."""
    approvals, total = look_up_approvals(actor=question.actor)
    if not total:
        yield Delta("目前没有等待您审批的订单。")
        yield Links((ALL_APPROVALS,))
        return
    masked_text, order = question.slots.masked_text, ""
    if re.search(r"金额|最大|最高", masked_text):
        approvals = sorted(approvals, key=lambda row: -row.amount)
        order = "，按金额从高到低"
    elif "急" in masked_text:
        approvals = sorted(approvals, key=lambda row: row.created_at)
        order = "，等得最久的在前"
    rows = [
        f"- **{row.subject_no}** {escape_markdown(row.requester.nickname)} 提交，"
        f"{format_yuan(row.amount)}，{timezone.localtime(row.created_at):%m月%d日} 起等待"
        for row in approvals
    ]
    yield Delta(
        "\n".join(
            [
                f"有 {total} 张订单等待您审批{order}：",
                "",
                *rows,
                "",
                "请在审批页面查看明细后处理，我不能代为审批。",
            ]
        )
    )
    yield Links((ALL_APPROVALS,))
    yield Remember({SHOWN_ORDERS: [row.subject_no for row in approvals]})


def _show_own_waiting(question: Question) -> Iterator[Event]:
    """List the person's own orders that wait for somebody's approval."""
    approvals = list_own_waiting_approvals(actor=question.actor)
    if not approvals:
        yield Delta("您没有正在等待审批的订单。")
        yield Links((ALL_ORDERS,))
        return
    rows = [
        f"- **{row.subject_no}** {format_yuan(row.amount)}，正在等 "
        f"**{escape_markdown(format_waiting_names(row))}** 审批"
        for row in approvals
    ]
    yield Delta("\n".join([f"您有 {len(approvals)} 张订单在审批：", "", *rows]))
    yield Links((ALL_ORDERS,))
    yield Remember({SHOWN_ORDERS: [row.subject_no for row in approvals]})


def _show_rejected(question: Question) -> Iterator[Event]:
    """List the person's rejected orders with the reason of each."""
    page = orders_find(actor=question.actor, question=OrderQuestion(statuses=(S.REJECTED,)))
    if not page.total:
        yield Delta("您没有被驳回的订单。")
        yield Links((ALL_ORDERS,))
        return
    rows = []
    for order in page.orders:
        detail = look_up_order(actor=question.actor, order_no=order.order_no)
        reason = _describe_rejection(detail.approval) if detail and detail.approval else ""
        rows.append(
            f"- **{order.order_no}** {_format_submission_day(order)}，{reason or '原因：未填写'}"
        )
    head = f"您被驳回的订单共 {page.total} 张" + (
        "，最近的是：" if page.total > len(rows) else "："
    )
    yield Delta("\n".join([head, "", *rows]))
    yield Links((ALL_ORDERS,))
    yield Remember({SHOWN_ORDERS: [order.order_no for order in page.orders]})
