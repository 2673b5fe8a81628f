"""The base model of the messages of a document, between the customer and the staff."""

from django.conf import settings
from django.db import models

from apps.common.models.base import TenantModel


class ThreadMessage(TenantModel):
    """A message of the customer or the staff. Customers never see the author of a staff message."""

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="留言人"
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代客户",
    )
    is_ours = models.BooleanField("客服留言", default=False)
    text = models.CharField("内容", max_length=500)
    sent_at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        abstract = True
        ordering = ["sent_at", "id"]

    def __str__(self) -> str:
        return self.text[:20]
