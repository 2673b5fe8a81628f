"""The time of the last change of content."""

from django.db import models


class ContentStamp(models.Model):
    """A single row. A process compares it with its cache in one query."""

    ONLY = 1

    moved_at = models.DateTimeField("最近变更")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="contentstamp_only_one")
        ]

    def __str__(self) -> str:
        return f"{self.moved_at}"
