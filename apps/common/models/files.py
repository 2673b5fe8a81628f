"""Uploaded and generated private files."""

import uuid

from django.conf import settings
from django.db import models

from apps.common.models.base import TenantModel


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
