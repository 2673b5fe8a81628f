"""收藏 and 浏览记录 of an account."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.search.enums import FavoriteType


class Favorite(TenantModel):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="账号"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    type = models.PositiveSmallIntegerField("类型", choices=FavoriteType.choices)
    at = models.DateTimeField("时间")
    added_price = MoneyField("当时单价（含税）", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "收藏与浏览"
        verbose_name_plural = "收藏与浏览"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "account", "type", "product"], name="favorite_account_product_uniq"
            )
        ]
        indexes = [
            models.Index(fields=["group", "account", "type", "-at"], name="favorite_recent_idx")
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.product_id}"
