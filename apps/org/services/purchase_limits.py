"""Set the purchase limits of a role or of an account. Only a group admin may change them, so that
nobody lifts his own limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.org.enums import ChangeAction, LimitAction, LimitPeriod
from apps.org.errors import (
    LimitCategoryUnknown,
    LimitsByAdminOnly,
    LimitsRepeated,
    TooManyLimits,
)
from apps.org.locks import lock_group
from apps.org.models import Account, PurchaseLimit, Role
from apps.org.selectors.accounts import get_account
from apps.org.services.changes import change_record

# The limits are read with each person's roles, so their number is bounded.
MAX_LIMITS = 30


@dataclass(frozen=True, slots=True)
class LimitForm:
    """A limit: `amount` in 元 for each order, day or month, and the action above it. Without a
    category it limits whole orders. `category_name` is only for texts.
    """

    period: str
    amount: Decimal
    action: str
    category_id: int | None = None
    category_name: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The limit in words."""
        category = f"“{self.category_name}”" if self.category_id else ""
        return (
            f"{category}{LimitPeriod(self.period).label} {self.amount:,.2f} 元"
            f"（超出{LimitAction(self.action).label}）"
        )


def limits_of(*, role: Role | None = None, account: Account | None = None) -> tuple[LimitForm, ...]:
    """Return the limits of a role or of an account: first those of whole orders, then those of
    categories, in the order of their periods. One query; none for a new role.
    """
    owner = role or account
    if owner is None or owner.pk is None:
        return ()
    rows = PurchaseLimit.objects.filter(role=role, account=account).select_related("category")
    forms = [
        LimitForm(
            row.period,
            row.amount,
            row.action,
            category_id=row.category_id,
            category_name=row.category_name,
        )
        for row in rows
    ]
    return tuple(sorted(forms, key=_place))


def _place(form: LimitForm) -> tuple[str, int, int]:
    return form.category_name, form.category_id or 0, LimitPeriod.values.index(form.period)


def limits_replace(
    *,
    actor: Account,
    limits: Sequence[LimitForm],
    role: Role | None = None,
    account: Account | None = None,
) -> None:
    """Replace the limits of a role or of an account. The caller has locked the group and records
    the change.

    Raises:
        BeyondRights: the actor is no group admin.
        ValidationFailed: a category and period appear twice, there are more than 30 limits, or a
            category does not exist.
    """
    if not actor.is_group_admin:
        raise LimitsByAdminOnly
    if len(limits) > MAX_LIMITS:
        raise TooManyLimits(MAX_LIMITS)
    if len({(limit.category_id, limit.period) for limit in limits}) < len(limits):
        raise LimitsRepeated
    for limit in limits:
        _refuse_unknown_category(limit)
    PurchaseLimit.objects.filter(role=role, account=account).delete()
    for limit in limits:
        PurchaseLimit.objects.create(
            group_id=actor.group_id,
            role=role,
            account=account,
            category_id=limit.category_id,
            period=limit.period,
            amount=limit.amount,
            action=limit.action,
        )


def _refuse_unknown_category(limit: LimitForm) -> None:
    """`catalog` is above this app, so the foreign key looks for its row."""
    row = PurchaseLimit(category_id=limit.category_id)
    try:
        row.clean_fields(exclude={each.name for each in row._meta.fields} - {"category"})
    except ValidationError as error:
        raise LimitCategoryUnknown from error


@transaction.atomic
def account_limits_set(*, actor: Account, pk: int, limits: Sequence[LimitForm]) -> Account:
    """Replace the limits of an account and return it. They apply from its next order.

    Raises:
        AccountNotFound: the actor's data scope has no account with this id.
        BeyondRights, ValidationFailed: as limits_replace.
    """
    lock_group(actor.group_id)
    account = get_account(actor=actor, pk=pk)
    before = limits_of(account=account)
    limits_replace(actor=actor, limits=limits, account=account)
    change_record(
        actor=actor,
        subject_type="account",
        subject_id=account.pk,
        subject_name=str(account),
        action=ChangeAction.UPDATE,
        before={"limits": [limit.text for limit in before]},
        after={"limits": [limit.text for limit in limits_of(account=account)]},
        labels={"limits": "采购限额"},
    )
    return account
