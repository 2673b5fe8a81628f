"""The refusals of budgets, with their messages."""

from decimal import Decimal

from apps.common.errors import DomainError, NotFound, Stale


class BudgetNotFound(NotFound):
    message = "预算不存在，或您无权使用"


class TransferNotFound(NotFound):
    message = "调拨申请不存在，或您无权查看"


class BudgetNotNearest(DomainError):
    """The group requires the budget of the nearest owner (预算的确定方式)."""

    code = "budget_not_nearest"
    message = "贵司要求使用最近归属的预算，请重新选择"


class BudgetTreeMoved(Stale):
    """The parent of a budget was changed at the same moment."""

    message = "预算的上下级关系刚刚被调整，请重试"


class BudgetExceeded(DomainError):
    code = "budget_exceeded"
    message = "预算余额不足，请减少采购金额、更换预算或联系管理员调整额度"


def exceeded_text(
    *,
    name: str,
    available: Decimal,
    amount: Decimal,
    has_others: bool = True,
    used_name: str = "",
) -> str:
    """Return the message for an order of `amount` 元 that exceeds a blocking budget.
    `has_others`: the buyer can choose another budget. `used_name` is the budget of the order if
    `name` is a budget above it.
    """
    level = f"预算“{used_name}”的上级预算" if used_name else "预算"
    left = f"可用 {available:,.2f} 元" if available > 0 else "已用完"
    ways = "减少采购金额、更换预算" if has_others else "减少采购金额"
    return f"{level}“{name}”{left}，本单需要 {amount:,.2f} 元，请{ways}或联系管理员调整额度"
