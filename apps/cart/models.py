"""The cart of an account, and its named lists for 快速下单."""

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


class QuickList(TenantModel, TimeStampedModel):
    """`lines` is an ordered list of {"code", "quantity"}. JSON, because a list is always read
    and written as a whole and may contain the code of a deleted product.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    name = models.CharField("名称", max_length=40)
    is_shared = models.BooleanField("共享给部门", default=False)
    lines = models.JSONField("商品", default=list)
    line_count = models.PositiveIntegerField("商品数", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "快速下单清单"
        verbose_name_plural = "快速下单清单"
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "name"], name="quicklist_account_name_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "is_shared", "account"], name="quicklist_shared_idx")
        ]

    def __str__(self) -> str:
        return self.name
