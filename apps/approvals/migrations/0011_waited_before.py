"""Decisions of before `waited_minutes` are measured too: what is not known of their arrival is read off the chain."""

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

from django.db import migrations

from apps.content.selectors.working_time import WorkingCalendar

MINUTE = timedelta(minutes=1)
DECIDED = ("approved", "rejected", "transferred")
AT_ONCE = 500


def measured(apps: Any, editor: Any) -> None:
    """Take for the arrival the row's own beginning (a transferred task's is its arrival), or the last decision of an earlier step.

    A step of staff is nobody's waiting.
    """
    using = editor.connection.alias if editor is not None else "default"
    tasks = apps.get_model("approvals", "ApprovalTask")._base_manager.using(using)
    days = apps.get_model("content", "CalendarDay")._base_manager.using(using)
    calendar = WorkingCalendar(dict(days.values_list("day", "is_worked")))
    unmeasured = tasks.filter(status__in=DECIDED, decided_at__isnull=False, waited_minutes=None, step__is_for_staff=False)
    approvals = list(unmeasured.order_by("step__approval").values_list("step__approval", flat=True).distinct())
    for start in range(0, len(approvals), AT_ONCE):
        keys = approvals[start : start + AT_ONCE]
        passed = _passed(tasks, keys)
        rows = list(unmeasured.filter(step__approval__in=keys).select_related("step"))
        for task in rows:
            earlier = [at for no, at in passed[task.step.approval_id] if no < task.step.no]
            task.arrived_at = min(max([task.created_at, *earlier]), task.decided_at)
            task.waited_minutes = calendar.time_between(task.arrived_at, task.decided_at) // MINUTE
        tasks.bulk_update(rows, ["arrived_at", "waited_minutes"], batch_size=AT_ONCE)


def _passed(tasks: Any, approvals: list[int]) -> dict[int, list[tuple[int, datetime]]]:
    """Return by approval the numbers of its steps, each with the moments at which somebody decided in it."""
    found: dict[int, list[tuple[int, datetime]]] = defaultdict(list)
    rows = tasks.filter(step__approval__in=approvals, status__in=DECIDED, decided_at__isnull=False)
    for approval, no, at in rows.values_list("step__approval", "step__no", "decided_at"):
        found[approval].append((no, at))
    return found


class Migration(migrations.Migration):
    dependencies = [("approvals", "0010_first_arrived"), ("content", "0006_holidays_2026")]
    operations = [migrations.RunPython(measured, migrations.RunPython.noop)]
