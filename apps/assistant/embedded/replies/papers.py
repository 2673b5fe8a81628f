"""Replies about invoices, statements, the credit, invoice titles and returns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.utils import timezone

from apps.aftersales.enums import ReturnKind
from apps.aftersales.models import ReturnOrder
from apps.assistant.answers import Delta, Event, Link, Links, Working
from apps.assistant.embedded.periods import Period
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.papers import (
    InvoiceSummary,
    look_up_applications,
    look_up_credit,
    look_up_invoices,
    look_up_order_invoicing,
    look_up_returns,
    look_up_statements,
    look_up_titles,
    uninvoiced_count,
)
from apps.common.money import format_yuan
from apps.invoices.models import Statement

INVOICES, STATEMENTS, CREDIT = "invoices", "statements", "credit"
TITLES, RETURNS = "invoice_titles", "returns"
INVOICE_LIST = Link("开票记录", "/userCenter/invoice/list")
APPLY = Link("申请开票", "/userCenter/invoice/index")
STATEMENT_LIST = Link("对账单", "/userCenter/invoice/statement")
RETURN_LIST = Link("退换货", "/userCenter/order/afterSales")


def show_invoices(question: Question) -> Iterator[Event]:
    """State the invoices of an order or a period, the open applications, or what can be invoiced.

    Raises:
        NotAllowed: the person has no right to open invoices.
    """
    yield Working(INVOICES, "正在查询发票")
    slots, masked_text, actor = question.slots, question.slots.masked_text, question.actor
    if slots.order_nos:
        yield from _show_order_invoices(question, slots.order_nos[0])
    elif re.search(r"申请|处理|没开出|未开出|开出来|进度|等.{0,2}开", masked_text) or re.search(
        r"(?:几张|多少张).{0,4}没开", masked_text
    ):
        rows = look_up_applications(actor=actor)
        states = "、".join(
            f"{row.application_no}（{row.get_status_display()}）" for row in rows[:5]
        )
        yield Delta(
            f"还有 {len(rows)} 张开票申请没有开完：{escape_markdown(states)}。"
            if rows
            else "没有正在处理的开票申请。"
        )
        yield Links((APPLY, INVOICE_LIST))
    elif re.search(r"没有?开|未开|待开|可开|能开", masked_text):
        number = uninvoiced_count(actor=actor)
        yield Delta(
            f"有 {number} 张订单还有商品没有开票，可以在“申请开票”里选择。"
            if number
            else "没有待开票的订单。"
        )
        yield Links((APPLY,))
    else:
        yield from _show_issued(question)


def _show_order_invoices(question: Question, order_no: str) -> Iterator[Event]:
    """Show the invoicing state of one order and the invoices that it has."""
    order = look_up_order_invoicing(actor=question.actor, order_no=order_no)
    if order is None:
        yield Delta(
            f"没有找到订单 {escape_markdown(order_no)}：请核对订单号，或它不在您可以查看的范围内。"
        )
        return
    summary = look_up_invoices(actor=question.actor, order_no=order_no)
    numbers = "、".join(
        f"{row.invoice_no or row.request_no}（{row.get_kind_display()}，"
        f"{format_yuan(row.amount_incl_tax)}）"
        for row in summary.invoices
    )
    text = f"订单 **{order_no}** 的开票状态是 **{order.get_invoicing_status_display()}**。"
    yield Delta(f"{text}\n\n发票：{escape_markdown(numbers)}。" if numbers else text)
    yield Links((INVOICE_LIST,))


def _show_issued(question: Question) -> Iterator[Event]:
    """Show number, sum and kinds of the invoices of a period; with 红冲 or 红字, of the red
    invoices.
    """
    slots, masked_text = question.slots, question.slots.masked_text
    period = slots.periods[0] if slots.periods else None
    is_red = True if re.search(r"红冲|红字", masked_text) else None
    summary = look_up_invoices(
        actor=question.actor,
        since=period.since if period else None,
        until=period.until if period else None,
        is_red=is_red,
    )
    period_text = f"{period.label}（{period.days_text}）" if period else ""
    invoice_word = "红字发票" if is_red else "发票"
    if not summary.total:
        yield Delta(f"{period_text}没有开具{invoice_word}。")
        yield Links((INVOICE_LIST,))
        return
    kinds = "，".join(f"{kind} {number} 张" for kind, number in summary.by_kind.items())
    parts = [
        f"{period_text}开具了 **{summary.total}** 张{invoice_word}，"
        f"合计 **{format_yuan(summary.amount)}**（{kinds}）。"
    ]
    if "最近" in masked_text or not period:
        parts.append(_format_latest_invoice(summary))
    yield Delta("\n\n".join(parts))
    yield Links((INVOICE_LIST,))


def _format_latest_invoice(summary: InvoiceSummary) -> str:
    row = summary.invoices[0]
    day = f"{timezone.localtime(row.issued_at):%Y年%m月%d日}" if row.issued_at else "未开"
    number = escape_markdown(row.invoice_no or row.request_no)
    return (
        f"最近一张是 {day} 开的 {row.get_kind_display()} {number}，"
        f"{format_yuan(row.amount_incl_tax)}。"
    )


def show_statements(question: Question) -> Iterator[Event]:
    """State the statement of a month, or those that wait for the customer."""
    yield Working(STATEMENTS, "正在查询对账单")
    period = question.slots.periods[0] if question.slots.periods else None
    is_open = bool(re.search(r"没确认|未确认|待确认", question.slots.masked_text))
    month = period.since.replace(day=1) if period else None
    rows = look_up_statements(actor=question.actor, month=month, is_open=is_open)
    yield Delta(
        "\n".join(_format_statement(row) for row in rows)
        if rows
        else _describe_no_statement(period, is_open=is_open)
    )
    yield Links((STATEMENT_LIST,))


def _describe_no_statement(period: Period | None, *, is_open: bool) -> str:
    if is_open:
        return "没有待确认的对账单。"
    return f"没有{period.label if period else ''}的对账单，或不在您可以查看的范围内。"


def _format_statement(row: Statement) -> str:
    return (
        f"- 对账单 **{row.statement_no}**（{row.month:%Y年%m月}，{row.get_status_display()}）："
        f"本期签收 {format_yuan(row.deliveries)}，退货 {format_yuan(row.returns)}，"
        f"付款 {format_yuan(row.paid)}，"
        f"期末应付 **{format_yuan(row.closing)}**"
    )


def show_credit(question: Question) -> Iterator[Event]:
    """State limit, used and available credit of the enterprise in 元."""
    yield Working(CREDIT, "正在查询月结额度")
    credit = look_up_credit(actor=question.actor)
    if credit is None:
        yield Delta("贵企业没有开通月结，没有信用额度。")
        return
    yield Delta(
        f"贵企业的月结额度是 {format_yuan(credit.limit)}，已用 **{format_yuan(credit.used)}**，"
        f"还可以用 **{format_yuan(credit.available)}**，账期 {credit.days} 天。"
    )
    yield Links((STATEMENT_LIST,))


def show_titles(question: Question) -> Iterator[Event]:
    """State the invoice titles of the enterprise."""
    yield Working(TITLES, "正在查询抬头")
    rows = look_up_titles(actor=question.actor)
    if not rows:
        yield Delta("没有可用的发票抬头。")
        return
    yield Delta(
        "\n".join(
            f"- **{escape_markdown(row.title)}**，税号 {escape_markdown(row.tax_number)}"
            + ("（默认）" if row.is_default else "")
            for row in rows
        )
    )
    yield Links((Link("开票与收款信息", "/about/kpinfo"),))


KINDS = ((re.compile("换货"), ReturnKind.EXCHANGE), (re.compile("维修|返修"), ReturnKind.REPAIR))


def show_returns(question: Question) -> Iterator[Event]:
    """State the person's after-sales orders.

    Raises:
        NotAllowed: the person has no right to open returns.
    """
    yield Working(RETURNS, "正在查询退换货")
    masked_text = question.slots.masked_text
    period = question.slots.periods[0] if question.slots.periods else None
    kind = (
        ""
        if "退换" in masked_text
        else next((kind for pattern, kind in KINDS if pattern.search(masked_text)), "")
    )
    is_open = bool(re.search(r"处理|没完|未完|进行中|还没", masked_text))
    page = look_up_returns(
        actor=question.actor,
        kind=kind,
        since=period.since if period else None,
        until=period.until if period else None,
        is_open=is_open,
    )
    when = f"{period.label}（{period.days_text}）" if period else ""
    state = "还没处理完的" if is_open else ""
    name = str(ReturnKind(kind).label) if kind else "售后"
    if not page.total:
        yield Delta(f"{when}您没有{state}{name}单。")
    else:
        rows = [_format_return(row) for row in page.returns]
        yield Delta("\n".join([f"{when}您{state}{name}单共 {page.total} 张：", "", *rows]))
    yield Links((RETURN_LIST,))


def _format_return(row: ReturnOrder) -> str:
    """Return a return order as a Markdown list item, with its refund if it has one."""
    refund = (
        f"，已于 {timezone.localtime(row.refunded_at):%Y年%m月%d日} 退款 "
        f"{format_yuan(row.refund_amount)}"
        if row.refunded_at
        else "，还没有退款记录"
        if row.kind == ReturnKind.RETURN
        else ""
    )
    return (
        f"- **{row.return_no}** {row.get_kind_display()}，**{row.get_status_display()}**，"
        f"{timezone.localtime(row.created_at):%Y年%m月%d日} 申请{refund}"
    )
