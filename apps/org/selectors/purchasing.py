"""采购权限 and 采购限额: judge whether an account may fill a cart, request goods or order them, and
list the limits of its orders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.org.enums import PURCHASING_RANK, PurchasingRight
from apps.org.errors import PurchasingRefused

if TYPE_CHECKING:
    from apps.org.models import Account, PersonLimit

MAY_REQUEST_ONLY = "您的角色仅可提交采购申请，不能下单，请改为提交采购申请，由采购人员下单"
MAY_BROWSE_ONLY = (
    "您的账号仅可浏览商品，不能加入购物车、提交采购申请或下单；"
    "如需采购，请联系集团管理员为您的角色开通采购权限"
)
NO_PRICES = "您的账号不显示商品价格，不能使用此功能；如需使用，请联系集团管理员调整角色的采购权限"


def can_purchase(*, actor: Account, needed: PurchasingRight) -> bool:
    """Whether the actor's purchasing right is at least `needed`. At most one query."""
    return PURCHASING_RANK[actor.purchasing] >= PURCHASING_RANK[needed]


def require_purchasing(*, actor: Account, needed: PurchasingRight) -> None:
    """Refuse an actor whose purchasing right is below `needed`. At most one query.

    Every service that fills a cart, submits a requisition or writes an order calls this first.

    Raises:
        PurchasingRefused: the message says what the actor can do instead.
    """
    if not can_purchase(actor=actor, needed=needed):
        raise PurchasingRefused(
            purchasing_refusal(actor=actor), body={"Purchasing": actor.purchasing.value}
        )


def list_purchase_limits(*, actor: Account) -> list[PersonLimit]:
    """Return the limits that apply to the actor's orders. No query if the actor's roles are
    loaded, otherwise one.

    A limit of the account replaces the limits of its roles for the same period and the same
    category. Of several roles every limit applies.
    """
    limits = actor.limits_in_force
    own_keys = {(limit.period, limit.category_id) for limit in limits if limit.is_own}
    return [
        limit
        for limit in limits
        if limit.is_own or (limit.period, limit.category_id) not in own_keys
    ]


def require_prices(*, actor: Account) -> None:
    """Refuse an actor whose role shows no prices. For features that consist of prices: baskets
    within a budget, and quotations. At most one query.

    Raises:
        PurchasingRefused: the role shows no prices.
    """
    if not actor.sees_prices:
        raise PurchasingRefused(NO_PRICES, body={"Purchasing": actor.purchasing.value})


def purchasing_refusal(*, actor: Account) -> str:
    """Return what the actor may do in purchasing instead, for a refusal."""
    may_request = can_purchase(actor=actor, needed=PurchasingRight.REQUEST)
    return MAY_REQUEST_ONLY if may_request else MAY_BROWSE_ONLY
