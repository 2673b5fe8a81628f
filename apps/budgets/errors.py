"""The refusals of budgets, with their messages."""

from decimal import Decimal

from apps.common.errors import (
    DomainError,
    FieldRefused,
    FileRefused,
    Forbidden,
    NotFound,
    Stale,
    WrongState,
)


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


def describe_exceeded_budget(
    *,
    name: str,
    available: Decimal,
    amount: Decimal,
    has_others: bool = True,
    used_name: str = "",
    earmark: str = "",
) -> str:
    """Return the message for an order of `amount` 元 that exceeds a blocking budget.
    `has_others`: the buyer can choose another budget. `used_name` is the budget of the order if
    `name` is a budget above it. `earmark` is what an earmarked budget is for, in words.
    """
    if earmark:
        return _describe_exceeded_earmark(name, available, amount, used_name, earmark)
    level = f"预算“{used_name}”的上级预算" if used_name else "预算"
    available_text = f"可用 ¥{available:,.2f}" if available > 0 else "已用完"
    ways = "减少采购金额、更换预算" if has_others else "减少采购金额"
    return f"{level}“{name}”{available_text}，本单需要 ¥{amount:,.2f}，请{ways}或联系管理员调整额度"


def _describe_exceeded_earmark(
    name: str, available: Decimal, amount: Decimal, used_name: str, earmark: str
) -> str:
    level = f"专项预算“{used_name}”的上级预算" if used_name else "专项预算"
    available_text = f"可用 ¥{available:,.2f}" if available > 0 else "已用完"
    missing_amount = amount - max(available, Decimal(0))
    return (
        f"{level}“{name}”{available_text}，本单{earmark}的商品"
        f"需要 ¥{amount:,.2f}，还差 ¥{missing_amount:,.2f}，"
        f"请减少{earmark}的商品，或联系管理员调整额度"
    )


class BudgetImportBeyondScope(Forbidden):
    message = "导入预算需要“本企业”以上的数据范围，请联系贵司管理员"


class BudgetSheetEmpty(FileRefused):
    message = "表格里没有预算，请填写后重试"


class AmountReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写调整原因，将记入预算流水"


class PolicyReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写变更超出策略的原因，将记入变更记录"


class OverspentForBlock(FieldRefused):
    """An overspent budget cannot block orders."""

    field = "Policy"
    message = "该预算已超支，请先调增额度，再改为“超出禁止下单”"


class BudgetNameTaken(FieldRefused):
    field = "Name"
    message = "该归属在此周期已有同名预算，请更换名称"


class OwnerUnavailable(FieldRefused):
    field = "OwnerId"
    message = "归属不存在或已停用，请重新选择"


class EnterpriseNotManaged(Forbidden):
    message = "您不能维护该企业的预算，请联系贵司管理员或财务"


class BudgetExists(FieldRefused):
    field = "Name"
    message = "该归属在此周期已有同名预算，可以直接调整其额度"


class TooManyThresholds(FieldRefused):
    field = "Thresholds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"最多设置 {limit} 条预警线")


class ThresholdInvalid(FieldRefused):
    field = "Thresholds"
    message = "预警线请填写 1 至 100 的整数百分比"


class ParentUnavailable(FieldRefused):
    field = "ParentId"
    message = "上级预算不存在，请重新选择"


class ParentOfOtherEnterprise(FieldRefused):
    field = "ParentId"
    message = "上级预算须属于同一企业，请重新选择"


class ParentPeriodTooShort(FieldRefused):
    """The `period` of the budget `name` does not contain that of the new budget."""

    field = "ParentId"

    def __init__(self, *, name: str, period: str) -> None:
        super().__init__(f"“{name}”的周期（{period}）未包含本预算的周期，请选择周期更长的上级预算")


class ParentBelowItself(FieldRefused):
    field = "ParentId"
    message = "上级预算不能是本预算或其下级，请重新选择"


class ParentEarmarkDiffers(FieldRefused):
    """The parent `name` does not count everything that the budget counts."""

    field = "ParentId"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"“{name}”的限定范围与本预算不一致：专项预算的上级须限定同一核算项、同一类目或其上级类目，"
            "普通预算的上级须是普通预算"
        )


class TwoEarmarks(FieldRefused):
    field = "DimensionId"
    message = "一个预算只能限定一个类目或一个核算项，请只选择一项"


class EarmarkedCategoryUnavailable(FieldRefused):
    field = "CategoryId"
    message = "限定的类目不存在，请重新选择"


class EarmarkedDimensionUnavailable(FieldRefused):
    field = "DimensionId"
    message = "限定的核算项不存在或已停用，请重新选择"


class TreeTooDeep(FieldRefused):
    field = "ParentId"

    def __init__(self, levels: int) -> None:
        super().__init__(f"预算最多 {levels} 级，请选择更高一级的上级预算")


class PeriodEnded(FieldRefused):
    """`name` is the text of the period."""

    field = "Day"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}已结束，请选择本期或以后的期次")


class AmountBelowUse(BudgetExceeded):
    """Amounts in 元: the `new` amount of the budget, and what it would have to cover: `used` is
    reserved, consumed and held by transfers that wait for approval.
    """

    def __init__(self, *, new: Decimal, used: Decimal) -> None:
        super().__init__(
            f"调整后的额度 ¥{new:,.2f} 低于已预占与已使用之和 ¥{used:,.2f}"
            "（含待审批的调出），请减少调减金额"
        )


class RolloverAfterEnd(FieldRefused):
    field = "Rollover"
    message = "该周期已结束，不能设置结转"


class RolloverCapMissing(FieldRefused):
    field = "RolloverCap"
    message = "限额结转请填写大于 0 的结转上限"


class ParentAmountShort(BudgetExceeded):
    """The parent `name` has `available` 元, but the moved budget uses `used` 元."""

    def __init__(self, *, name: str, available: Decimal, used_amount: Decimal) -> None:
        super().__init__(
            f"上级预算“{name}”可用 ¥{available:,.2f}，"
            f"不足以计入本预算已预占与已使用的 ¥{used_amount:,.2f}，请先调增其额度"
        )


class SameBudget(FieldRefused):
    field = "TargetId"
    message = "调入预算须与调出预算不同"


class SourceShort(BudgetExceeded):
    """The budget `name` has `available` 元, less than the `amount` to transfer."""

    def __init__(self, *, name: str, available: Decimal, amount: Decimal) -> None:
        super().__init__(f"“{name}”可用 ¥{available:,.2f}，不足以调出 ¥{amount:,.2f}")


class NotYourTransfer(Forbidden):
    message = "只有申请人可以撤回调拨申请"


class OwnTransfer(Forbidden):
    message = "不能审批自己申请的调拨，请由其他预算维护人处理"


class TransferNotManaged(Forbidden):
    message = "您不能审批该调拨，请联系贵司管理员或财务"


class TransferDecided(WrongState):
    """`state` is the label of the transfer's state."""

    def __init__(self, state: str) -> None:
        super().__init__(f"该调拨申请{state}，请刷新后查看")


class TransferPeriodEnded(WrongState):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}”的周期已结束，不能调拨")


class FartherBudgetChosen(BudgetNotNearest):
    """The group requires the budget `nearest`."""

    def __init__(self, nearest: str) -> None:
        super().__init__(f"贵司要求使用最近归属的预算“{nearest}”，请重新选择")


class AmountMoved(Stale):
    """Another person has changed the amount. The body is the budget."""

    message = "额度已被他人调整，请核对最新额度后重试"
