"""The pages of django-celery-beat, built on the kit of the back office, with Chinese titles."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django_celery_beat import admin as beat
from django_celery_beat.models import (
    ClockedSchedule,
    CrontabSchedule,
    IntervalSchedule,
    PeriodicTask,
    SolarSchedule,
)
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.common.background.periodic import list_periodic_jobs
from apps.common.days import format_moment
from apps.common.models.outbox import JobRun, RunnerLease
from apps.office.cells import render_two_lines
from apps.office.lists import OfficeAdmin
from apps.office.pages import set_verbose_name

THEIRS = {
    ClockedSchedule: beat.ClockedScheduleAdmin,
    IntervalSchedule: beat.IntervalScheduleAdmin,
    SolarSchedule: beat.SolarScheduleAdmin,
}
SCHEDULES = (
    "interval",
    "crontab",
    "crontab_translation",
    "solar",
    "clocked",
    "start_time",
    "last_run_at",
    "one_off",
)
# The Celery tasks that beat schedules.
TASK_TITLES = {
    "common.outbox_deliver": "投递即时消息",
    "common.outbox_deliver_mail": "投递对外发送的消息",
    "common.outbox_deliver_bulk": "投递批量消息",
    "common.run_due_jobs": "执行到期的定时任务",
    "celery.backend_cleanup": "清理任务结果",
}
# The parts of a cron line with their words, in the order of the page, and the help of each.
CRON_PARTS = {
    "minute": ("分", "0 至 59；* 为每分钟，多个用逗号分隔，如 0,30"),
    "hour": ("时", "0 至 23；* 为每小时，多个用逗号分隔，如 8,20"),
    "day_of_month": ("日", "1 至 31；* 为每天，多个用逗号分隔，如 1,15"),
    "month_of_year": ("月", "1 至 12；* 为每月，多个用逗号分隔，如 1,12"),
    "day_of_week": ("周", "1 至 6 为周一至周六，0 或 7 为周日；* 为每天，多个用逗号分隔，如 1,5"),
}
UNITS = ((86_400, "天"), (3600, "小时"), (60, "分钟"), (1, "秒"))
# Instead of the library's, which name Python's values and Celery's settings.
TASK_HELP = {
    "last_run_at": "最近一次触发任务的时刻；停用后清空",
    "one_off": "勾选后只执行一次",
    "args": '按次序传给任务的值，JSON 数组，例如 ["甲", "乙"]；没有则保留 []',
    "kwargs": '按名称传给任务的值，JSON 对象，例如 {"数量": 10}；没有则保留 {}',
    "queue": "执行任务的队列，留空为默认队列",
}
# The other options of the broker (exchange, routing key, priority, headers) are not used here.
OPTIONS = ("expires", "expire_seconds", "queue")


class TaskChoice(beat.TaskSelectWidget, UnfoldAdminSelectWidget):
    """The registered tasks with their Chinese titles, in the style of the back office."""

    def tasks_as_choices(self) -> tuple[tuple[str, str], ...]:
        """Return the choices, the empty one first."""
        return tuple(
            (name, f"{TASK_TITLES[name]}（{name}）" if name in TASK_TITLES else name)
            for name, _name in super().tasks_as_choices()
        )


class TaskFilter(admin.SimpleListFilter):
    title = "任务"
    parameter_name = "task"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(TASK_TITLES.items())

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[PeriodicTask]
    ) -> QuerySet[PeriodicTask]:
        return queryset.filter(task=self.value()) if self.value() in TASK_TITLES else queryset


def list_jobs() -> list[dict[str, Any]]:
    """Return the periodic jobs with title, interval, newest run and next run. Failed jobs come
    first, then those that ran last.

    A job runs next when the lease of its last run expires.
    """
    lease_end_by_name = dict(
        RunnerLease.objects.filter(name__startswith="job:").values_list("name", "expires_at")
    )
    run_by_name = {run.name: run for run in JobRun.objects.all()}
    jobs = sorted(list_periodic_jobs(), key=lambda job: _sort_key(run_by_name.get(job.name)))
    return [
        {
            "title": job.title,
            "name": job.name,
            "every": format_interval(job.every),
            "next": format_moment(lease_end, has_seconds=True)
            if (lease_end := lease_end_by_name.get(f"job:{job.name}"))
            else "尚未执行",
            **_run_cells(run_by_name.get(job.name)),
        }
        for job in jobs
    ]


def _sort_key(run: JobRun | None) -> tuple[bool, float]:
    return (not (run and run.error), -run.started_at.timestamp() if run else 0.0)


def _run_cells(run: JobRun | None) -> dict[str, Any]:
    """Return the cells of the newest run: start, duration, result, and whether it failed."""
    if run is None:
        return {"last": "—", "took": "—", "outcome": "暂无记录", "is_failed": False}
    done_text = "已完成" if run.count is None else f"已处理 {run.count:,} 项"
    return {
        "last": format_moment(run.started_at, has_seconds=True),
        "took": f"{run.seconds:.1f} 秒",
        "outcome": f"失败，将自动重试：{run.error}" if run.error else done_text,
        "is_failed": bool(run.error),
    }


def format_interval(every: timedelta) -> str:
    """Return an interval in its largest whole unit, as in 每 10 分钟."""
    seconds = int(every.total_seconds())
    size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
    return f"每 {seconds // size} {unit}"


class TaskForm(beat.PeriodicTaskForm):
    regtask = beat.TaskChoiceField(label="已登记的任务", required=False, widget=TaskChoice)
    task = forms.CharField(
        label="其他任务",
        required=False,
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text="未登记的填写全名；选了上面的不必填",
    )

    class Meta(beat.PeriodicTaskForm.Meta):
        help_texts = TASK_HELP


for model, page in THEIRS.items():
    admin.site.unregister(model)
    # Without the inline table of the library, whose titles are English.
    admin.site.register(model, type(f"{model.__name__}Page", (OfficeAdmin, page), {"inlines": ()}))

admin.site.unregister(CrontabSchedule)


@admin.register(CrontabSchedule)
class CrontabSchedulePage(OfficeAdmin):
    """The library describes a cron line in English, so its own page is not used."""

    list_display = ("cron_text", "timezone")
    fields = (*CRON_PARTS, "timezone")

    @admin.display(description="执行时间")
    def cron_text(self, schedule: CrontabSchedule) -> str:
        return format_cron(schedule)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field with a help text in Chinese."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field is not None and db_field.name in CRON_PARTS:
            field.help_text = CRON_PARTS[db_field.name][1]
        return field


def format_cron(schedule: CrontabSchedule) -> str:
    """Return a cron line in words, as in 1 日，4 时，0 分. Parts for every value are left out."""
    parts = [
        f"{value} {word}"
        for name, (word, _help) in reversed(CRON_PARTS.items())
        if (value := str(getattr(schedule, name))) != "*"
    ]
    return "，".join(parts) or "每分钟"


set_verbose_name(PeriodicTask, "定时任务", below="后台任务")
admin.site.unregister(PeriodicTask)


@admin.register(PeriodicTask)
class PeriodicTaskPage(OfficeAdmin, beat.PeriodicTaskAdmin):
    """Uses the standard form page: the CSP forbids the inline script of the library."""

    form = TaskForm
    change_form_template = None
    list_before_template = "admin/jobs.html"
    list_display = (
        "titled_task",
        "enabled",
        "schedule_text",
        "start_time",
        "last_run_at",
        "one_off",
    )
    list_filter = ("enabled", "one_off", TaskFilter, "start_time", "last_run_at")
    search_help_text = "按任务的中文或原名搜索"
    fieldsets = (
        (None, {"fields": ("name", "regtask", "task", "enabled", "description")}),
        ("执行时间", {"fields": SCHEDULES, "description": "间隔、计划、日程、定时四种只设一种"}),
        ("参数", {"fields": ("args", "kwargs")}),
        ("执行选项", {"fields": OPTIONS}),
    )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Show the built-in periodic jobs with their newest runs, and below them the list."""
        return super().changelist_view(request, {**(extra_context or {}), "jobs": list_jobs()})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the tasks whose title contains the text, otherwise those whose name does, and
        whether rows can repeat.
        """
        tasks = [
            name
            for name, title in TASK_TITLES.items()
            if search_term.strip() and search_term.strip() in title
        ]
        return (
            (queryset.filter(task__in=tasks), False)
            if tasks
            else super().get_search_results(request, queryset, search_term)
        )

    @admin.display(description="任务", ordering="name")
    def titled_task(self, task: PeriodicTask) -> SafeString:
        """Return the task's title above its names."""
        return render_two_lines(
            TASK_TITLES.get(task.task, task.name),
            f"{task.name} · {task.task}" if task.name != task.task else task.name,
        )

    @admin.display(description="执行时间")
    def schedule_text(self, task: PeriodicTask) -> str:
        """Return when the task runs: its interval or its times of day, in Chinese."""
        return (
            format_interval(timedelta(**{task.interval.period: task.interval.every}))
            if task.interval
            else format_cron(task.crontab)
            if task.crontab
            else str(task.scheduler or "—")
        )

    @admin.display(description="计划说明")
    def crontab_translation(self, obj: PeriodicTask) -> str:
        return format_cron(obj.crontab) if obj.crontab else "—"
