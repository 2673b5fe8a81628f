"""The texts of the notices of recurring orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.recurring.enums import Rhythm

if TYPE_CHECKING:
    from apps.recurring.models import RecurringOrder

MAX_TEXT = 300
WEEKDAYS = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Notice:
    """Title and text of a notice."""

    title: str
    text: str = ""


def upcoming_notice(
    row: RecurringOrder, *, total: Decimal | None, blockers: Sequence[str]
) -> Notice:
    """Return the reminder before a due date: the expected amount, and what would stop the order."""
    amount = "" if total is None else f"预计金额 ¥{total:,.2f}"
    trouble = f"目前还不能下单：{'；'.join(blockers)}" if blockers else ""
    return Notice(
        f"定期采购“{row.name}”将于 {day_text(row.next_due)} 下单",
        "。".join(part for part in (amount, trouble) if part)[:MAX_TEXT],
    )


def ordered_notice(
    row: RecurringOrder, *, order_no: str, total: Decimal, needs_approval: bool
) -> Notice:
    """Return the notice of a placed order."""
    ending = "，等待审批" if needs_approval else ""
    return Notice(f"定期采购“{row.name}”已生成订单 {order_no}", f"金额 ¥{total:,.2f}{ending}")


def blocked_notice(row: RecurringOrder, messages: Sequence[str]) -> Notice:
    """Return the notice of a stopped run, with its reasons."""
    return Notice(
        f"定期采购“{row.name}”{day_text(row.next_due)} 未能下单，请处理",
        "；".join(messages)[:MAX_TEXT],
    )


def ended_notice(row: RecurringOrder) -> Notice:
    """Return the notice of a recurring order that reached its end date."""
    return Notice(f"定期采购“{row.name}”已到结束日期，不再下单")


def stopped_by_notice(row: RecurringOrder, *, who: str, what: str, reason: str) -> Notice:
    """Return the notice of an act of the group admin on another person's recurring order."""
    return Notice(f"{who}{what}了您的定期采购“{row.name}”", reason)


def day_text(day: date) -> str:
    """Return a day as month and day with the weekday."""
    return f"{day.month} 月 {day.day} 日（周{WEEKDAYS[day.weekday()]}）"


def schedule_text(row: RecurringOrder) -> str:
    """Return the rhythm of a recurring order, as “每周四”."""
    if row.rhythm == Rhythm.WORKING_DAYS:
        return "每个工作日" if row.number == 1 else f"每 {row.number} 个工作日"
    if row.rhythm == Rhythm.WEEKLY:
        return f"每周{WEEKDAYS[row.number - 1]}"
    return f"每月 {row.number} 日"
