"""Product families (商品族): products that a buyer tells apart by a few axes (可选项),
such as colour and pack.
"""

from typing import Any

from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.catalog.models.product import MAX_ATTRIBUTE_VALUE
from apps.common.models import TimeStampedModel

MAX_AXES = 3
MAX_MEMBERS = 60
# The axis that stands for `Product.pack` instead of an attribute.
PACK_AXIS = "规格"
# Separates the values of a key. No value contains a line break.
KEY_SEPARATOR = "\n"
MAX_KEY = MAX_AXES * MAX_ATTRIBUTE_VALUE + MAX_AXES


class ProductFamily(TimeStampedModel):
    """`axes` are the names of the attributes in the order in which the buyer chooses. An inactive
    family keeps its members, but lists show them one by one.
    """

    code = models.CharField("编码", max_length=30, unique=True)
    name = models.CharField("名称", max_length=80)
    category = models.ForeignKey(
        "catalog.Category", on_delete=models.PROTECT, related_name="+", verbose_name="三级类目"
    )
    axes: Any = models.JSONField("可选项", default=list)
    is_active = models.BooleanField("启用", default=True)

    class Meta:
        verbose_name = "商品族"
        verbose_name_plural = "商品族"
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(code="") & ~models.Q(name=""),
                name="productfamily_code_and_name",
                violation_error_message="编码和名称须填写",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, f"family:{self.code}"


class FamilyMember(models.Model):
    """A product of a family with its value on each axis, in the order of the axes. `values_key`
    joins the values, so that the database refuses two products with the same values.
    """

    family = models.ForeignKey(
        ProductFamily,
        on_delete=models.CASCADE,
        related_name="members",
        verbose_name="商品族",
        db_index=False,
    )
    product = models.OneToOneField(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="family_member",
        verbose_name="商品",
    )
    values: Any = models.JSONField("可选值", default=list)
    values_key = models.CharField("可选值检索键", max_length=MAX_KEY, editable=False)
    position = models.PositiveSmallIntegerField("排序", default=0)

    class Meta:
        verbose_name = "商品族成员"
        verbose_name_plural = "商品族成员"
        ordering = ["position", "product_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["family", "values_key"],
                name="familymember_values_uniq",
                violation_error_message="族内已有相同可选值的商品",
            ),
            models.CheckConstraint(
                condition=~models.Q(values_key=""),
                name="familymember_has_values",
                violation_error_message="每个可选项都须有值",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product_id} {' '.join(self.values)}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.product.code
