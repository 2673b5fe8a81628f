"""What the back office's pages share: rows to look at, acts that call a service, look-ups within one group; and the outbox's own page."""

from apps.common.admin import outbox

__all__ = ["outbox"]
