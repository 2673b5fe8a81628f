"""The back office's pages of the background work: periodic tasks, the outbox, and rate limits."""

from apps.office.admin import outbox, periodic_tasks, rate_blocks
from apps.office.first_page import WORK_PARTS

__all__ = ["outbox", "periodic_tasks", "rate_blocks"]

WORK_PARTS.add(outbox.build_dead_messages_part)
