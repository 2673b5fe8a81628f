"""What a person has chosen for a kind; without a row the kind's own rule holds (enums.KINDS)."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.notices.enums import MailMode, NoticeKind


class NoticePreference(TenantModel):
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号", db_index=False)
    kind = models.CharField("类型", max_length=20, choices=NoticeKind.choices)
    page = models.BooleanField("页面", default=True)
    mail = models.CharField("邮件", max_length=7, choices=MailMode.choices)
    wechat_work = models.BooleanField("企业微信", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "通知设置"
        verbose_name_plural = "通知设置"
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["group", "account", "kind"], name="noticepreference_kind_uniq")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.get_kind_display()}"
