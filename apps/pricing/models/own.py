"""客户自有品名与物料号: the group's own name and material code of a product."""

from django.conf import settings
from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.common.models import TenantModel


class OwnName(TenantModel):
    """The customer edits it. It takes precedence over names and codes in price lists."""

    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    name = models.CharField("自有品名", max_length=120, blank=True)
    code = models.CharField("自有物料号", max_length=60, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="修改人",
    )
    changed_at = models.DateTimeField("修改时间", auto_now=True)

    class Meta(TenantModel.Meta):
        verbose_name = "客户品名与物料号"
        verbose_name_plural = "客户品名与物料号"
        constraints = [
            models.UniqueConstraint(fields=["group", "product"], name="ownname_product_uniq"),
            models.UniqueConstraint(
                fields=["group", "code"], condition=~models.Q(code=""), name="ownname_code_uniq"
            ),
            models.CheckConstraint(
                condition=~models.Q(name="", code=""), name="ownname_says_something"
            ),
        ]
        indexes = [
            models.Index(
                fields=["group", "name"], name="ownname_name_idx", condition=~models.Q(name="")
            )
        ]

    def __str__(self) -> str:
        return f"{self.product_id} {self.name or self.code}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRICE, f"own:{self.group_id}:{self.product.code}"
