"""What the back office's pages share: rows to look at, acts that call a service, look-ups within one group; and the outbox's own page."""

from apps.common.admin import outbox, outbox_work
from apps.common.admin.work import work_part

__all__ = ["outbox", "outbox_work"]

work_part(outbox_work.dead_part)
