"""红冲 of the demo: a request in every state, each for an invoice of the finance account."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.invoices.enums import RedReason, RedStatus
from apps.invoices.gateways import build_demo_number
from apps.invoices.models import Invoice, RedLetter
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_letters import (
    RedForm,
    red_letter_answer,
    red_letter_answer_by_staff,
    red_letter_apply,
    red_letter_open_by_staff,
    red_letter_withdraw,
    red_letters_expire,
)
from apps.org.models import Account
from demo.load.clock import clock_at

S, R = RedStatus, RedReason
ANSWERED, NUMBERED, EXPIRED = timedelta(hours=5), timedelta(hours=7), timedelta(hours=73)


@dataclass(frozen=True, slots=True)
class Story:
    """A 红冲 request, `days` ago, for the bill that is `months` old. `pieces` 0 means the whole
    invoice. `status` is the final state.
    """

    months: int
    days: float
    by_customer: bool
    reason: str
    note: str
    status: str
    pieces: int = 0
    answer: str = ""


# Expired requests come before waiting ones, because the expiry job also ends other late requests.
STORIES = (
    Story(9, 26, True, R.WRONG, "抬头应为研发中心，先红冲，重开另行申请", S.ISSUED),
    Story(8, 24, True, R.WRONG, "其中一件由部门自行报销，请单独红冲", S.ISSUED, 1),
    Story(
        7,
        22,
        True,
        R.WRONG,
        "备注漏填合同号",
        S.REFUSED,
        answer="该发票已勾选认证，备注不影响抵扣；如仍需更换，请先在税务平台撤销勾选再申请",
    ),
    Story(6, 20, True, R.ALLOWANCE, "协商折让", S.WITHDRAWN),
    Story(3, 15, False, R.WRONG, "税收分类编码有误，请确认红冲后重开", S.EXPIRED),
    Story(
        2,
        9,
        False,
        R.ALLOWANCE,
        "季度返利，折让一件",
        S.REFUSED,
        1,
        "返利已在对账时抵减货款，无需再红冲",
    ),
    Story(5, 1.5, True, R.WRONG, "纸质发票污损，请红冲重开", S.CONFIRMED),
    Story(
        4, 0.9, False, R.WRONG, "开票时规格型号填写有误，请确认后我方红冲重开", S.AWAITS_BUYER, 1
    ),
    Story(8, 0.4, True, R.WRONG, "数量与入库单不符，请红冲其中一件", S.AWAITS_SELLER, 1),
)


def load_reds(
    now: datetime, finance: Account, staff: Account, invoices: Mapping[int, Invoice]
) -> int:
    """Submit and answer the requests. `invoices` holds the first invoice of each bill by its
    age in months. Return the number of requests.
    """
    texts = [story for story in STORIES if story.months in invoices]
    for story in texts:
        _publish_notice(
            story, invoices[story.months], finance, staff, now - timedelta(days=story.days)
        )
    return len(texts)


def _publish_notice(
    story: Story, invoice: Invoice, finance: Account, staff: Account, at: datetime
) -> None:
    line = (
        invoice.lines.exclude(order_line=None).order_by("-unit_price_incl_tax", "no").first()
        if story.pieces
        else None
    )
    form = RedForm(story.reason, story.note, {line.pk: story.pieces} if line else None)
    with clock_at(at):
        query = red_letter_apply if story.by_customer else red_letter_open_by_staff
        letter = query(
            actor=finance if story.by_customer else staff, invoice_id=invoice.pk, form=form
        )
    if story.status == S.EXPIRED:
        with clock_at(at + EXPIRED):
            red_letters_expire()
    with clock_at(at + ANSWERED):
        _answer_letter(story, letter, finance, staff)
    if story.status == S.ISSUED:
        letter.refresh_from_db()
        with clock_at(at + NUMBERED):
            red = Invoice.objects.get(pk=letter.red_invoice_id)
            invoice_issue_by_hand(
                actor=staff, invoice_id=red.pk, invoice_no=build_demo_number(red.request_no)
            )


def _answer_letter(story: Story, letter: RedLetter, finance: Account, staff: Account) -> None:
    """Confirm, refuse or withdraw the request, as the party that has to act."""
    if story.status == S.WITHDRAWN:
        red_letter_withdraw(actor=finance, invoice_id=letter.invoice_id, red_no=letter.red_no)
    if story.status not in (S.CONFIRMED, S.ISSUED, S.REFUSED):
        return
    agreed = story.status != S.REFUSED
    if story.by_customer:
        red_letter_answer_by_staff(
            actor=staff, letter_id=letter.pk, is_agreed=agreed, reason=story.answer
        )
    else:
        red_letter_answer(
            actor=finance,
            invoice_id=letter.invoice_id,
            red_no=letter.red_no,
            is_agreed=agreed,
            reason=story.answer,
        )
