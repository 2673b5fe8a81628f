"""The back office's pages of the background work: periodic tasks, the outbox, and rate limits."""

from apps.office.admin import outbox, periodic_tasks, rate_blocks
from apps.office.first_page import register_work_part

__all__ = ["outbox", "periodic_tasks", "rate_blocks"]

register_work_part(outbox.dead_messages_part)
