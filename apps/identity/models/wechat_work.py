"""企业微信: bindings between members and accounts, and sign-ins in progress."""

from django.conf import settings
from django.db import models


class WeChatWorkAccount(models.Model):
    """A binding. A member has at most one account and an account has at most one member."""

    corp_id = models.CharField("企业 ID", max_length=64)
    user_id = models.CharField("企业微信成员账号", max_length=64)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="商城账号",
        related_name="+",
    )
    bound_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name="绑定人（空为本人）",
        related_name="+",
    )
    created_at = models.DateTimeField("绑定时间", auto_now_add=True)
    used_at = models.DateTimeField("最近登录", null=True, blank=True)

    class Meta:
        verbose_name = "企业微信绑定"
        verbose_name_plural = "企业微信绑定"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["corp_id", "user_id"], name="wechatwork_member_uniq"),
            models.UniqueConstraint(fields=["corp_id", "account"], name="wechatwork_account_uniq"),
        ]

    def __str__(self) -> str:
        return f"企业微信绑定 {self.user_id}"


class WeChatWorkState(models.Model):
    """One redirect to 企业微信 and back. It works once, in the browser that began it. Only hashes
    of both secrets are stored.
    """

    state_hash = models.CharField(max_length=64, unique=True)
    browser_hash = models.CharField(max_length=64)
    return_url = models.CharField("登录后前往", max_length=2000, blank=True)
    created_at = models.DateTimeField("发起时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)
    # The member who returned and has no account yet. The member may bind an account with its
    # password until `expires_at`.
    user_id = models.CharField("待绑定成员", max_length=64, blank=True)
    bound_at = models.DateTimeField("绑定时间", null=True, blank=True)

    class Meta:
        verbose_name = "企业微信登录请求"
        verbose_name_plural = "企业微信登录请求"
        indexes = [models.Index(fields=["expires_at"], name="wechatworkstate_expires_idx")]

    def __str__(self) -> str:
        return f"企业微信登录请求 {self.pk}"
