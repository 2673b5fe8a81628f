"""An export that a worker writes in the background."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import StoredFile, TenantModel
from apps.reports.enums import EXPORT_KINDS, OPEN_EXPORTS, ExportState


class ExportJob(TenantModel):
    """The worker holds a lease and extends it every second. If the lease expires, another
    worker starts the export again.
    """

    # Name of the stored file. All attempts use the same name.
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="导出人",
        db_index=False,
    )
    report = models.CharField("报表", max_length=16, choices=EXPORT_KINDS)
    # `selectors/question.py` converts it. Its days are fixed when the export is queued. An archive
    # of invoices has their keys: {"InvoiceIds": […]}.
    question = models.JSONField("筛选条件", default=dict)
    sort = models.CharField("排序", max_length=12, blank=True)
    title = models.CharField("名称", max_length=120)
    state = models.CharField(
        "状态", max_length=10, choices=ExportState.choices, default=ExportState.QUEUED
    )
    rows_done = models.PositiveIntegerField("已写行数", default=0)
    rows_total = models.PositiveIntegerField("总行数", default=0)
    attempts = models.PositiveSmallIntegerField("次数", default=0)
    holder = models.CharField("执行者", max_length=32, blank=True)
    lease_until = models.DateTimeField("租约至", null=True, blank=True)
    error = models.CharField("失败原因", max_length=200, blank=True)
    # The owner's data scope at export time. After a change of scope the file cannot be downloaded.
    seen_as = models.CharField("数据范围", max_length=60, blank=True)
    file = models.ForeignKey(
        StoredFile,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="文件",
    )
    created_at = models.DateTimeField("提交时间", auto_now_add=True)
    started_at = models.DateTimeField("开始时间", null=True, blank=True)
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)
    expires_at = models.DateTimeField("文件保留至", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "导出任务"
        verbose_name_plural = "导出任务"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["group", "owner", "-id"], name="exportjob_owner_idx"),
            models.Index(
                fields=["expires_at"],
                condition=Q(state=ExportState.DONE),
                name="exportjob_expiry_idx",
            ),
            models.Index(
                fields=["created_at"],
                condition=~Q(state__in=OPEN_EXPORTS),
                name="exportjob_age_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.title
