"""Create, change and delete accounts of the supplier's staff. Only superusers may do this."""

from __future__ import annotations

from django.db import transaction

from apps.common.errors import Forbidden, WrongState
from apps.org.models import Account


@transaction.atomic
def staff_save(*, actor: Account, row: Account) -> Account:
    """Save and return the account. The back office log contains the changes.

    Raises:
        Forbidden: the actor is not a superuser, or it is a customer's account.
        WrongState: the actor would lock himself out.
    """
    _refuse(actor, row)
    if row.pk == actor.pk and not (row.is_active and row.is_superuser):
        raise WrongState("不能停用自己的账号或取消自己的超级管理员权限，请由其他超级管理员操作")
    row.save()
    return row


@transaction.atomic
def staff_delete(*, actor: Account, row: Account) -> None:
    """Delete a staff account that no required record refers to.

    Raises:
        Forbidden, WrongState: as staff_save.
    """
    _refuse(actor, row)
    if row.pk == actor.pk:
        raise WrongState("不能删除自己的账号")
    row.delete()


def _refuse(actor: Account, row: Account) -> None:
    if not (actor.is_superuser and row.is_staff):
        raise Forbidden("运营人员的账号与权限只能由超级管理员维护")
