"""Accounts that all tests share. `group` opens its tenant scope for the test. A test that needs
no group uses none of these.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from apps.common.tenancy import tenant_scope
from apps.org.models import Account, Department, Enterprise, Group
from apps.org.tests import people


@pytest.fixture
def group(db: None) -> Generator[Group]:
    """A customer group. Its tenant scope is open during the test."""
    group = people.make_group()
    with tenant_scope(group_id=group.pk):
        yield group


@pytest.fixture
def enterprise(group: Group) -> Enterprise:
    return people.make_enterprise(group)


@pytest.fixture
def department(enterprise: Enterprise) -> Department:
    """行政部. Its head is `approver`."""
    return people.make_department(enterprise)


@pytest.fixture
def buyer(department: Department) -> Account:
    """A purchaser with every menu code and the data scope of own records."""
    return people.make_buyer(department)


@pytest.fixture
def approver(department: Department) -> Account:
    """The head of `department`, with the data scope of the department subtree."""
    return people.make_approver(department)


@pytest.fixture
def ga(department: Department) -> Account:
    """The administrator of the group: every menu code, data scope of the whole group."""
    return people.make_group_admin(department)


@pytest.fixture
def limited(department: Department) -> Account:
    """An account with two menu codes only: orders and the budget."""
    return people.make_limited(department)


@pytest.fixture
def other_ga(db: None) -> Account:
    """The administrator of a second group."""
    return people.make_other_group_admin()


@pytest.fixture
def staff(db: None) -> Account:
    """A superuser of the supplier."""
    return people.make_staff()
