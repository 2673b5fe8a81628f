"""Rows that belong to documents of any app: events, stored files, and the staff member who has
taken the work.
"""

import uuid

from django.conf import settings
from django.db import models

from apps.common.models.base import TenantModel


class Event(TenantModel):
    """One entry in the history of a document: who did what, and the states before and after. A
    service writes it in the transaction of the change. Rows are only added. `acting_for` is the
    person for whom the actor acted.
    """

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


class StoredFile(TenantModel):
    """A private file. It is read with a same-origin URL, signed for one account and valid for 5
    minutes.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="上传人"
    )
    path = models.CharField("路径", max_length=200)
    name = models.CharField("文件名", max_length=200)
    content_type = models.CharField("类型", max_length=80)
    size = models.PositiveIntegerField("字节数")
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField("上传时间", auto_now_add=True)

    class Meta(TenantModel.Meta):
        verbose_name = "文件"
        verbose_name_plural = "文件"
        indexes = [
            models.Index(fields=["group", "owner", "-created_at"], name="storedfile_owner_idx")
        ]

    def __str__(self) -> str:
        return self.name


class WorkOwner(models.Model):
    # The list that contains the task, such as "orders.order".
    kind = models.CharField("类型", max_length=60)
    object_id = models.BigIntegerField("对象")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="负责人",
        db_index=False,
    )
    taken_at = models.DateTimeField("认领时间", auto_now_add=True)

    class Meta:
        verbose_name = "工作认领"
        verbose_name_plural = "工作认领"
        constraints = [
            models.UniqueConstraint(fields=["kind", "object_id"], name="workowner_one_owner")
        ]
        indexes = [models.Index(fields=["owner", "kind", "object_id"], name="workowner_owner_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"
