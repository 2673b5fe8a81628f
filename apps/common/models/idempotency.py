"""The answer to a call with an Idempotency-Key. It is written in the same transaction as the
effect.
"""

from django.conf import settings
from django.db import models


class IdempotencyRecord(models.Model):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    key = models.CharField(max_length=80)
    endpoint = models.CharField(max_length=200)
    body_hash = models.CharField(max_length=64)
    answer = models.JSONField(null=True)
    message = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "幂等记录"
        verbose_name_plural = "幂等记录"
        constraints = [
            models.UniqueConstraint(fields=["account", "key"], name="idempotency_account_key_uniq")
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotency_created_idx")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.key}"
