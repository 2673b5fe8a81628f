"""The shortcuts of a person's workbench."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel


class WorkbenchShortcuts(TenantModel, TimeStampedModel):
    """The chosen codes in their order. No row if the person has chosen nothing."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    codes = models.JSONField("快捷入口", default=list)

    class Meta(TenantModel.Meta):
        verbose_name = "工作台快捷入口"
        verbose_name_plural = "工作台快捷入口"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account"], name="workbenchshortcuts_account_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {len(self.codes)}"
