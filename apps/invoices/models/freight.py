"""运费 of an order on an invoice: an item of its own, once per order."""

from django.db import models

from apps.common.models import TenantModel


class InvoicedFreight(TenantModel):
    """The freight of this order is applied for or invoiced; no row while it may still be. The unique order keeps it to once."""

    order = models.OneToOneField("orders.Order", on_delete=models.PROTECT, related_name="invoiced_freight", verbose_name="订单")
    is_issued = models.BooleanField("已开票", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "运费开票"
        verbose_name_plural = "运费开票"

    def __str__(self) -> str:
        return str(self.order_id)
