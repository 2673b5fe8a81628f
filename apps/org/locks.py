"""Row locks that serialize writers of a group (its defaults, admins, rights, and data of merged
departments), of an enterprise, or of an account.
"""

from django.db.models import Exists

from apps.common.compiled_queries import CompiledQuery, key_parameter
from apps.org.models import Account, Enterprise, Group


def lock_group(group_id: int | None) -> None:
    """Lock the group's row until the transaction ends. Other transactions can still write rows
    that refer to the group.
    """
    list(
        Group.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk=group_id or 0)
        .values_list("pk")
    )


def lock_enterprises(*pks: int, only_if: Exists | None = None) -> None:
    """Lock the rows of these enterprises until the transaction ends. Without ids, lock all
    visible enterprises. With `only_if`, lock nothing unless the condition holds.

    Other transactions can still write rows that refer to an enterprise. An order on account takes
    this lock before it locks its budget.
    """
    rows = Enterprise.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    rows = rows.filter(only_if) if only_if is not None else rows
    list((rows.filter(pk__in=pks) if pks else rows).values_list("pk"))


LOCKED_ACCOUNT = CompiledQuery(
    lambda: (
        Account.objects.select_for_update(no_key=True)
        .filter(pk=key_parameter("account"))
        .values_list("pk")
    )
)


def lock_account(account_id: int) -> None:
    """Lock the account's row until the transaction ends, so that two requests of one account
    run one after the other.

    Orders that refer to the account do not wait for this lock.
    """
    LOCKED_ACCOUNT.fetch(account=account_id)


def lock_members(department_id: int) -> None:
    """Lock the account rows of a department, in the order of their keys. The caller holds the
    group's lock, so nobody joins the department meanwhile.
    """
    members = Account.objects.select_for_update(no_key=True).filter(department=department_id)
    list(members.order_by("pk").values_list("pk"))
