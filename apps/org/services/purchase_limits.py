"""Set the purchase limits of a role or of an account. Only a group admin may change them, so that
nobody lifts his own limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction

from apps.common.errors import ValidationFailed
from apps.org.enums import ChangeAction, LimitAction, LimitPeriod
from apps.org.errors import BeyondRights
from apps.org.locks import lock_group
from apps.org.models import Account, PurchaseLimit, Role
from apps.org.selectors.accounts import get_account
from apps.org.services.changes import change_record


@dataclass(frozen=True, slots=True)
class LimitForm:
    """A limit: `amount` in 元 for each order, day or month, and the action above it."""

    period: str
    amount: Decimal
    action: str

    @property
    def text(self) -> str:
        """The limit in words."""
        return (
            f"{LimitPeriod(self.period).label} {self.amount:,.2f} 元"
            f"（超出{LimitAction(self.action).label}）"
        )


def limits_of(*, role: Role | None = None, account: Account | None = None) -> tuple[LimitForm, ...]:
    """Return the limits of a role or of an account in the order of their periods. One query; none
    for a new role.
    """
    owner = role or account
    if owner is None or owner.pk is None:
        return ()
    rows = PurchaseLimit.objects.filter(role=role, account=account)
    forms = [LimitForm(row.period, row.amount, row.action) for row in rows]
    return tuple(sorted(forms, key=lambda form: LimitPeriod.values.index(form.period)))


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
        ValidationFailed: a period appears twice.
    """
    if not actor.is_group_admin:
        raise BeyondRights("只有集团管理员可以设置采购限额，请联系集团管理员")
    if len({limit.period for limit in limits}) < len(limits):
        raise ValidationFailed({"Limits": ["每个周期只能设置一个限额"]})
    PurchaseLimit.objects.filter(role=role, account=account).delete()
    for limit in limits:
        PurchaseLimit.objects.create(
            group_id=actor.group_id,
            role=role,
            account=account,
            period=limit.period,
            amount=limit.amount,
            action=limit.action,
        )


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
