"""The base of content with dates: a switch, a start and an end."""

from __future__ import annotations

from datetime import UTC, datetime

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from apps.common.models import TimeStampedModel

FIRST_DAY, LAST_DAY = datetime(2000, 1, 1, tzinfo=UTC), datetime(2101, 1, 1, tzinfo=UTC)


class Scheduled(TimeStampedModel):
    valid_from = models.DateTimeField("开始时间", null=True, blank=True)
    valid_to = models.DateTimeField("结束时间", null=True, blank=True)
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_to__isnull=True)
                | Q(valid_to__gt=F("valid_from")),
                name="%(class)s_ends_after_start",
                violation_error_message="结束时间必须晚于开始时间",
            )
        ]

    def clean(self) -> None:
        """Limit the dates to a range that every time zone and database supports.

        Raises:
            ValidationError: a date is before 2000 or after 2100.
        """
        super().clean()
        wrong = [
            name
            for name in ("valid_from", "valid_to")
            if (at := getattr(self, name)) and not FIRST_DAY <= at < LAST_DAY
        ]
        if wrong:
            raise ValidationError(dict.fromkeys(wrong, "请填写 2000 年至 2100 年之间的时间"))

    def is_shown(self, at: datetime) -> bool:
        """Return whether the row is switched on and `at` is within its dates. The end is
        exclusive.
        """
        return (
            self.is_active
            and (self.valid_from is None or self.valid_from <= at)
            and (self.valid_to is None or at < self.valid_to)
        )

    @property
    def key(self) -> str:
        """Return a key that is unique among all content."""
        return f"{self._meta.model_name}:{self.pk}"
