"""When content has moved last."""

from django.db import models


class ContentStamp(models.Model):
    """One row. By it a process knows with one read whether what it keeps still holds."""

    ONLY = 1

    moved_at = models.DateTimeField("最近变更")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="contentstamp_only_one")]

    def __str__(self) -> str:
        return f"{self.moved_at}"
