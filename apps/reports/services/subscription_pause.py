"""Pause a subscription, and notify its owner of a pause or of failed letters."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from apps.common.background.outbox import outbox_publish
from apps.reports.enums import ReportName
from apps.reports.models import ReportSubscription, SavedView

TROUBLE_TOPIC = "report.trouble"
REPORT_PAGES: dict[str, str] = {
    name: f"/userCenter/report/{name[0].lower()}{name[1:]}" for name in ReportName.values
}
UNNAMED = "报表订阅"


@transaction.atomic
def subscription_pause(subscription: ReportSubscription, *, why: str) -> None:
    """Pause the subscription and notify its owner. Does nothing if it is already paused."""
    rows = ReportSubscription.objects.filter(pk=subscription.pk, is_active=True)
    if rows.update(is_active=False, paused_reason=why, next_at=None):
        trouble_tell(
            subscription,
            title=f"报表订阅“{name_of(subscription)}”已自动暂停",
            text=f"{why}。处理后可在报表页的“订阅”中重新启用",
        )


def subscriptions_leave(view: SavedView) -> None:
    """Pause all subscriptions to a view that its owner deletes, in the owner's transaction."""
    rows: Iterable[ReportSubscription] = view.subscriptions.select_related("view").order_by("pk")
    for subscription in rows:
        subscription_pause(subscription, why=f"视图“{view.name}”已被其创建人删除")


def trouble_tell(subscription: ReportSubscription, *, title: str, text: str) -> None:
    """Publish a notice to the owner. A disabled owner gets no notice."""
    page = REPORT_PAGES[subscription.view.report if subscription.view else ReportName.ORDER]
    payload = {"To": [subscription.owner_id], "Title": title, "Text": text, "Link": page}
    payload["SubjectKey"] = f"report-subscription:{subscription.pk}"
    outbox_publish(topic=TROUBLE_TOPIC, key=str(subscription.pk), payload=payload)


def name_of(subscription: ReportSubscription) -> str:
    """Return the name of a subscription, which is the name of its view."""
    return subscription.view.name if subscription.view else UNNAMED
