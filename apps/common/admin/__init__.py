"""What the back office's pages share: rows to look at, acts that call a service, look-ups within one group; the outbox and limits."""

from apps.common.admin import beat, outbox, outbox_work, rate_blocks
from apps.common.admin.work import work_part

__all__ = ["beat", "outbox", "outbox_work", "rate_blocks"]

work_part(outbox_work.dead_part)
