"""The first screen of a bank receipt: matching state, unmatched amount, payer, and the probable
customer.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.days import start_of_day
from apps.invoices.admin.dashboard import MATCH_WITHIN
from apps.invoices.models import BankMatch, BankReceipt
from apps.invoices.selectors.bank import suggestions_for
from apps.office.cells import yuan_text
from apps.office.dossier import Fact, waiting_text
from apps.org.models import Enterprise

WAITING, PARTLY, DONE, ASIDE = "待匹配", "部分匹配", "已匹配", "无需匹配"
COLOURS = {WAITING: "warning", PARTLY: "info", DONE: "success", ASIDE: "info"}


def receipt_state(receipt: BankReceipt) -> str:
    """Return the matching state as a label."""
    if receipt.set_aside:
        return ASIDE
    if not receipt.left:
        return DONE
    return PARTLY if receipt.matched_amount else WAITING


def receipt_facts(receipt: BankReceipt) -> list[Fact]:
    """Return the facts of the first screen."""
    state = receipt_state(receipt)
    is_open = state in (WAITING, PARTLY)
    since = start_of_day(receipt.received_on)
    waits = waiting_text("等待匹配订单", since) if is_open else receipt.set_aside
    facts = [
        Fact(
            "匹配状态",
            state,
            waits,
            tag=COLOURS[state],
            is_late=is_open and since + MATCH_WITHIN < timezone.now(),
        ),
        Fact("到账金额", yuan_text(receipt.amount)),
        Fact("未匹配", yuan_text(receipt.left), f"已匹配 {yuan_text(receipt.matched_amount)}"),
        Fact("客户", _customers(receipt) or "尚未匹配到客户"),
        Fact("付款方", receipt.payer_name, receipt.payer_account),
        Fact("到账日期", f"{receipt.received_on:%Y-%m-%d}"),
        Fact("银行流水号", receipt.serial),
        Fact("登记人", receipt.recorded_by or "—"),
    ]
    facts += [Fact("附言", receipt.remark, is_wide=True)] if receipt.remark else []
    return [*facts, Fact("匹配建议", _suggested(receipt), is_wide=True)] if is_open else facts


def _customers(receipt: BankReceipt) -> SafeString | str:
    """Return the customers of the matched orders."""
    standing = BankMatch.objects.filter(receipt=receipt, undone_at=None)
    rows = Enterprise.objects.filter(
        pk__in=standing.order_by().values("payment__order__enterprise")
    ).order_by("name")
    return format_html_join(
        "、",
        '<a href="{}">{}</a>',
        ((reverse("admin:org_enterprise_change", args=[row.pk]), row) for row in rows),
    )


def _suggested(receipt: BankReceipt) -> SafeString | str:
    """Return the best suggestion for the unmatched amount, or a text if there is none."""
    found = suggestions_for(receipt)
    if not found:
        return "没有找到可能的客户，请按客户名称查找，或标记无需匹配"
    first = found[0]
    more = f"；另有 {len(found) - 1} 条建议" if len(found) > 1 else ""
    text = "{}：{} 张订单共 {}<small>{}{}</small>"
    return format_html(
        text,
        first.enterprise,
        len(first.parts),
        yuan_text(first.amount),
        "，".join(first.reasons),
        more,
    )
