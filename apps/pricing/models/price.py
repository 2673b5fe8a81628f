"""Price lists (价目表) with their rows, and the customers' own names of products. Individual prices
of one customer are a price list of that customer.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Value
from django.db.models.functions import Lower, Replace

from apps.catalog.enums import ChangeKind
from apps.catalog.indexing.text import CODE_MARKS
from apps.catalog.models.change import Change
from apps.common.models import TenantModel
from apps.common.models.base import get_loaded_relation
from apps.common.money import PRICE_VALIDATORS, MoneyField
from apps.common.quantity import MAX_QUANTITY, build_range_validators
from apps.pricing.enums import PriceListKind
from apps.pricing.models.tiers import build_tier_constraints


class PriceList(models.Model):
    code = models.CharField("编码", max_length=30, unique=True)
    name = models.CharField("名称", max_length=80)
    kind = models.CharField(
        "种类", max_length=10, choices=PriceListKind.choices, default=PriceListKind.CONTRACT
    )
    valid_from = models.DateField("生效日", null=True, blank=True)
    valid_to = models.DateField("失效日", null=True, blank=True)

    class Meta:
        verbose_name = "价目表"
        verbose_name_plural = "价目表"
        ordering = ["code"]

    def __str__(self) -> str:
        return self.name

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRICE, self.code


def _without_separators(field: str) -> Func:
    """Return the code without separators. `apps.search.sql.lookup.code_key_sql` writes the same
    expression, so the index serves its queries.
    """
    key: Func = Lower(field)
    for mark in CODE_MARKS:
        key = Replace(key, Value(mark), Value(""))
    return key


def _build_tier_quantity_field(number: int) -> models.PositiveIntegerField[Any, Any]:
    return models.PositiveIntegerField(
        f"阶梯{number}数量",
        null=True,
        blank=True,
        validators=build_range_validators(2, MAX_QUANTITY),
    )


def _build_tier_price_field(number: int) -> MoneyField:
    return MoneyField(
        f"阶梯{number}单价（含税）", null=True, blank=True, validators=PRICE_VALIDATORS
    )


class PriceListItem(models.Model):
    """The price of a product in a price list, with up to three tiers (阶梯价). The price is that of
    a quantity below the first tier.
    """

    price_list = models.ForeignKey(
        PriceList,
        on_delete=models.CASCADE,
        related_name="items",
        verbose_name="价目表",
        db_index=False,
    )
    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="price_items",
        verbose_name="商品",
        db_index=False,
    )
    price = MoneyField(
        "协议价（含税）",
        null=True,
        blank=True,
        validators=PRICE_VALIDATORS,
        help_text="留空：只有品名和物料编码是客户的，价格不是",
    )
    tier1_quantity, tier1_price = _build_tier_quantity_field(1), _build_tier_price_field(1)
    tier2_quantity, tier2_price = _build_tier_quantity_field(2), _build_tier_price_field(2)
    tier3_quantity, tier3_price = _build_tier_quantity_field(3), _build_tier_price_field(3)
    valid_to = models.DateField(
        "有效期至", null=True, blank=True, help_text="留空：与价目表同期；仅询价专属价目表使用"
    )
    customer_name = models.CharField("客户品名", max_length=120, blank=True)
    customer_code = models.CharField("客户物料编码", max_length=60, blank=True)

    class Meta:
        verbose_name = "价目"
        verbose_name_plural = "价目"
        constraints = [
            models.UniqueConstraint(
                fields=["price_list", "product"], name="priceitem_list_product_uniq"
            ),
            models.CheckConstraint(
                condition=models.Q(price__gte=0),
                name="priceitem_price_not_negative",
                violation_error_message="协议价不能为负数",
            ),
            *build_tier_constraints("priceitem"),
        ]
        indexes = [
            models.Index(fields=["product", "price_list"], name="priceitem_product_list_idx"),
            # varchar_pattern_ops: the index serves the prefix queries of suggestions under every
            # collation of PostgreSQL. SQLite ignores it.
            models.Index(
                fields=["price_list", "customer_code"],
                name="priceitem_customer_code_idx",
                condition=~models.Q(customer_code=""),
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
            # Without separators, as model codes are compared: XL00123 finds XL-0012-3.
            models.Index(
                F("price_list"),
                _without_separators("customer_code"),
                name="priceitem_customer_key_idx",
            ),
            models.Index(
                fields=["price_list", "customer_name"],
                name="priceitem_customer_name_idx",
                condition=~models.Q(customer_name=""),
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
        ]

    def __str__(self) -> str:
        product = get_loaded_relation(self, "product")
        return f"{product.code} {product.name}" if product else f"价目 {self.pk}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRICE, f"{self.price_list.code}:{self.product.code}"


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
