"""A partner's server, and a webhook that sends to it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from apps.org.models import Account
from apps.webhooks.enums import EventGroup
from apps.webhooks.models import Webhook
from apps.webhooks.services.webhook import webhook_create
from apps.webhooks.tests.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Generator[Receiver]:
    with receiving() as server:
        settings.WEBHOOK_INNER_HOSTS = [server.host]
        yield server


@pytest.fixture
def webhook(ga: Account, receiver: Receiver) -> Webhook:
    """A webhook subscribed to all event groups."""
    return webhook_create(
        actor=ga, fields={"name": "ERP", "url": receiver.url, "events": list(EventGroup.values)}
    ).webhook
