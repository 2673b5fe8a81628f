from apps.calendar.models.calendar_day import CalendarDay

__all__ = ["CalendarDay"]
