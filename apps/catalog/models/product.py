"""Products (商品) with their market price (元, 含税), pictures, documents, search keys and the
ledger of their stock.
"""

from decimal import ROUND_HALF_UP, Decimal

from django.core.validators import RegexValidator
from django.db import models

from apps.catalog.barcodes import validate_barcode
from apps.catalog.enums import ChangeKind, ProductStatus
from apps.catalog.models.change import Change
from apps.common.models import TimeStampedModel
from apps.common.money import PRICE_VALIDATORS, MoneyField
from apps.common.quantity import build_range_validators

# Limits of forms and of sheets. PostgreSQL's column of stock ends at 2,147,483,647.
MAX_STEP, MAX_STOCK, MAX_LEAD_DAYS = 1_000_000, 2_000_000_000, 365
MAX_CONTENTS = 1_000_000
# Limits of the attributes (属性) of a product: their number, and the characters of a name and of a
# value.
MAX_ATTRIBUTES, MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_VALUE = 30, 30, 80
product_code_validator = RegexValidator(r"^\d{1,18}$", "商品编码只能由数字组成")


class Product(TimeStampedModel):
    """`l1`, `l2` and `l3` repeat the path of the category, so that one index serves a filter on
    any level.
    """

    code = models.CharField(
        "商品编码", max_length=18, unique=True, validators=[product_code_validator]
    )
    model_code = models.CharField("型号", max_length=60, blank=True)
    model_key = models.CharField("型号检索键", max_length=60, blank=True, editable=False)
    barcode = models.CharField(
        "条码", max_length=14, blank=True, default="", db_default="", validators=[validate_barcode]
    )
    name = models.CharField("名称", max_length=120)
    name_key = models.CharField("名称检索键", max_length=120, blank=True, editable=False)
    brand = models.ForeignKey(
        "catalog.Brand",
        on_delete=models.PROTECT,
        related_name="products",
        verbose_name="品牌",
        db_index=False,
    )
    category = models.ForeignKey(
        "catalog.Category",
        on_delete=models.PROTECT,
        related_name="products",
        verbose_name="三级类目",
        db_index=False,
    )
    l1 = models.ForeignKey(
        "catalog.Category",
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        db_index=False,
    )
    l2 = models.ForeignKey(
        "catalog.Category",
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        db_index=False,
    )
    l3 = models.ForeignKey(
        "catalog.Category",
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
        db_index=False,
    )
    # The active family of the product: lists group by it. Only services/families.py changes it.
    # FamilyMember holds the values.
    family = models.ForeignKey(
        "catalog.ProductFamily",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
        verbose_name="商品族",
        db_index=False,
    )
    unit = models.CharField("单位", max_length=10)
    pack = models.CharField("包装规格", max_length=60, blank=True)
    # One unit of sale contains `contents` base units: 12 支 in a 盒. None if unknown.
    base_unit = models.CharField("基本单位", max_length=10, blank=True, default="", db_default="")
    contents = models.PositiveIntegerField(
        "内含数量", null=True, blank=True, validators=build_range_validators(1, MAX_CONTENTS)
    )
    min_quantity = models.PositiveIntegerField(
        "起订量", default=1, validators=build_range_validators(1, MAX_STEP)
    )
    step_quantity = models.PositiveIntegerField(
        "增量", default=1, validators=build_range_validators(1, MAX_STEP)
    )
    market_price = MoneyField("市场价（含税）", validators=PRICE_VALIDATORS)
    tax_rate = models.DecimalField("税率", max_digits=4, decimal_places=2)
    tax_code = models.CharField("税收分类编码", max_length=19)
    attributes = models.JSONField("属性", default=dict, blank=True)
    keywords = models.CharField("关键词", max_length=200, blank=True)
    selling_points = models.CharField("卖点", max_length=200, blank=True)
    description = models.TextField("详情", blank=True)
    image = models.CharField("图片", max_length=200, blank=True)
    stock = models.PositiveIntegerField(
        "库存", default=0, validators=build_range_validators(0, MAX_STOCK)
    )
    reserved = models.PositiveIntegerField("已预占", default=0, editable=False)
    lead_days = models.PositiveSmallIntegerField(
        "交货天数", default=1, validators=build_range_validators(0, MAX_LEAD_DAYS)
    )
    sales_count = models.PositiveIntegerField("销量", default=0)
    # Number of visible reviews and sum of their stars. Only services/products.py changes them.
    rating_count = models.PositiveIntegerField("评价数", default=0, db_default=0, editable=False)
    rating_stars = models.PositiveIntegerField("星级合计", default=0, db_default=0, editable=False)
    status = models.CharField(
        "状态", max_length=3, choices=ProductStatus.choices, default=ProductStatus.ON_SALE
    )
    is_public = models.BooleanField("公开", default=True)
    listed_at = models.DateField("上架日期")
    search_tokens = models.TextField("检索词", blank=True, editable=False)

    class Meta:
        verbose_name = "商品"
        verbose_name_plural = "商品"
        ordering = ["-sales_count", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(market_price__gte=0),
                name="product_price_not_negative",
                violation_error_message="市场价不能为负数",
            ),
            models.CheckConstraint(
                condition=models.Q(min_quantity__gte=1, step_quantity__gte=1),
                name="product_steps_positive",
                violation_error_message="起订量和增量须大于 0",
            ),
            models.CheckConstraint(
                condition=models.Q(base_unit="", contents=None)
                | (models.Q(contents__isnull=False, contents__gte=1) & ~models.Q(base_unit="")),
                name="product_contents_with_base_unit",
                violation_error_message="基本单位与内含数量须同时填写，或都留空",
            ),
            models.CheckConstraint(
                condition=models.Q(reserved__lte=models.F("stock")),
                name="product_reserved_within_stock",
                violation_error_message="库存不能小于已预占的数量",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    rating_stars__gte=models.F("rating_count"),
                    rating_stars__lte=models.F("rating_count") * 5,
                ),
                name="product_rating_one_to_five",
            ),
        ]
        indexes = [
            models.Index("l1", models.F("sales_count").desc(), "id", name="product_l1_sales_idx"),
            models.Index("l2", models.F("sales_count").desc(), "id", name="product_l2_sales_idx"),
            models.Index("l3", models.F("sales_count").desc(), "id", name="product_l3_sales_idx"),
            models.Index(models.F("sales_count").desc(), "id", name="product_sales_idx"),
            models.Index(fields=["brand"], name="product_brand_idx"),
            models.Index(fields=["model_key"], name="product_model_key_idx"),
            models.Index(fields=["name_key"], name="product_name_key_idx"),
            models.Index(
                fields=["barcode"], name="product_barcode_idx", condition=~models.Q(barcode="")
            ),
            models.Index("market_price", "id", name="product_market_price_idx"),
            models.Index(models.F("listed_at").desc(), "id", name="product_listed_idx"),
            models.Index(
                fields=["family"],
                name="product_family_idx",
                condition=models.Q(family__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.name}"

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.code

    @property
    def available(self) -> int:
        """Return the quantity that can still be ordered: stock minus reserved."""
        return self.stock - self.reserved

    @property
    def rating(self) -> Decimal | None:
        """Return the average of the stars with one decimal, or None without reviews."""
        if not self.rating_count:
            return None
        return (Decimal(self.rating_stars) / self.rating_count).quantize(
            Decimal("0.1"), rounding=ROUND_HALF_UP
        )


class ProductImage(models.Model):
    """An additional picture of a product after the main picture."""

    product = models.ForeignKey(
        Product, on_delete=models.CASCADE, related_name="images", verbose_name="商品"
    )
    path = models.CharField("路径", max_length=200)
    position = models.PositiveSmallIntegerField("排序", default=0)

    class Meta:
        verbose_name = "商品图片"
        verbose_name_plural = "商品图片"
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.path

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.product.code


class ProductDocument(models.Model):
    """A file for accounts that may see the product. The common file intake has checked its
    content.
    """

    class Kind(models.TextChoices):
        MANUAL = "manual", "使用说明"
        CERTIFICATE = "certificate", "合格证"
        REPORT = "report", "检测报告"
        LICENCE = "licence", "授权证书"
        OTHER = "other", "其他资料"

    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.CASCADE,
        related_name="documents",
        verbose_name="商品",
        db_index=False,
    )
    kind = models.CharField("种类", max_length=12, choices=Kind.choices, default=Kind.MANUAL)
    title = models.CharField("标题", max_length=80)
    path = models.CharField("路径", max_length=200, editable=False)
    content_type = models.CharField("类型", max_length=80, editable=False)
    size = models.PositiveIntegerField("字节数", editable=False)
    position = models.PositiveSmallIntegerField("排序", default=0)
    uploaded_at = models.DateTimeField("上传时间", auto_now_add=True)

    class Meta:
        verbose_name = "商品资料"
        verbose_name_plural = "商品资料"
        ordering = ["position", "id"]
        indexes = [
            models.Index(fields=["product", "position", "id"], name="productdocument_product_idx")
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def catalog_change(self) -> Change:
        return ChangeKind.PRODUCT, self.product.code

    @property
    def name(self) -> str:
        """Return the file name for the download."""
        return f"{self.title}.{self.path.rpartition('.')[2]}"


class SuggestTerm(models.Model):
    """A prefix key of a product: its code, or its name from some word on as characters, pinyin
    or initials.
    """

    product = models.ForeignKey("catalog.Product", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)

    class Meta:
        verbose_name = "联想词"
        verbose_name_plural = "联想词"
        constraints = [
            models.UniqueConstraint(fields=["product", "key"], name="suggestterm_product_key_uniq")
        ]
        # varchar_pattern_ops: the index serves prefix queries under every collation of
        # PostgreSQL. SQLite ignores it.
        indexes = [
            models.Index(
                fields=["key"], name="suggestterm_key_idx", opclasses=["varchar_pattern_ops"]
            )
        ]

    def __str__(self) -> str:
        return self.key


class StockMovement(models.Model):
    """One entry of the stock ledger of a product. `quantity` is in sales units; only ADJUST is
    signed. `reference` is the number of the document. `manage.py check_books` compares the sums
    with the product's `stock` and `reserved`.
    """

    class Kind(models.TextChoices):
        RECEIVE = "receive", "入库"
        ADJUST = "adjust", "盘点"
        RESERVE = "reserve", "预占"
        RELEASE = "release", "释放"
        SHIP = "ship", "出库"
        RETURN = "return", "退货入库"

    product = models.ForeignKey(
        "catalog.Product", on_delete=models.PROTECT, related_name="+", verbose_name="商品"
    )
    kind = models.CharField("类型", max_length=8, choices=Kind.choices)
    quantity = models.IntegerField("数量")
    reference = models.CharField("单据", max_length=40, blank=True)
    at = models.DateTimeField("时间", auto_now_add=True)

    class Meta:
        verbose_name = "库存流水"
        verbose_name_plural = "库存流水"
        indexes = [
            models.Index(fields=["product", "at"], name="stockmovement_product_idx"),
            models.Index(fields=["reference"], name="stockmovement_ref_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.quantity}"
