"""变更记录: the change history of the organisation, with actor, time, old and new values."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel


class OrganisationChange(TenantModel):
    # Null for an automatic change.
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="操作人",
        db_index=False,
    )
    subject_type = models.CharField("对象类型", max_length=30)
    subject_id = models.BigIntegerField("对象")
    subject_name = models.CharField("对象名称", max_length=200)
    action = models.CharField("操作", max_length=30)
    # [{"field", "label", "before", "after"}], values as text for the screen
    changes = models.JSONField("变更内容", default=list, blank=True)
    note = models.CharField("说明", max_length=500, blank=True)
    created_at = models.DateTimeField("时间", auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = "变更记录"
        verbose_name_plural = "变更记录"
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["group", "subject_type", "subject_id", "-id"], name="orgchange_subject_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject_name} {self.action}"
