"""Enums of reviews."""

from django.db import models


class ReviewState(models.TextChoices):
    SHOWN = "shown", "已展示"
    HIDDEN = "hidden", "已隐藏"


class ReviewTag(models.TextChoices):
    """Tags of a review. The second half describes problems."""

    QUALITY = "quality", "质量好"
    VALUE = "value", "性价比高"
    AS_DESCRIBED = "as_described", "与描述一致"
    HANDY = "handy", "好用顺手"
    PACKED = "packed", "包装完好"
    FAST = "fast", "送货快"
    POOR_QUALITY = "poor_quality", "质量一般"
    NOT_AS_DESCRIBED = "not_as_described", "与描述不符"
    BADLY_PACKED = "badly_packed", "包装破损"
    SLOW = "slow", "送货慢"


class ReviewEventKind(models.TextChoices):
    """Kinds of events in the history of a review."""

    WRITTEN = "written", "发表评价"
    EDITED = "edited", "修改评价"
    FOLLOWED_UP = "followed_up", "追加评价"
    REPLIED = "replied", "商家回复"
    HIDDEN = "hidden", "隐藏"
    SHOWN = "shown", "恢复展示"
    CHECKED = "checked", "已查看"


class ReviewAction(models.TextChoices):
    """Actions of an author on an order line."""

    WRITE = "write", "评价"
    EDIT = "edit", "修改评价"
    FOLLOW_UP = "follow_up", "追加评价"


class ReviewKind(models.TextChoices):
    """Filters of the reviews of a product, besides the stars."""

    PICTURES = "pictures", "有图"
    FOLLOW_UP = "follow_up", "追评"
