"""The supplier's staff keep a customer's organisation with the services the customer has himself, under his own rules and history."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from copy import copy

from apps.common.tenancy import tenant_scope
from apps.org.enums import AccountType
from apps.org.models import Account


@contextmanager
def staff_keeps(*, staff: Account, group_id: int) -> Generator[Account]:
    """Open the group's scope and yield the member of staff as he stands before its services: as an administrator of the group.

    The history names him, not the group's people. The caller has checked that his job keeps customers; what is yielded is never saved
    (the database refuses staff with a group).
    """
    keeper: Account = copy(staff)
    keeper.group_id, keeper.kind = group_id, AccountType.GROUP_ADMIN
    with tenant_scope(group_id=group_id):
        yield keeper
