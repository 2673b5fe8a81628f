"""States and kinds of budgets."""

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


class BudgetEarmark(models.TextChoices):
    """What a budget counts: every order, or only the lines of a category or dimension."""

    NONE = "none", "普通预算"
    CATEGORY = "category", "类目预算"
    DIMENSION = "dimension", "核算项预算"


class BudgetRollover(models.TextChoices):
    """What happens to the remaining amount at the end of the period."""

    NONE = "none", "不结转"
    ALL = "all", "全部结转"
    CAP = "cap", "限额结转"


class BudgetState(models.TextChoices):
    """The used share of the amount: NEAR from 80 %, FULL from 100 %."""

    NORMAL = "normal", "正常"
    NEAR = "near", "即将用完"
    FULL = "full", "已用完"


class BudgetWhen(models.TextChoices):
    """The position of today relative to the period."""

    CURRENT = "current", "进行中"
    UPCOMING = "upcoming", "未开始"
    ENDED = "ended", "已结束"
    OPEN = "open", "未结束"


class Figure(models.TextChoices):
    """The figures of a budget that the ledger explains."""

    AMOUNT = "amount", "额度"
    RESERVED = "reserved", "已预占"
    CONSUMED = "consumed", "已使用"


class EntryKind(models.TextChoices):
    ALLOCATE = "allocate", "拨款"
    ADJUST = "adjust", "调整"
    RESERVE = "reserve", "预占"
    RELEASE = "release", "释放"
    CONSUME = "consume", "使用"
    REFUND = "refund", "退回"
    CARRY_OUT = "carry_out", "结转转出"
    CARRY_IN = "carry_in", "结转转入"


class TransferStatus(models.TextChoices):
    """The state of a transfer. Only a waiting transfer holds its amount at the source."""

    WAITING = "waiting", "待审批"
    APPROVED = "approved", "已通过"
    REJECTED = "rejected", "已驳回"
    WITHDRAWN = "withdrawn", "已撤回"


# The kinds of ledger entries of each figure.
FIGURE_KINDS: dict[str, tuple[EntryKind, ...]] = {
    Figure.AMOUNT: (EntryKind.ALLOCATE, EntryKind.ADJUST, EntryKind.CARRY_IN, EntryKind.CARRY_OUT),
    Figure.RESERVED: (EntryKind.RESERVE, EntryKind.RELEASE, EntryKind.CONSUME),
    Figure.CONSUMED: (EntryKind.CONSUME, EntryKind.REFUND),
}
