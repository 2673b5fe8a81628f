"""Counters of rate limits where there is no shared cache."""

from django.db import models


class RateCounter(models.Model):
    name = models.CharField(max_length=160, unique=True)
    count = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = "限流计数"
        verbose_name_plural = "限流计数"
        indexes = [models.Index(fields=["expires_at"], name="ratecounter_expires_idx")]

    def __str__(self) -> str:
        return f"{self.name} {self.count}"
