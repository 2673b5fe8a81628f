"""运费 of an order on an invoice. Each order's freight is one item."""

from django.db import models

from apps.common.models import TenantModel


class InvoicedFreight(TenantModel):
    """The freight of this order is applied for or invoiced. Without a row it can be invoiced.
    The unique order prevents a second invoice.
    """

    order = models.OneToOneField(
        "orders.Order",
        on_delete=models.PROTECT,
        related_name="invoiced_freight",
        verbose_name="订单",
    )
    is_issued = models.BooleanField("已开票", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "运费开票"
        verbose_name_plural = "运费开票"

    def __str__(self) -> str:
        return str(self.order_id)
