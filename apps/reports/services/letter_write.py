"""One recipient's letter: the access checks, the data scope and the attached files."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.utils import timezone

from apps.common.files.kinds import XLSX_TYPE
from apps.identity.services.mail import MailFile
from apps.org.models import Account
from apps.reports.errors import ViewNotFound
from apps.reports.models import ReportLetter, ReportRecipient, ReportSubscription, SavedView
from apps.reports.selectors.question import MENU_OF
from apps.reports.selectors.report_paper import report_paper
from apps.reports.selectors.sheets import report_sheet
from apps.reports.selectors.subscriptions import accounts_at, domain_of, domains_of
from apps.reports.selectors.view_question import view_question
from apps.reports.selectors.views import view_get
from apps.reports.services.sheet_write import sheet_write

# Limit of rows for an attached sheet. For a longer report the letter links to the page.
MOST_ROWS = 20_000
PDF_TYPE = "application/pdf"


class NothingToSend(Exception):
    """This letter cannot be sent. The text is the reason."""


class SubscriptionEnds(NothingToSend):
    """No letter of the subscription can be sent until its owner changes something."""


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a letter. `rows` is the number of rows in the report. `period` holds the
    report's days as query parameters of its page.
    """

    files: list[MailFile]
    rows: int
    days: str
    is_too_long: bool
    period: dict[str, str]


def view_of(subscription: ReportSubscription) -> SavedView:
    """Return the view, after a check of the owner's current rights.

    Raises:
        NothingToSend: the group is disabled. Its subscriptions continue when it is enabled again.
        SubscriptionEnds: the owner is disabled or has lost the report's menu code, or the view is
            deleted or no longer shared.
    """
    owner = subscription.owner
    if owner.group is None or not owner.group.is_active:
        raise NothingToSend("集团已停用")
    if not owner.is_active:
        raise SubscriptionEnds("订阅创建人的账号已停用")
    if subscription.view is None:
        raise SubscriptionEnds("视图已被其创建人删除")
    if not owner.has_menu_code(MENU_OF[subscription.view.report]):
        raise SubscriptionEnds("订阅创建人已没有该报表的权限")
    try:
        return view_get(actor=owner, pk=str(subscription.view_id))
    except ViewNotFound as missing:
        raise SubscriptionEnds("视图已取消共享") from missing


def reader_of(letter: ReportLetter, view: SavedView) -> tuple[Account, str]:
    """Return the account whose data scope applies, and the mail address. A colleague reads with
    the colleague's own scope, a plain address with the owner's.

    Raises:
        NothingToSend: the recipient is off the list, unsubscribed, disabled, without a mail address
            or without the report's menu code, or the address no longer has a mail domain of the
            group.
    """
    recipient: ReportRecipient | None = letter.recipient
    if recipient is None or not recipient.is_listed:
        raise NothingToSend("已移出名单")
    if recipient.unsubscribed_at is not None:
        raise NothingToSend("已退订")
    if recipient.account is None:
        return recipient.subscription.owner, _address(recipient.address)
    person = recipient.account
    if not person.is_active:
        raise NothingToSend("账号已停用")
    if not person.has_menu_code(MENU_OF[view.report]):
        raise NothingToSend("已没有该报表的权限")
    if not person.email:
        raise NothingToSend("账号没有登记邮箱")
    return person, person.email


def _address(address: str) -> str:
    if accounts_at([address]).exists():
        raise NothingToSend("该邮箱已属于同事账号，请改为选择同事")
    if domain_of(address) not in domains_of():
        raise NothingToSend("不再是贵司的企业邮箱")
    return address


def letter_written(*, letter: ReportLetter, view: SavedView, reader: Account) -> Written:
    """Return the files of a letter in the reader's data scope, as of the day on which the send
    was due.

    Raises:
        ValidationFailed: the days of the view make no valid period.
    """
    subscription, due = letter.send.subscription, timezone.localtime(letter.send.due_at)
    question, sort = view_question(view, as_of=due.date()), str(view.filters.get("Sort") or "")
    sheet = report_sheet(actor=reader, name=view.report, question=question, sort=sort)
    window = question.windows().window
    name = f"{view.name}_{window.since:%Y%m%d}-{window.until:%Y%m%d}"
    files, is_too_long = [], subscription.has_xlsx and sheet.total > MOST_ROWS
    if subscription.has_pdf:
        paper = report_paper(
            actor=reader, name=view.report, question=question, sort=sort, title=view.name
        )
        files.append(MailFile(f"{name}.pdf", paper, PDF_TYPE))
    if subscription.has_xlsx and not is_too_long:
        file = io.BytesIO()
        sheet_write(sheet, file)
        files.append(MailFile(f"{name}.xlsx", file.getvalue(), XLSX_TYPE))
    since, until = window.since.isoformat(), window.until.isoformat()
    return Written(
        files,
        sheet.total,
        f"{since} 至 {until}",
        is_too_long,
        {"Period": "custom", "From": since, "To": until},
    )
