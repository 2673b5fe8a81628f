"""备注: notes of staff on an order, for their colleagues. Customers never see them, and they are
never changed.
"""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel


class OrderNote(TenantModel):
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="staff_notes", verbose_name="订单"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="备注人"
    )
    text = models.CharField("备注", max_length=500)
    written_at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "内部备注"
        verbose_name_plural = "内部备注"
        ordering = ["-written_at", "-id"]

    def __str__(self) -> str:
        return self.text[:40]
