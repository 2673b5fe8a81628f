"""Enums of the organisation."""

from django.db import models


class AccountType(models.TextChoices):
    GROUP_ADMIN = "GA", "集团管理员"
    NORMAL = "NU", "普通账号"


class DataScope(models.TextChoices):
    """The data scope of a role, from narrow to wide."""

    OWN = "own", "仅本人"
    DEPARTMENT = "department", "本部门及下级"
    ENTERPRISE = "enterprise", "本企业"
    GROUP = "group", "全集团"


SCOPE_RANK: dict[str, int] = {
    DataScope.OWN: 0,
    DataScope.DEPARTMENT: 1,
    DataScope.ENTERPRISE: 2,
    DataScope.GROUP: 3,
}


class PurchasingRight(models.TextChoices):
    """What the people of a role may do in purchasing, from wide to narrow."""

    ORDER = "order", "下单"
    REQUEST = "request", "仅申请"
    BROWSE = "browse", "仅浏览"
    BROWSE_UNPRICED = "unpriced", "仅浏览（不显示价格）"


PURCHASING_RANK: dict[str, int] = {
    PurchasingRight.BROWSE_UNPRICED: 0,
    PurchasingRight.BROWSE: 1,
    PurchasingRight.REQUEST: 2,
    PurchasingRight.ORDER: 3,
}


class AddressScope(models.TextChoices):
    """The addresses that orders of a role's people may use, from narrow to wide."""

    OWN = "own", "仅本人地址"
    DEPARTMENT = "department", "本人和所在部门的地址"
    ALL = "all", "全部可用地址"


ADDRESS_RANK: dict[str, int] = {
    AddressScope.OWN: 0,
    AddressScope.DEPARTMENT: 1,
    AddressScope.ALL: 2,
}


class LimitPeriod(models.TextChoices):
    """The orders of one person that a purchase limit adds up."""

    ORDER = "order", "每单"
    DAY = "day", "每日"
    MONTH = "month", "每月"


class LimitAction(models.TextChoices):
    """What happens to an order above a purchase limit."""

    REFUSE = "refuse", "不允许提交"
    APPROVE = "approve", "需要审批"


class ChangeAction(models.TextChoices):
    """Actions in the change history. No column uses them as choices, so a new action needs no
    migration.
    """

    CREATE = "create", "新增"
    UPDATE = "update", "修改"
    DELETE = "delete", "删除"
    ENABLE = "enable", "启用"
    DISABLE = "disable", "停用"
    MOVE = "move", "移动"
    MERGE = "merge", "合并"
    IMPORT = "import", "导入"
    COPY = "copy", "复制"
    INVITE = "invite", "邀请"
    RESET = "reset", "重置密码"
    HAND_OVER = "hand_over", "交接"
    TRANSFER = "transfer", "调拨"
    ADJUST = "adjust", "调整"
    ROLL_OVER = "roll_over", "结转"
    RESTORE = "restore", "恢复历史版本"


class PaymentKind(models.TextChoices):
    CREDIT = "credit", "月结"
    CASH_ON_DELIVERY = "cod", "货到付款"
    TRANSFER = "transfer", "公司转账"
    ONLINE = "online", "在线支付"


class InvoiceKind(models.TextChoices):
    E_NORMAL = "e_normal", "数电普票"
    E_SPECIAL = "e_special", "数电专票"
    PAPER_NORMAL = "paper_normal", "纸质普票"
    PAPER_SPECIAL = "paper_special", "纸质专票"


class OverBudget(models.TextChoices):
    """The group's minimum rule for orders above their budget. A budget may have a stricter
    rule.
    """

    AS_BUDGET = "budget", "按各预算的设置"
    APPROVE = "approve", "至少需要审批"
    BLOCK = "block", "一律不允许提交"


class BudgetChoice(models.TextChoices):
    """How the budget of an order is found."""

    FREE = "free", "可自选可用预算"
    NEAREST = "nearest", "必须使用最近归属的预算"


class CreditPolicy(models.TextChoices):
    """The rule for an order on account that exceeds the credit limit of its enterprise."""

    BLOCK = "block", "不允许提交"
    APPROVE = "approve", "由平台审批"
    NONE = "none", "不限制"


class AccountState(models.TextChoices):
    """The state of an account. It is computed from columns and not stored."""

    ACTIVE = "active", "启用"
    PENDING = "pending", "待激活"
    DISABLED = "disabled", "已停用"
