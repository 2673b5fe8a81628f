"""Hashes of an account's former passwords. The latest ones cannot be used again."""

from django.conf import settings
from django.db import models


class FormerPassword(models.Model):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="账号",
        related_name="+",
        db_index=False,
    )
    password = models.CharField(max_length=128)
    replaced_at = models.DateTimeField("停用时间", auto_now_add=True)

    class Meta:
        verbose_name = "历史密码"
        verbose_name_plural = "历史密码"
        indexes = [models.Index(fields=["account", "-id"], name="formerpassword_account_idx")]

    def __str__(self) -> str:
        return f"历史密码 {self.pk}"
