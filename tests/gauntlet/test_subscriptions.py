"""A subscription's period is started once and its letter is sent once, with several processes.
With real processes.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account
from apps.reports.models import ReportLetter, ReportSend, ReportSubscription
from apps.reports.services.sends import subscription_begin, subscriptions_send_due
from apps.reports.tests.subscribing import set_mail_address, subscribe
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def look() -> int:
    with platform_scope(reason="test"):
        return subscriptions_send_due()


def test_twenty_that_look_at_once_send_one_letter(ga: Account) -> None:
    row = subscribe(set_mail_address(ga, "ga@yunfan.example"), ga)
    due = timezone.now() - timedelta(days=2)
    ReportSubscription.objects.update(next_at=due)

    begun = run_race(
        [look for _ in range(10)]
        + [partial(subscription_begin, row.pk, row.group_id, due) for _ in range(10)]
    )
    run_race([partial(outbox_deliver, batch=5) for _ in range(10)])

    assert sum(int(outcome.value) for outcome in begun) == 1
    assert ReportSend.objects.count() == 1
    assert OutboxMessage.objects.filter(topic="report.letter").count() == 1
    assert list(ReportLetter.objects.values_list("state", "attempts")) == [("sent", 1)]
