"""The names under which a group ever ordered products. The order search reads this table
instead of all lines.
"""

from django.db import models

from apps.common.models import TenantModel


class OrderedName(TenantModel):
    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    product_code = models.CharField("商品编码", max_length=18)
    name = models.CharField("名称", max_length=120)
    customer_name = models.CharField("客户品名", max_length=120, blank=True)
    customer_code = models.CharField("客户物料编码", max_length=60, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "订购过的名称"
        verbose_name_plural = "订购过的名称"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "product", "name", "customer_name", "customer_code"],
                name="orderedname_uniq",
            )
        ]

    def __str__(self) -> str:
        return self.customer_name or self.name
