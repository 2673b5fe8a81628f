"""Changes of the group's settings in the last weeks, so that the change history of the demo
group is not empty.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from apps.common.tenancy import tenant_scope
from apps.org.models import Account
from apps.org.services.group import group_update
from demo.load.clock import clock_at

# (days ago, changes). After the last change the settings equal the defaults of a new group.
STORY: tuple[tuple[int, dict[str, Any]], ...] = (
    (75, {"approval_remind_hours": 4, "has_single_session": True}),
    (48, {"has_single_session": False}),
    (21, {"approval_remind_hours": 8}),
)


def load_changes(*, now: datetime) -> int:
    """Change the group's settings as its administrator. Return the number of changes."""
    ga = Account.objects.get(username="ga")
    for days, changes in STORY:
        at = (now - timedelta(days=days)).replace(
            hour=2, minute=10 + days % 40
        )  # UTC; morning in Shanghai
        with tenant_scope(group_id=ga.group_id or 0), clock_at(at):
            group_update(actor=ga, pk=str(ga.group_id), changes=changes)
    return len(STORY)
