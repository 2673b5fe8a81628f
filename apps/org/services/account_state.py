"""Enable and disable an account row. To disable a person, call `account_disable` of
`approvals`, which also hands over open work.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.common.errors import WrongState
from apps.org.enums import ChangeAction
from apps.org.models import Account
from apps.org.services.account_save import account_for_change, record, refuse_last_admin, shown


@transaction.atomic
def account_switch_off(*, actor: Account, pk: int) -> tuple[dict[str, Any], Account]:
    """Disable the account. Return its values before the change, for the history, and the
    account. The cart, orders and addresses stay.

    The caller writes the history entry, because it includes what happened to the account's open
    work.

    Raises:
        AccountNotFound, BeyondRights: as account_for_change.
        LastAdmin: the group would have no enabled admin left.
        WrongState: it is the actor's own account, or it is already disabled.
    """
    account = account_for_change(actor=actor, pk=pk)
    if account.pk == actor.pk:
        raise WrongState("不能停用自己的账号")
    if not account.is_active:
        raise WrongState("该账号已经停用")
    refuse_last_admin(account)
    before = shown(account)
    _switch(account, to=False)
    return before, account


@transaction.atomic
def account_enable(*, actor: Account, pk: int) -> Account:
    """Return the enabled account. Its password and cart are unchanged.

    Raises:
        AccountNotFound, BeyondRights: as account_for_change.
        WrongState: the account is already enabled, or its department is disabled.
    """
    account = account_for_change(actor=actor, pk=pk)
    if account.is_active:
        raise WrongState("该账号已经启用")
    if account.department is not None and not account.department.is_active:
        raise WrongState(
            f"其部门“{account.department.name}”已停用，请先将账号移到启用的部门，再启用"
        )
    before = shown(account)
    _switch(account, to=True)
    record(actor, account, ChangeAction.ENABLE, before)
    return account


def _switch(account: Account, *, to: bool) -> None:
    account.is_active = to
    account.save(update_fields=["is_active", "updated_at"])
