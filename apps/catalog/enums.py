"""The words of the catalogue."""

from django.db import models


class ProductStatus(models.TextChoices):
    ON_SALE = "on", "在售"
    OFF_SALE = "off", "下架"


class PriceListKind(models.TextChoices):
    CONTRACT = "contract", "合同价"
    GROUP = "group", "集团价"
    CUSTOMER = "customer", "客户专属价"


class PriceRuleKind(models.TextChoices):
    """How a mass change makes the new price; the figure is a percentage or 元."""

    PERCENT = "percent", "在现价上增减百分比"
    AMOUNT = "amount", "在现价上增减金额"
    MARKET = "market", "定为市场价的百分比"


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
    SEARCH = "search", "搜索词"


class PictureRowState(models.TextChoices):
    """How far a picture of a batch has come: only what is ready is written."""

    WAITING = "waiting", "待检查"
    READY = "ready", "可写入"
    SAME = "same", "无变化"
    UNKNOWN = "unknown", "没有对应商品"
    REFUSED = "refused", "不能使用"
    MOVED = "moved", "预览后已变动"
    WRITTEN = "written", "已写入"


class InquiryStatus(models.TextChoices):
    PENDING = "pending", "待报价"
    QUOTED = "quoted", "已报价"
    ADOPTED = "adopted", "已采纳"
    CLOSED = "closed", "已关闭"


class InquiryEventKind(models.TextChoices):
    """What an inquiry's timeline tells of."""

    ASKED = "asked", "发起询价"
    QUOTED = "quoted", "客服报价"
    ADOPTED = "adopted", "采纳报价"
    ASKED_AGAIN = "asked_again", "重新询价"
    CLOSED = "closed", "关闭询价"
    DECLINED = "declined", "客服关闭询价"
    EXPIRED = "expired", "报价到期"


class InquiryAction(models.TextChoices):
    """What a person may do with an inquiry now."""

    ADOPT = "adopt", "采纳报价"
    ASK_AGAIN = "ask_again", "重新询价"
    CLOSE = "close", "关闭询价"
    MESSAGE = "message", "留言"


class ProductSort(models.TextChoices):
    """The wire's Sort."""

    DEFAULT = "default", "综合"
    SALES = "sales", "销量"
    PRICE = "price", "价格从低到高"
    PRICE_DESC = "-price", "价格从高到低"
    NEW = "new", "新品"


class AlarmKind(models.TextChoices):
    """What a 价格预警 is about."""

    ABOVE = "above", "高于市场价"
    MOVED = "moved", "30 天内大幅变动"


class HotKeywordKind(models.TextChoices):
    """What a row of 热词 does to the list below the search box."""

    PINNED = "pinned", "置顶"
    HIDDEN = "hidden", "隐藏"


class SynonymKind(models.TextChoices):
    """What a row of 搜索词 does to a keyword."""

    SAME = "same", "同义词（互相都能搜到）"
    MEANS = "means", "也指（只从左到右）"
    UNIT = "unit", "单位换算"
    IGNORED = "ignored", "忽略词"


class ProductFilter(models.TextChoices):
    """What a list may be narrowed by, as the parameters of GET /api/Product are called; Price stands for MinPrice and MaxPrice."""

    CATEGORY = "Cid", "分类"
    BRAND = "Brand", "品牌"
    PRICE = "Price", "价格"
    IN_STOCK = "InStock", "仅看有货"
    AGREED = "Agreed", "仅看协议商品"
    ATTRIBUTE = "Attr", "属性"
    KEYWORD = "Keyword", "关键词"
    ALL = "All", "全部筛选条件"
