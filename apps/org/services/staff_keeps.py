"""Staff change a customer's organisation with the customer's own services, rules and history."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from copy import copy

from apps.common.tenancy import tenant_scope
from apps.org.enums import AccountType
from apps.org.models import Account


@contextmanager
def staff_keeps(*, staff: Account, group_id: int) -> Generator[Account]:
    """Open the group's scope and yield a copy of the staff account as a group administrator,
    for use as `actor` of the group's services.

    The history shows the staff member. The caller has checked the permission. Never save the copy;
    the database rejects staff with a group.
    """
    keeper: Account = copy(staff)
    keeper.group_id, keeper.kind = group_id, AccountType.GROUP_ADMIN
    with tenant_scope(group_id=group_id):
        yield keeper
