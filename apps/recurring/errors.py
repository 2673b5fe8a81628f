"""Errors of recurring orders, and the reasons why a run stops."""

from __future__ import annotations

from decimal import Decimal

from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    Stale,
    ValidationFailed,
    WrongState,
)


class RecurringOrderNotFound(NotFound):
    message = "定期采购不存在，或您无权查看"


class NotYourRecurringOrder(Forbidden):
    message = "只有创建人或集团管理员可以操作该定期采购"


class OwnerDecides(Forbidden):
    """An order is placed in the owner's name, so nobody else changes or continues it."""

    message = "只有创建人可以修改或继续该定期采购，您可以暂停、跳过或结束它"


class NoEnterpriseToOrder(FieldRefused):
    field = "non_field_errors"
    message = "您的账号未归属企业，不能设置定期采购，请联系管理员"


class NothingToRepeat(FieldRefused):
    field = "Lines"
    message = "没有可以定期采购的商品，请先在购物车中勾选商品，或换一张订单"


class ProductRepeated(FieldRefused):
    field = "Lines"
    message = "同一商品只能填写一次，请合并数量"


class ProductUnknown(FieldRefused):
    field = "Lines"

    def __init__(self, code: str) -> None:
        super().__init__(f"商品 {code} 不存在，请刷新后重试")


class LineRefused(FieldRefused):
    """The product `name` cannot be bought. `problem` says why, and `suggestion` what to do."""

    field = "Lines"

    def __init__(self, *, name: str, problem: str, suggestion: str) -> None:
        super().__init__(f"“{name}”{problem}，{suggestion}")


class ChoiceRefused(ValidationFailed):
    """A choice of the order is not allowed; `field` is its wire key."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__({field or "non_field_errors": [message]})


class RhythmNumberIllegal(FieldRefused):
    field = "Number"

    def __init__(self, largest: int) -> None:
        super().__init__(f"请填写 1 到 {largest} 之间的整数")


class EndsTooEarly(FieldRefused):
    field = "EndsOn"
    message = "结束日期早于下一次下单日期，请改晚，或留空"


class CeilingMissing(FieldRefused):
    field = "AmountCeiling"
    message = "选择首次审批后不再审批时，请填写单次金额上限"


class StartsInPast(FieldRefused):
    field = "StartsOn"
    message = "开始日期不能早于今天"


class TooManyRecurringOrders(WrongState):
    message = "每人最多同时保留 50 个定期采购，请先结束不用的"


class AmountSeenMoved(Stale):
    """The owner confirmed another amount than the order would have now."""

    def __init__(self, seen: Decimal, total: Decimal) -> None:
        super().__init__(f"订单金额已由 ¥{seen:,.2f} 变为 ¥{total:,.2f}，请核对后重新确认")


class LastLineDropped(FieldRefused):
    field = "LineIds"
    message = "至少保留一种商品；如不再需要，请结束该定期采购"


class LineGone(FieldRefused):
    field = "LineIds"
    message = "所选商品已不在该定期采购中，请刷新后重试"


class PriceRose(DomainError):
    """A line costs more than its agreed price allows. Prices in 元, 含税."""

    code = "recurring_price_rose"

    def __init__(self, *, name: str, agreed: Decimal, price: Decimal, percent: Decimal) -> None:
        moved = f"由 ¥{agreed:,.2f} 涨到 ¥{price:,.2f}"
        super().__init__(f"“{name}”单价{moved}，涨幅超过 {percent.normalize():f}%")


class OverCeiling(DomainError):
    """The order costs more than the ceiling of the plan allows. Amounts in 元, 含税."""

    code = "recurring_over_ceiling"

    def __init__(self, *, total: Decimal, ceiling: Decimal) -> None:
        super().__init__(f"本次金额 ¥{total:,.2f}，超出单次金额上限 ¥{ceiling:,.2f}")


class OwnerInactive(DomainError):
    code = "recurring_owner_inactive"
    message = "创建人的账号已停用，不能继续下单"


class ChoiceGone(DomainError):
    """An address, invoice title or budget of the plan no longer exists."""

    code = "recurring_choice_gone"
    message = "收货地址、开票抬头或预算已删除，请修改后继续"
