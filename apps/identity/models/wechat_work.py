"""企业微信: which member is which account, and the ways to 企业微信 and back that have begun."""

from django.conf import settings
from django.db import models


class WeChatWorkAccount(models.Model):
    """One member is one account, and one account one member."""

    corp_id = models.CharField("企业 ID", max_length=64)
    user_id = models.CharField("企业微信成员账号", max_length=64)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="商城账号", related_name="+")
    bound_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, verbose_name="绑定人（空为本人）", related_name="+"
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
    """One way to 企业微信 and back: good once, in the browser that began it. Only hashes of both secrets are kept."""

    state_hash = models.CharField(max_length=64, unique=True)
    browser_hash = models.CharField(max_length=64)
    return_url = models.CharField("登录后前往", max_length=2000, blank=True)
    created_at = models.DateTimeField("发起时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)
    # The member who came back and has no account yet; he may bind one by its password until `expires_at`.
    user_id = models.CharField("待绑定成员", max_length=64, blank=True)
    bound_at = models.DateTimeField("绑定时间", null=True, blank=True)

    class Meta:
        verbose_name = "企业微信登录请求"
        verbose_name_plural = "企业微信登录请求"
        indexes = [models.Index(fields=["expires_at"], name="wechatworkstate_expires_idx")]

    def __str__(self) -> str:
        return f"企业微信登录请求 {self.pk}"
