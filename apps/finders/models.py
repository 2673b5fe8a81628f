"""Devices and the consumables that fit them, part numbers of other brands, the rules for
substitutes, and expected arrivals of goods.

The rows belong to the platform. Which products a customer sees is decided where they are read.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change
from apps.catalog.models.product import MAX_ATTRIBUTE_NAME, MAX_STOCK
from apps.common.quantity import build_range_validators
from apps.finders.enums import CompatibilityKind, DeviceKind, ReferenceKind, SubstituteMatch

MAX_ALIASES = 300


class DeviceBrand(models.Model):
    """A maker of devices: 惠普 / HP. It is no brand of the catalogue."""

    name = models.CharField("名称", max_length=40, unique=True)
    english_name = models.CharField("英文名", max_length=40, blank=True)
    position = models.PositiveIntegerField("排序", default=0)

    class Meta:
        verbose_name = "设备品牌"
        verbose_name_plural = "设备品牌"
        ordering = ["position", "id"]
        indexes = [models.Index(fields=["position", "id"], name="devicebrand_position_idx")]

    def __str__(self) -> str:
        return f"{self.name} {self.english_name}".strip()

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.SEARCH, f"device_brand:{self.name}"


class Device(models.Model):
    """A model of a device. `model_key` and the keys of DeviceName are derived from its texts."""

    brand = models.ForeignKey(
        DeviceBrand,
        on_delete=models.PROTECT,
        related_name="devices",
        verbose_name="设备品牌",
        db_index=False,
    )
    model = models.CharField("机型", max_length=60, help_text="如 LaserJet M1005 MFP")
    model_key = models.CharField("机型检索键", max_length=60, editable=False)
    aliases = models.CharField(
        "别名",
        max_length=MAX_ALIASES,
        blank=True,
        help_text="其他叫法，多个用分号隔开，如：M1005；M1005MFP",
    )
    kind = models.CharField(
        "类型", max_length=8, choices=DeviceKind.choices, default=DeviceKind.PRINTER
    )

    class Meta:
        verbose_name = "机型"
        verbose_name_plural = "机型"
        ordering = ["brand", "model_key"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "model_key"],
                name="device_brand_model_uniq",
                violation_error_message="该品牌已有这个机型",
            ),
            models.CheckConstraint(
                condition=~Q(model_key=""),
                name="device_has_key",
                violation_error_message="机型至少包含一个字母、数字或汉字",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.brand.name} {self.model}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.SEARCH, f"device:{self.brand_id}:{self.model_key}"


class DeviceName(models.Model):
    """A key by which a typed phrase names a device: its model or an alias, with and without the
    brand. `selectors/device_keys.py` derives it.
    """

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="names")
    key = models.CharField(max_length=100)

    class Meta:
        verbose_name = "机型检索键"
        verbose_name_plural = "机型检索键"
        constraints = [
            models.UniqueConstraint(fields=["device", "key"], name="devicename_device_key_uniq")
        ]
        indexes = [
            # varchar_pattern_ops: the index serves prefix queries under every collation of
            # PostgreSQL.
            models.Index(
                fields=["key"], name="devicename_prefix_idx", opclasses=["varchar_pattern_ops"]
            )
        ]

    def __str__(self) -> str:
        return self.key


class DeviceCompatibility(models.Model):
    """A product that fits a device."""

    device = models.ForeignKey(
        Device,
        on_delete=models.CASCADE,
        related_name="compatibilities",
        verbose_name="机型",
        db_index=False,
    )
    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    kind = models.CharField(
        "性质",
        max_length=10,
        choices=CompatibilityKind.choices,
        default=CompatibilityKind.COMPATIBLE,
    )
    note = models.CharField("说明", max_length=100, blank=True, help_text="如：需配带芯片的版本")

    class Meta:
        verbose_name = "适用机型"
        verbose_name_plural = "适用机型"
        constraints = [
            models.UniqueConstraint(
                fields=["device", "product"],
                name="devicecompatibility_uniq",
                violation_error_message="该机型已列出这个商品",
            )
        ]
        indexes = [models.Index(fields=["product", "device"], name="devicecompat_product_idx")]

    def __str__(self) -> str:
        return f"{self.device} → {self.product.code}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.product.code


class CrossReference(models.Model):
    """A part number or name of another brand that leads to our equal or nearest product."""

    brand = models.CharField("对方品牌", max_length=40)
    part_number = models.CharField("对方型号", max_length=60, blank=True)
    part_key = models.CharField("型号检索键", max_length=60, blank=True, editable=False)
    name = models.CharField("对方品名", max_length=120, blank=True)
    name_key = models.CharField("品名检索键", max_length=120, blank=True, editable=False)
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="我方商品"
    )
    kind = models.CharField(
        "关系", max_length=5, choices=ReferenceKind.choices, default=ReferenceKind.EQUAL
    )
    note = models.CharField(
        "说明", max_length=100, blank=True, help_text="相近时写明差别，如：页产量 2000 页"
    )

    class Meta:
        verbose_name = "型号对照"
        verbose_name_plural = "型号对照"
        ordering = ["brand", "part_key", "name_key", "product_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brand", "part_key", "name_key", "product"],
                name="crossreference_uniq",
                violation_error_message="已有这一条型号对照",
            ),
            models.CheckConstraint(
                condition=~Q(part_key="") | ~Q(name_key=""),
                name="crossreference_has_key",
                violation_error_message="请填写对方型号或对方品名",
            ),
            models.CheckConstraint(
                condition=~Q(kind=ReferenceKind.NEAR) | ~Q(note=""),
                name="crossreference_near_says_why",
                violation_error_message="相近的商品请写明差别",
            ),
        ]
        indexes = [
            models.Index(fields=["part_key"], name="crossreference_part_idx"),
            models.Index(fields=["name_key"], name="crossreference_name_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.brand} {self.part_number or self.name}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.SEARCH, f"xref:{self.brand}:{self.part_key or self.name_key}"


class SubstituteRule(models.Model):
    """Whether a substitute of a category's products must have the same value of an attribute. The
    rules of the deepest category that has any apply.
    """

    category = models.ForeignKey(
        "catalog.Category",
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="类目",
        db_index=False,
    )
    attribute = models.CharField(
        "属性", max_length=MAX_ATTRIBUTE_NAME, help_text="属性名，或 品牌、包装规格"
    )
    match = models.CharField("要求", max_length=4, choices=SubstituteMatch.choices)

    class Meta:
        verbose_name = "替代规则"
        verbose_name_plural = "替代规则"
        ordering = ["category_id", "attribute"]
        constraints = [
            models.UniqueConstraint(
                fields=["category", "attribute"],
                name="substituterule_uniq",
                violation_error_message="该类目已有这个属性的规则",
            )
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.attribute} {self.get_match_display()}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.CATEGORY, f"substitute:{self.category.code}:{self.attribute}"


class ExpectedArrival(models.Model):
    """The day on which further pieces of a product are expected."""

    product = models.OneToOneField(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    date = models.DateField("预计到货日")
    quantity = models.PositiveIntegerField(
        "预计数量", null=True, blank=True, validators=build_range_validators(1, MAX_STOCK)
    )

    class Meta:
        verbose_name = "预计到货"
        verbose_name_plural = "预计到货"
        ordering = ["date", "id"]
        indexes = [models.Index(fields=["date", "id"], name="expectedarrival_date_idx")]
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__isnull=True) | Q(quantity__gte=1),
                name="expectedarrival_quantity",
                violation_error_message="预计数量至少为 1",
            )
        ]

    def __str__(self) -> str:
        return f"{self.product.code} {self.date:%Y-%m-%d}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.product.code
