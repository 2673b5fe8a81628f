"""The page 节假日历: holidays and 调休. Staff enter a year after the State Council announces it."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.calendar.models import CalendarDay
from apps.office.lists import OfficeAdmin


@admin.register(CalendarDay)
class CalendarDayAdmin(OfficeAdmin):
    """The days that differ from the week: holidays and working weekends (调休). Working time of
    approvals and deadlines follows them.
    """

    list_display = ("day", "weekday", "is_worked", "name")
    list_filter = ("is_worked",)
    date_hierarchy = "day"
    search_fields = ("name",)
    fields = ("day", "is_worked", "name")
    list_per_page = 100

    @admin.display(description="星期")
    def weekday(self, row: CalendarDay) -> str:
        """Return the day of the week."""
        return "周" + "一二三四五六日"[row.day.weekday()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Warn if this year or the next has no holidays yet; it then counts as Monday to Friday."""
        present = timezone.localdate().year
        known_years = {
            day.year
            for day in CalendarDay.objects.filter(day__year__in=(present, present + 1)).dates(
                "day", "year"
            )
        }
        missing = [str(year) for year in (present, present + 1) if year not in known_years]
        if missing and request.method == "GET":
            text = (
                f"{'、'.join(missing)} 年的节假日尚未录入，工作时间暂按周一至周五计算；"
                "国务院办公厅公布后请在此录入"
            )
            messages.warning(request, text)
        response: HttpResponse = super().changelist_view(request, extra_context)
        return response


auditlog.register(CalendarDay, exclude_fields=["updated_at"])
