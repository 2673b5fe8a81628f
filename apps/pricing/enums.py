"""Kinds of price lists, rules and alarms."""

from django.db import models


class PriceListKind(models.TextChoices):
    CONTRACT = "contract", "合同价"
    GROUP = "group", "集团价"
    CUSTOMER = "customer", "客户专属价"


class PriceRuleKind(models.TextChoices):
    """How a price batch computes the new price. The figure is a percentage, or 元 for AMOUNT."""

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


class AlarmKind(models.TextChoices):
    """The reason of a 价格预警."""

    ABOVE = "above", "高于市场价"
    MOVED = "moved", "30 天内大幅变动"
