"""Replies about orders, approvals and budgets, within the person's rights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from django.utils import timezone

from apps.approvals.enums import TaskStatus
from apps.approvals.models import Approval
from apps.assistant.answers import Delta, Event, Link, Links, Remember, Working
from apps.assistant.embedded.reading import Question, parse_number
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.orders import (
    OrderPage,
    approvals_lookup,
    order_lookup,
    orders_lookup,
)
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import budgets_usable
from apps.common.money import yuan_text
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, Shipment
from apps.orders.selectors.orders import UNPAID, OrderDetail

ORDERS, APPROVALS, BUDGET = "order_status", "pending_approvals", "budget_left"
ALL_ORDERS = Link("我的订单", "/userCenter/order/index")
ALL_APPROVALS = Link("订单审批", "/userCenter/order/approval")
S = OrderStatus
# pattern in the question → order states, title
STATES_BY_PATTERN: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (re.compile(r"待付款|待支付|没付款|未付款|要付款|没支付"), (UNPAID,), "待支付"),
    (re.compile(r"驳回|被拒|没通过"), (S.REJECTED,), "被驳回"),
    (re.compile(r"在?审批中?|待审批|审批进度"), (S.PENDING_APPROVAL,), "审批中"),
    (
        re.compile(r"没收货|未收货|待收货|没收到|没到|还没送|快递|物流|运单|包裹|在路上|在途"),
        (S.PENDING_RECEIPT, S.PARTLY_SHIPPED),
        "在途、待收货",
    ),
    (re.compile(r"没发货|未发货|待发货"), (S.PENDING_SHIPMENT, S.PENDING_CONFIRM), "待发货"),
    (re.compile(r"已?取消"), (S.CANCELLED,), "已取消"),
)
ASKS_ONE = re.compile(r"到哪|状态|最近一|最新|上一|上次|上回|我的订单$|最近(?:的)?订单|怎么样了")


def show_orders(question: Question) -> Iterator[Event]:
    """Show the order named in the question, the orders in the requested state, or the newest
    orders.

    Raises:
        NotAllowed: the person has no right to open orders.
    """
    yield Working(ORDERS, "正在查询订单")
    text = question.reading.text
    order_nos = question.reading.order_nos or _order_before(question)
    if order_nos:
        yield from _reply_with_order(question, order_nos[0])
        return
    for pattern, states, title in STATES_BY_PATTERN:
        if pattern.search(text) and not re.search(r"^我的订单到哪", text):
            yield from _reply_with_states(question, states, title)
            return
    page = orders_lookup(actor=question.actor)
    if not page.orders:
        page = orders_lookup(actor=question.actor, is_own=False)
    if not page.orders:
        yield Delta("您还没有订单。")
        yield Links((ALL_ORDERS,))
    elif ASKS_ONE.search(text) or "买" in text:
        yield from _reply_with_order(question, page.orders[0].order_no)
    else:
        yield from _reply_with_list(page, "最近的订单")


def _order_before(question: Question) -> tuple[str, ...]:
    """Return the order of the previous answer if the question continues it without naming an
    order.
    """
    last = question.turns[-1] if question.turns else None
    order_no = last.facts.get("order") if last else None
    if order_no and re.search(
        r"物流|快递|运单|单号|驳回|被拒|原因|它|这(?:个|张|单)|什么时候到|到哪|明细|金额|多少钱",
        question.reading.text,
    ):
        return (str(order_no),)
    return ()


def _reply_with_order(question: Question, order_no: str) -> Iterator[Event]:
    detail = order_lookup(actor=question.actor, order_no=order_no)
    if detail is None:
        yield Delta(
            f"没有找到订单 {escape_markdown(order_no)}：请核对订单号，或它不在您可以查看的范围内。"
        )
        yield Links((ALL_ORDERS,))
        return
    yield Delta(_format_order(detail))
    yield Links(
        (
            Link(
                f"订单 {detail.order.order_no}",
                f"/userCenter/order/detail?OrderNo={detail.order.order_no}",
            ),
            ALL_ORDERS,
        )
    )
    yield Remember({"order": detail.order.order_no})


def _format_order(detail: OrderDetail) -> str:
    order = detail.order
    lines = list(order.lines.all())
    goods = [f"- {escape_markdown(line.name)} × {line.quantity} {line.unit}" for line in lines[:5]]
    if len(lines) > 5:
        goods.append(f"- 等共 {len(lines)} 种")
    parts = [
        (
            f"订单 **{order.order_no}** 现在是 **{order.get_status_display()}**，"
            f"{_submission_day(order)} 提交，金额 {yuan_text(order.total_amount)}。"
        ),
        "\n".join(goods),
    ]
    shipments = [_format_shipment(row) for row in order.shipments.all()]
    if shipments:
        parts.append("\n".join(["物流：", *shipments]))
    if order.status == S.PENDING_APPROVAL and detail.approval is not None:
        waits = [
            task.approver.nickname
            for step in detail.approval.steps.all()
            for task in step.tasks.all()
            if task.status == "pending"
        ]
        names = escape_markdown("、".join(dict.fromkeys(waits)))
        parts.append(f"正在等待审批：{names}。" if names else "正在等待审批。")
    if order.status == S.REJECTED and detail.approval is not None:
        parts += _rejection_texts(detail.approval)
    return "\n\n".join(parts)


def _rejection_texts(approval: Approval) -> list[str]:
    """Return who rejected the order, why, and the possible next step."""
    rejections = [
        task
        for step in approval.steps.all()
        for task in step.tasks.all()
        if task.status == TaskStatus.REJECTED
    ]
    reasons = [
        (
            f"{escape_markdown(task.approver.nickname)} 驳回，原因："
            f"**{escape_markdown(task.comment or '未填写')}**。"
        )
        for task in rejections
    ]
    return [*reasons, "可以在订单详情里点“再次购买”，按意见修改后重新提交。"]


def _format_shipment(row: Shipment) -> str:
    arrived = "，已签收" if row.received_at else ""
    return (
        f"- {escape_markdown(row.carrier)}，运单号 {escape_markdown(row.tracking_no)}，"
        f"{timezone.localtime(row.shipped_at):%m月%d日} 发出{arrived}"
    )


def _submission_day(order: Order) -> str:
    return f"{timezone.localtime(order.submitted_at):%Y年%m月%d日}"


def _reply_with_states(question: Question, states: tuple[str, ...], title: str) -> Iterator[Event]:
    """Reply with the orders in these states: one in detail, several as a list, or that there are
    none.
    """
    pages = [orders_lookup(actor=question.actor, status=state) for state in states]
    together = OrderPage(
        [order for part in pages for order in part.orders], sum(part.total for part in pages)
    )
    if not together.total:
        labels = ["待支付" if state == UNPAID else str(S(state).label) for state in states]
        yield Delta(f"没有{title}（{'、'.join(labels)}）的订单。")
        yield Links((ALL_ORDERS,))
    elif together.total == 1:
        yield from _reply_with_order(question, together.orders[0].order_no)
        yield Delta(f"\n\n{title}的订单共 1 张。")
    else:
        yield from _reply_with_list(together, f"{title}的订单")


def _reply_with_list(page: OrderPage, title: str) -> Iterator[Event]:
    rows = [
        (
            f"- **{order.order_no}** {order.get_status_display()}，{_submission_day(order)}，"
            f"{yuan_text(order.total_amount)}"
        )
        + "".join(
            f"，{escape_markdown(row.carrier)} {escape_markdown(row.tracking_no)}"
            for row in order.shipments.all()
            if not row.received_at
        )
        for order in page.orders
    ]
    yield Delta(
        "\n".join(
            [
                f"{title}共 {page.total} 张" + ("，最近的是：" if page.total > len(rows) else "："),
                "",
                *rows,
            ]
        )
    )
    yield Links((ALL_ORDERS,))


def show_approvals(question: Question) -> Iterator[Event]:
    """List the approvals that wait for the person's decision.

    Raises:
        NotAllowed: the person has no right to open approvals.
    """
    yield Working(APPROVALS, "正在查询待审批")
    approvals, total = approvals_lookup(actor=question.actor)
    if not total:
        yield Delta("目前没有等待您审批的订单。")
    else:
        rows = [
            (
                f"- **{row.subject_no}** {escape_markdown(row.requester.nickname)} 提交，"
                f"{yuan_text(row.amount)}"
            )
            for row in approvals
        ]
        yield Delta(
            "\n".join(
                [
                    f"有 {total} 张订单等待您审批：",
                    "",
                    *rows,
                    "",
                    "请在审批页面查看明细后处理，我不能代为审批。",
                ]
            )
        )
    yield Links((ALL_APPROVALS,))


def show_budgets(question: Question) -> Iterator[Event]:
    """Show what is left of the budgets on which the person can order today."""
    yield Working(BUDGET, "正在查询预算")
    budgets = list(budgets_usable(actor=question.actor))
    if not budgets:
        yield Delta("您今天没有可用的预算。如需设置，请联系贵司的集团管理员或商城客服。")
        return
    parts = ["您下单可用的预算：\n\n" + "\n".join(_format_budget(row) for row in budgets)]
    if not question.reading.names and (price := _find_price(question)) is not None:
        best = max(budgets, key=lambda row: row.available)
        enough = "够用" if best.available >= price else "不够"
        parts.append(f"按 {yuan_text(price)} 计算，“{escape_markdown(best.name)}”{enough}。")
    yield Delta("\n\n".join(parts))
    if question.actor.has_menu_code("asset.budget"):
        yield Links((Link("预算余额", "/userCenter/asset/budget"),))


def _find_price(question: Question) -> Decimal | None:
    price = re.search(r"(\d+(?:\.\d+)?)\s*(?:元|块|的)", question.reading.text)
    return parse_number(price[1]) if price else None


def _format_budget(row: Budget) -> str:
    return (
        f"- **{escape_markdown(row.name)}**（{row.period_from:%Y-%m-%d} 至 "
        f"{row.period_to:%Y-%m-%d}）：可用 **{yuan_text(row.available)}**，"
        f"额度 {yuan_text(row.amount)}，已预占 {yuan_text(row.reserved)}，已使用 "
        f"{yuan_text(row.consumed)}"
    )
