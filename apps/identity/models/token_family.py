"""One sign-in and all its refresh tokens."""

import uuid

from django.conf import settings
from django.db import models


class TokenFamily(models.Model):
    """Stores only the hash of the newest token. An older token is verified by deriving its
    successors up to the newest one.
    """

    public_id = models.UUIDField("编号", default=uuid.uuid4, unique=True, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="账号",
        related_name="token_families",
    )
    generation = models.PositiveIntegerField("代数", default=0)
    token_hash = models.CharField(max_length=64)
    # [generation, epoch seconds] of the latest rotations: the old tokens within their grace period.
    rotations = models.JSONField(default=list, blank=True)
    client_address = models.CharField("登录地址", max_length=45, blank=True)
    user_agent = models.CharField("浏览器", max_length=200, blank=True)
    # Staff who act as the account. Never set to null, because the sign-in would then count as the
    # customer's own.
    impersonator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        verbose_name="代登录运营人员",
        related_name="+",
    )
    reason = models.CharField("代登录原因", max_length=100, blank=True, default="", db_default="")
    created_at = models.DateTimeField("登录时间", auto_now_add=True)
    used_at = models.DateTimeField("最近使用")
    expires_at = models.DateTimeField("过期时间")
    revoked_at = models.DateTimeField("撤销时间", null=True, blank=True)
    revoked_why = models.CharField("撤销原因", max_length=40, blank=True)

    class Meta:
        verbose_name = "登录会话"
        verbose_name_plural = "登录会话"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["account", "-created_at"], name="tokenfamily_account_idx"),
            models.Index(fields=["expires_at"], name="tokenfamily_expires_idx"),
        ]

    def __str__(self) -> str:
        return str(self.public_id)
