"""采购权限 and 采购限额: judge whether an account may fill a cart, request goods or order them, and
list the limits of its orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.org.enums import (
    ADDRESS_RANK,
    PURCHASING_RANK,
    AddressScope,
    LimitAction,
    LimitPeriod,
    PaymentKind,
    PurchasingRight,
)
from apps.org.errors import PurchasingRefused
from apps.org.models import PersonLimit, PurchaseLimit

if TYPE_CHECKING:
    from apps.org.models import Account

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
            explain_purchasing_refusal(actor=actor), body={"Purchasing": actor.purchasing.value}
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


def list_role_limits() -> dict[int, list[PersonLimit]]:
    """Return {role id: limits} of all roles of the group. One query."""
    limits: dict[int, list[PersonLimit]] = defaultdict(list)
    rows = PurchaseLimit.objects.filter(role__isnull=False).select_related("category")
    for row in rows.order_by("pk"):
        limits[row.role_id or 0].append(_make_limit(row))
    return limits


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """What restricts the orders of an account: limits, kinds of payment, addresses."""

    may_order: bool
    limits: tuple[PersonLimit, ...]
    payment_kinds: tuple[str, ...]
    address_scope: AddressScope

    @property
    def is_unrestricted(self) -> bool:
        """Whether the terms restrict nothing."""
        return (
            not self.limits
            and set(self.payment_kinds) == set(PaymentKind.values)
            and self.address_scope == AddressScope.ALL
        )


def get_order_terms(*, account: Account) -> OrderTerms:
    """Return the terms of the account's orders. No query if its roles are loaded, otherwise one."""
    return OrderTerms(
        may_order=can_purchase(actor=account, needed=PurchasingRight.ORDER),
        limits=tuple(list_purchase_limits(actor=account)),
        payment_kinds=tuple(account.payment_kinds),
        address_scope=account.address_scope,
    )


def list_lifted_terms(*, own: OrderTerms, account: Account) -> list[str]:
    """Return, in words, which of one's `own` terms do not bind the orders of the account. [] if all
    of them do, or if the account may not order.

    Whoever manages an account can use it, or lets somebody use it. Without this rule a person
    would get rid of his limits by another role or by a second account.
    """
    terms = get_order_terms(account=account)
    if not terms.may_order:
        return []
    lifted = [
        f"采购限额“{_format_limit(limit)}”"
        for limit in own.limits
        if not any(_is_as_strict(other, limit) for other in terms.limits)
    ]
    if set(terms.payment_kinds) - set(own.payment_kinds):
        labels = "、".join(PaymentKind(kind).label for kind in own.payment_kinds)
        lifted.append(f"可用付款方式（{labels}）")
    if ADDRESS_RANK[terms.address_scope] > ADDRESS_RANK[own.address_scope]:
        lifted.append(f"可用收货地址“{own.address_scope.label}”")
    return lifted


def list_accounts_beyond_terms(*, actor: Account, accounts: Iterable[Account]) -> set[int]:
    """Return the ids of the accounts that the actor may not change because his own terms do not
    bind their orders. The roles of the accounts are prefetched.

    No query for a group admin or an actor without restrictions, otherwise two queries.
    """
    if actor.is_group_admin:
        return set()
    own = get_order_terms(account=actor)
    if own.is_unrestricted:
        return set()
    accounts = list(accounts)
    limits_by_role = list_role_limits()
    limits_by_account: dict[int, list[PersonLimit]] = defaultdict(list)
    for row in PurchaseLimit.objects.filter(account__in=accounts).select_related("category"):
        limits_by_account[row.account_id or 0].append(_make_limit(row))
    beyond_ids = set()
    for account in accounts:
        roles = list(account.roles.all())
        limits = [limit for role in roles for limit in limits_by_role.get(role.pk, [])]
        account.take_roles(roles, [*limits, *limits_by_account.get(account.pk, [])])
        if list_lifted_terms(own=own, account=account):
            beyond_ids.add(account.pk)
    return beyond_ids


def _make_limit(row: PurchaseLimit) -> PersonLimit:
    return PersonLimit(
        period=row.period,
        amount=row.amount,
        action=row.action,
        category_id=row.category_id,
        category_name=row.category_name,
        is_own=row.account_id is not None,
    )


def _is_as_strict(limit: PersonLimit, as_this: PersonLimit) -> bool:
    """Return whether the first limit never allows more than the second one of the same period
    and category.
    """
    return (
        (limit.period, limit.category_id) == (as_this.period, as_this.category_id)
        and limit.amount <= as_this.amount
        and (limit.action == LimitAction.REFUSE or as_this.action == limit.action)
    )


def _format_limit(limit: PersonLimit) -> str:
    category = f"“{limit.category_name}”" if limit.category_id else ""
    return f"{category}{LimitPeriod(limit.period).label} ¥{limit.amount:,.2f}"


def require_prices(*, actor: Account) -> None:
    """Refuse an actor whose role shows no prices. For features that consist of prices: baskets
    within a budget, and quotations. At most one query.

    Raises:
        PurchasingRefused: the role shows no prices.
    """
    if not actor.sees_prices:
        raise PurchasingRefused(NO_PRICES, body={"Purchasing": actor.purchasing.value})


def explain_purchasing_refusal(*, actor: Account) -> str:
    """Return what the actor may do in purchasing instead, for a refusal."""
    may_request = can_purchase(actor=actor, needed=PurchasingRight.REQUEST)
    return MAY_REQUEST_ONLY if may_request else MAY_BROWSE_ONLY
