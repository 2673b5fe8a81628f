"""Helpers for subscriptions: a view, a subscription to it, and the content of its mails."""

from __future__ import annotations

import io
from datetime import datetime, time
from typing import Any

from django.core import mail
from django.utils import timezone
from python_calamine import CalamineWorkbook

from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account
from apps.reports.models import ReportSend, ReportSubscription, SavedView
from apps.reports.services.sends import subscriptions_send_due
from apps.reports.services.subscriptions import subscription_create
from apps.reports.tests.trading import deliver
from demo.load.clock import clock_at

ADDRESS = "boss@yunfan.example"


def parse_moment(text: str) -> datetime:
    """Return this local time as a moment in Asia/Shanghai."""
    return timezone.make_aware(datetime.fromisoformat(text))


def set_mail_address(account: Account, address: str) -> Account:
    """Set the account's mail address and return the account."""
    account.email = address
    account.save(update_fields=["email"])
    return account


def create_view(owner: Account, **more: Any) -> SavedView:
    fields: dict[str, Any] = {
        "report": "Order",
        "name": "月报",
        "filters": {"Period": "month"},
        **more,
    }
    return SavedView.objects.create(group_id=owner.group_id, owner=owner, **fields)


def subscribe(
    owner: Account,
    *people: Account,
    addresses: tuple[str, ...] = (),
    view: SavedView | None = None,
    **more: Any,
) -> ReportSubscription:
    """Create a subscription: daily at 8:30, with both files."""
    view = view or create_view(owner)
    fields = {"view_id": view.pk, "frequency": "daily", "at_time": time(8, 30), **more}
    return subscription_create(
        actor=owner,
        fields=fields,
        account_ids=[person.pk for person in people],
        addresses=addresses,
    )


def look_at(at: datetime) -> int:
    """Run the periodic job and the outbox at that moment and return the number of sends that
    began.
    """
    with clock_at(at):
        with platform_scope(reason="test"):
            begun = subscriptions_send_due()
        deliver()
    return begun


def make_due_again() -> None:
    """Make all undelivered outbox messages due, as if their retry delay had passed."""
    OutboxMessage.objects.filter(delivered_at__isnull=True).update(
        available_at=parse_moment("2020-01-01")
    )


def list_notices(send: ReportSend) -> list[tuple[str, str, str]]:
    """Return recipient, state and note of each mail of the send."""
    return list(send.letters.order_by("pk").values_list("to", "state", "note"))


def build_figures(number: int) -> dict[str, Any]:
    """Return the cover sheet of the n-th mail's workbook: its second column by its first."""
    name, content, _ = next(
        file for file in mail.outbox[number].attachments if str(file[0]).endswith(".xlsx")
    )
    assert isinstance(content, bytes)
    assert name
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return {str(row[0]): row[1] for row in book.get_sheet_by_name("说明").to_python()}
