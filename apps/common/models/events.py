"""The events of a subject: actor, time, states and note. Its timeline shows them."""

from django.conf import settings
from django.db import models

from apps.common.models.base import TenantModel


class Event(TenantModel):
    subject_type = models.CharField("对象类型", max_length=40)
    subject_id = models.BigIntegerField("对象编号")
    kind = models.CharField("事件", max_length=60)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="操作人",
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代理",
    )
    from_state = models.CharField("原状态", max_length=40, blank=True)
    to_state = models.CharField("新状态", max_length=40, blank=True)
    note = models.CharField("说明", max_length=500, blank=True)
    data = models.JSONField("数据", default=dict, blank=True)
    at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "事件"
        verbose_name_plural = "事件"
        ordering = ["at", "id"]
        indexes = [
            models.Index(
                fields=["group", "subject_type", "subject_id", "at"], name="event_subject_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject_type} {self.subject_id} {self.kind}"
