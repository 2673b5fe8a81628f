"""The words of budgets (domain.md, Budget)."""

from django.db import models


class BudgetOwner(models.TextChoices):
    ENTERPRISE = "enterprise", "企业"
    DEPARTMENT = "department", "部门"
    ACCOUNT = "account", "账号"


class BudgetPeriod(models.TextChoices):
    MONTH = "month", "月度"
    QUARTER = "quarter", "季度"
    YEAR = "year", "年度"


class BudgetPolicy(models.TextChoices):
    """What happens to an order that exceeds the budget."""

    BLOCK = "block", "超出禁止下单"
    WARN = "warn", "超出提醒"
    APPROVE = "approve", "超出需审批"


class EntryKind(models.TextChoices):
    ALLOCATE = "allocate", "拨款"
    ADJUST = "adjust", "调整"
    RESERVE = "reserve", "预占"
    RELEASE = "release", "释放"
    CONSUME = "consume", "使用"
    REFUND = "refund", "退回"
