"""A view, a subscription to it, and what its letters say."""

from __future__ import annotations

import io
from datetime import datetime, time
from typing import Any

from django.core import mail
from django.utils import timezone
from python_calamine import CalamineWorkbook

from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.orders.demo.clock import clock_at
from apps.org.models import Account
from apps.reports.models import ReportSend, ReportSubscription, SavedView
from apps.reports.services.subscription_save import subscription_create
from apps.reports.services.subscriptions_due import subscriptions_due
from apps.reports.tests.trading import deliver

ADDRESS = "boss@yunfan.example"


def moment(text: str) -> datetime:
    """Return a moment of Asia/Shanghai."""
    return timezone.make_aware(datetime.fromisoformat(text))


def mailed(account: Account, address: str) -> Account:
    """Return the account with that mail."""
    account.email = address
    account.save(update_fields=["email"])
    return account


def new_view(owner: Account, **more: Any) -> SavedView:
    fields: dict[str, Any] = {"report": "Order", "name": "月报", "filters": {"Period": "month"}, **more}
    return SavedView.objects.create(group_id=owner.group_id, owner=owner, **fields)


def subscribe(
    owner: Account, *people: Account, addresses: tuple[str, ...] = (), view: SavedView | None = None, **more: Any
) -> ReportSubscription:
    """Return a daily one at 8:30 with both files."""
    view = view or new_view(owner)
    fields = {"view_id": view.pk, "frequency": "daily", "at_time": time(8, 30), **more}
    return subscription_create(actor=owner, fields=fields, people=[person.pk for person in people], addresses=addresses)


def look_at(at: datetime) -> int:
    """Let the clock's job and the outbox run at that moment; return how many sends began."""
    with clock_at(at):
        with platform_scope(reason="test"):
            begun = subscriptions_due()
        deliver()
    return begun


def due_again() -> None:
    """Let the outbox's pauses pass."""
    OutboxMessage.objects.filter(delivered_at__isnull=True).update(available_at=moment("2020-01-01"))


def told(send: ReportSend) -> list[tuple[str, str, str]]:
    """Return to whom, what became of it, why."""
    return list(send.letters.order_by("pk").values_list("to", "state", "note"))


def figures(number: int) -> dict[str, Any]:
    """Return what the cover of a sent sheet says."""
    name, content, _ = next(file for file in mail.outbox[number].attachments if str(file[0]).endswith(".xlsx"))
    assert isinstance(content, bytes)
    assert name
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    return {str(row[0]): row[1] for row in book.get_sheet_by_name("说明").to_python()}
