"""商品资料: manuals, certificates and reports of a product."""

from django.db import models

from apps.catalog.enums import ChangeKind
from apps.catalog.models.change import Change


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
