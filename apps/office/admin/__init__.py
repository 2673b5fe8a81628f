"""The back office's pages of the background work: periodic tasks, the outbox, and rate limits."""

from apps.office.admin import outbox, outbox_work, periodic_tasks, rate_blocks
from apps.office.first_page import register_work_part

__all__ = ["outbox", "outbox_work", "periodic_tasks", "rate_blocks"]

register_work_part(outbox_work.dead_messages_part)
