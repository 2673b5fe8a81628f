"""节假日历: days that differ from the week of Monday to Friday."""

from django.db import models

from apps.common.models import TimeStampedModel


class CalendarDay(TimeStampedModel):
    """A public holiday, or a weekend day that is worked instead (调休).

    Days without a row are worked from Monday to Friday.
    """

    day = models.DateField("日期", unique=True)
    is_worked = models.BooleanField(
        "上班", default=False, help_text="勾选：周末调休上班；不勾选：放假"
    )
    name = models.CharField("名称", max_length=30, help_text="如：国庆节、国庆节调休")

    class Meta:
        verbose_name = "节假日"
        verbose_name_plural = "节假日历"
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d} {self.name}"
