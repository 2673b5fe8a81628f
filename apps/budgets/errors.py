"""What budgets refuse."""

from apps.common.errors import DomainError, NotFound


class BudgetNotFound(NotFound):
    message = "预算不存在，或您无权使用"


class TransferNotFound(NotFound):
    message = "调拨申请不存在，或您无权查看"


class BudgetExceeded(DomainError):
    code = "budget_exceeded"
    message = "预算余额不足，请减少采购金额、更换预算或联系管理员调整额度"
