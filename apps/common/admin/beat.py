"""The pages of django-celery-beat, made from what every list of the back office is made from and in its words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django_celery_beat import admin as beat
from django_celery_beat.models import ClockedSchedule, CrontabSchedule, IntervalSchedule, PeriodicTask, SolarSchedule
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.common.admin.called import called
from apps.common.admin.cells import two_lines
from apps.common.admin.listing import ListedAdmin
from apps.common.background.periodic import periodic_jobs
from apps.common.days import moment_text
from apps.common.models.outbox import RunnerLease
from apps.common.task_words import JOBS, TASKS

THEIRS = {
    ClockedSchedule: beat.ClockedScheduleAdmin,
    CrontabSchedule: beat.CrontabScheduleAdmin,
    IntervalSchedule: beat.IntervalScheduleAdmin,
    SolarSchedule: beat.SolarScheduleAdmin,
}
SCHEDULES = ("interval", "crontab", "crontab_translation", "solar", "clocked", "start_time", "last_run_at", "one_off")
UNITS = ((86_400, "天"), (3600, "小时"), (60, "分钟"), (1, "秒"))
# What a broker is told besides (exchange, routing key, priority, headers) has no place here: the queue says all.
OPTIONS = ("expires", "expire_seconds", "queue")


class TaskChoice(beat.TaskSelectWidget, UnfoldAdminSelectWidget):  # type: ignore[misc]
    """The registered tasks in their words, looking as every choice does."""

    def tasks_as_choices(self) -> tuple[tuple[str, str], ...]:
        """Return what may be chosen, nothing first."""
        return tuple((name, f"{TASKS[name]}（{name}）" if name in TASKS else name) for name, _name in super().tasks_as_choices())


class TaskFilter(admin.SimpleListFilter):
    title = "任务"
    parameter_name = "task"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(TASKS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[PeriodicTask]) -> QuerySet[PeriodicTask]:
        return queryset.filter(task=self.value()) if self.value() in TASKS else queryset


def jobs_shown() -> list[dict[str, str]]:
    """Return the jobs that run by the clock: their words, how often, and when next; the lease of the last run ends then."""
    due = dict(RunnerLease.objects.filter(name__startswith="job:").values_list("name", "expires_at"))
    return [
        {
            "word": JOBS.get(job.name, job.name),
            "name": job.name,
            "every": every_told(job.every),
            "next": moment_text(at, has_seconds=True) if (at := due.get(f"job:{job.name}")) else "尚未执行",
        }
        for job in periodic_jobs()
    ]


def every_told(every: timedelta) -> str:
    """Return a period in the largest unit that it is whole in: 每 10 分钟."""
    seconds = int(every.total_seconds())
    size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
    return f"每 {seconds // size} {unit}"


class TaskForm(beat.PeriodicTaskForm):  # type: ignore[misc]
    regtask = beat.TaskChoiceField(label="已登记的任务", required=False, widget=TaskChoice)
    task = forms.CharField(
        label="其他任务",
        required=False,
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text="未登记的填写全名；选了上面的不必填",
    )


for model, page in THEIRS.items():
    admin.site.unregister(model)
    admin.site.register(model, type(f"{model.__name__}Page", (ListedAdmin, page), {}))

called(PeriodicTask, "定时任务", below="后台任务")
admin.site.unregister(PeriodicTask)


@admin.register(PeriodicTask)
class PeriodicTaskPage(ListedAdmin, beat.PeriodicTaskAdmin):  # type: ignore[misc]
    """Without their own page of the form, whose script in the page the site's policy forbids."""

    form = TaskForm
    change_form_template = None
    list_after_template = "admin/jobs.html"
    list_display = ("told", "enabled", "schedule_told", "start_time", "last_run_at", "one_off")
    list_filter = ("enabled", "one_off", TaskFilter, "start_time", "last_run_at")
    search_help_text = "按任务的中文或原名搜索"
    fieldsets = (
        (None, {"fields": ("name", "regtask", "task", "enabled", "description")}),
        ("执行时间", {"fields": SCHEDULES, "description": "间隔、计划、日程、定时四种只设一种"}),
        ("参数", {"fields": ("args", "kwargs")}),
        ("执行选项", {"fields": OPTIONS}),
    )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list, and below it the jobs that come with the mall."""
        return super().changelist_view(request, {**(extra_context or {}), "jobs": jobs_shown()})

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        """Return the tasks whose words have the text, else those whose name has it."""
        tasks = [name for name, word in TASKS.items() if search_term.strip() and search_term.strip() in word]
        return (queryset.filter(task__in=tasks), False) if tasks else super().get_search_results(request, queryset, search_term)

    @admin.display(description="任务", ordering="name")
    def told(self, task: PeriodicTask) -> SafeString:
        """Return what it does in words, over its names."""
        return two_lines(TASKS.get(task.task, task.name), f"{task.name} · {task.task}" if task.name != task.task else task.name)

    @admin.display(description="执行时间")
    def schedule_told(self, task: PeriodicTask) -> str:
        """Return when it runs."""
        return every_told(timedelta(**{task.interval.period: task.interval.every})) if task.interval else str(task.scheduler or "—")

    @admin.display(description="计划说明")
    def crontab_translation(self, obj: PeriodicTask) -> str:
        return str(obj.crontab.human_readable) if obj.crontab else "—"
