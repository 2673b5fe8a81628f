from django.db import models


class DimensionKind(models.TextChoices):
    COST_CENTER = "cost_center", "成本中心"
    PROJECT = "project", "项目"
    SUBJECT = "subject", "会计科目"


class DimensionState(models.TextChoices):
    """Whether orders may use a dimension today."""

    USABLE = "usable", "可用"
    UPCOMING = "upcoming", "未生效"
    EXPIRED = "expired", "已过期"
    DISABLED = "disabled", "已停用"
