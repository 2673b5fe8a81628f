from django.apps import AppConfig


class CalendarConfig(AppConfig):
    name = "apps.calendar"
    verbose_name = "工作日历"
