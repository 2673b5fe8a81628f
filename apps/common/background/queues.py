"""The three queues of the outbox, and the Chinese titles of its topics. A long export does not
delay an email, and a slow mail server does not delay an order (docs/operations.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import models


class Queue(models.TextChoices):
    """The queue of a message. Its topic determines it (`outbox_handler`)."""

    INTERACTIVE = "interactive", "即时"
    MAIL = "mail", "对外发送"
    BULK = "bulk", "批量"


@dataclass(frozen=True, slots=True)
class QueueRule:
    """How a queue is processed: the Celery task, its soft and hard time limits in seconds, and
    the number of messages per claim.
    """

    task: str
    soft_seconds: int
    hard_seconds: int
    at_once: int


# The hard limit must be below VISIBLE_AGAIN_SECONDS. After that time the broker gives a task to a
# second worker.
QUEUES: dict[Queue, QueueRule] = {
    Queue.INTERACTIVE: QueueRule("common.outbox_deliver", 120, 180, 20),
    Queue.MAIL: QueueRule("common.outbox_deliver_mail", 300, 360, 20),
    # One per claim: a message may take minutes, and the claims of further messages would expire.
    Queue.BULK: QueueRule("common.outbox_deliver_bulk", 1500, 1800, 1),
}
JOBS_TASK = "common.run_due_jobs"
VISIBLE_AGAIN_SECONDS = 3600
# The queues of the embedded runner's first thread. The second thread processes BULK.
SHORT = (Queue.INTERACTIVE, Queue.MAIL)

_topic_titles: dict[str, str] = {}


def name_topics(titles: Mapping[str, str]) -> None:
    """Register the titles of an app's topics for the pages that monitor them, in
    AppConfig.ready().
    """
    _topic_titles.update(titles)


def list_topics() -> dict[str, str]:
    """Return all topics with their titles."""
    return dict(_topic_titles)


def get_topic_title(topic: str) -> str:
    """Return the title of a topic, or the topic itself if it has none."""
    return _topic_titles.get(topic, topic)


def find_topics(text: str) -> list[str]:
    """Return the topics whose title contains the text."""
    return [topic for topic, title in _topic_titles.items() if text in title]
