"""Rows about requests: answers stored under an Idempotency-Key, counters of rate limits, and the
clients that a limit blocks.
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


class RateBlock(models.Model):
    """A current or past block of a client. One row per counter, written when a block begins or
    is released, but not for calls in between.
    """

    # The name of the counter in Redis or in the table.
    name = models.CharField("计数器", max_length=160, unique=True)
    rule = models.CharField("限制项目", max_length=40)
    # An IPv4 address, the /64 of an IPv6 address, or `account-7`.
    client = models.CharField("受限对象", max_length=120)
    # The id comes from a signed token. The account may no longer exist, so there is no constraint.
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
        verbose_name="账号",
    )
    began_at = models.DateTimeField("开始时间")
    until = models.DateTimeField("到期时间")
    times = models.PositiveIntegerField("累计次数", default=1)
    released_at = models.DateTimeField("解除时间", null=True)
    # None if the client has solved a captcha.
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="解除人",
        db_index=False,
    )

    class Meta:
        verbose_name = "频次限制"
        verbose_name_plural = "频次限制"
        ordering = ["-until", "-pk"]
        permissions = [("release_rateblock", "可以解除限制")]
        indexes = [
            models.Index(fields=["-until", "-id"], name="rateblock_until_idx"),
            models.Index(fields=["client"], name="rateblock_client_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.client} {self.rule}"
