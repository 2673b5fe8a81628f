"""One product in one account's cart."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField


class CartItem(TenantModel, TimeStampedModel):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="cart_items", verbose_name="商品"
    )
    quantity = models.PositiveIntegerField("数量")
    is_selected = models.BooleanField("选中", default=True)
    added_price = MoneyField("加入时单价（含税）", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "购物车商品"
        verbose_name_plural = "购物车商品"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "product"], name="cartitem_account_product_uniq"
            ),
            models.CheckConstraint(
                condition=models.Q(quantity__gte=1), name="cartitem_quantity_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.product_id} × {self.quantity}"
