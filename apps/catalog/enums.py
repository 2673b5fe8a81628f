"""The words of the catalogue."""

from django.db import models


class ProductStatus(models.TextChoices):
    ON_SALE = "on", "在售"
    OFF_SALE = "off", "下架"


class PriceListKind(models.TextChoices):
    CONTRACT = "contract", "合同价"
    GROUP = "group", "集团价"
    CUSTOMER = "customer", "客户专属价"


class RuleMode(models.TextChoices):
    INCLUDE = "include", "包含"
    EXCLUDE = "exclude", "排除"


class RuleKind(models.TextChoices):
    ALL = "all", "全部商品"
    CATEGORY = "category", "类目"
    BRAND = "brand", "品牌"
    PRODUCT = "product", "商品"


class FavoriteType(models.IntegerChoices):
    """The spec's Type: 1 favourite, 2 browse record."""

    FAVORITE = 1, "收藏"
    BROWSE = 2, "浏览"


class ChangeKind(models.TextChoices):
    """What a CatalogChange row tells of."""

    PRODUCT = "product", "商品"
    CATEGORY = "category", "类目"
    PRICE = "price", "价格"
    ASSORTMENT = "assortment", "商品范围"
    AGREEMENT = "agreement", "协议"


class ProductSort(models.TextChoices):
    """The wire's Sort (api.md, Catalogue)."""

    DEFAULT = "default", "综合"
    SALES = "sales", "销量"
    PRICE = "price", "价格从低到高"
    PRICE_DESC = "-price", "价格从高到低"
    NEW = "new", "新品"
