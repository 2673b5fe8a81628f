"""Enumerations of the customer's catalogue."""

from django.db import models


class FavoriteType(models.IntegerChoices):
    """Type of the spec: 1 favourite, 2 browse record."""

    FAVORITE = 1, "收藏"
    BROWSE = 2, "浏览"


class RestockStatus(models.TextChoices):
    """Whether an account still waits for a product (到货提醒)."""

    WAITING = "waiting", "等待到货"
    TOLD = "told", "已提醒"


class ProductSort(models.TextChoices):
    """The `Sort` parameter of the product list. Products without contents come last in the order
    by 折合单价.
    """

    DEFAULT = "default", "综合"
    SALES = "sales", "销量"
    PRICE = "price", "价格从低到高"
    PRICE_DESC = "-price", "价格从高到低"
    NEW = "new", "新品"
    BASE_UNIT_PRICE = "baseUnitPrice", "折合单价从低到高"
    BASE_UNIT_PRICE_DESC = "-baseUnitPrice", "折合单价从高到低"


SORTS_BY_PRICE = frozenset({ProductSort.PRICE, ProductSort.PRICE_DESC})
SORTS_BY_BASE_UNIT_PRICE = frozenset(
    {ProductSort.BASE_UNIT_PRICE, ProductSort.BASE_UNIT_PRICE_DESC}
)


class HotKeywordKind(models.TextChoices):
    """How a row of 热词 changes the list below the search box."""

    PINNED = "pinned", "置顶"
    HIDDEN = "hidden", "隐藏"


class SynonymKind(models.TextChoices):
    """How a row of 搜索词 changes a keyword."""

    SAME = "same", "同义词（互相都能搜到）"
    MEANS = "means", "也指（只从左到右）"
    UNIT = "unit", "单位换算"
    IGNORED = "ignored", "忽略词"


class ProductFilter(models.TextChoices):
    """Filters of a product list, named as the parameters of GET /api/Product. Price means
    MinPrice and MaxPrice, BaseUnitPrice means MinBaseUnitPrice and MaxBaseUnitPrice.
    """

    CATEGORY = "Cid", "分类"
    BRAND = "Brand", "品牌"
    PRICE = "Price", "价格"
    BASE_UNIT = "BaseUnit", "基本单位"
    BASE_UNIT_PRICE = "BaseUnitPrice", "折合单价"
    IN_STOCK = "InStock", "仅看有货"
    AGREED = "Agreed", "仅看协议商品"
    ATTRIBUTE = "Attr", "属性"
    KEYWORD = "Keyword", "关键词"
    ALL = "All", "全部筛选条件"


class PhraseKind(models.TextChoices):
    """What a part of a typed phrase means. IGNORED parts were understood but not applied."""

    PRICE = "price", "价格"
    EXCLUDED = "excluded", "不含"
    ATTRIBUTE = "attribute", "规格与颜色"
    DEVICE = "device", "适用机型"
    IGNORED = "ignored", "未采用"
