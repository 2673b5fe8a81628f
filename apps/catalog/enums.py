"""States and kinds of the catalogue."""

from decimal import Decimal

from django.db import models

# The rates of VAT that a product may have, most frequent first.
TAX_RATES = tuple(Decimal(rate) for rate in ("0.13", "0.09", "0.06", "0.03", "0.01", "0.00"))


class ProductStatus(models.TextChoices):
    ON_SALE = "on", "在售"
    OFF_SALE = "off", "下架"


class ChangeKind(models.TextChoices):
    """The kind of object that a CatalogChange row names. RESTORED: an object of any kind whose
    change was taken back.
    """

    PRODUCT = "product", "商品"
    CATEGORY = "category", "类目"
    PRICE = "price", "价格"
    ASSORTMENT = "assortment", "商品范围"
    AGREEMENT = "agreement", "协议"
    SEARCH = "search", "搜索词"
    RESTORED = "restored", "已恢复原值"


class PictureRowState(models.TextChoices):
    """The state of a picture in a batch. Only READY pictures are written."""

    WAITING = "waiting", "待检查"
    READY = "ready", "可写入"
    SAME = "same", "无变化"
    UNKNOWN = "unknown", "没有对应商品"
    REFUSED = "refused", "不能使用"
    MOVED = "moved", "预览后已变动"
    WRITTEN = "written", "已写入"
