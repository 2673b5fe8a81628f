"""G8: every endpoint × every role, as in `permissions.csv`. Another group's object answers
exactly like a missing one.

A cell is the role's result: `ok` (any answer with status 200, refusals included), `401`, `403` or
`404`. Rows with an object in the address name its kind (see objects.py). The object is `buyer`'s,
and `other` is the admin of another group. A new route fails here until it has a row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from drf_spectacular.generators import EndpointEnumerator
from pytest_django import DjangoDbBlocker

from apps.common.tenancy import platform_scope, tenant_scope
from apps.common.testing import Answer, ApiClient, undone
from apps.org.enums import DataScope
from apps.org.menus import ENTRY_CODES, MenuCode
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.org.tests.people import (
    make_approver,
    make_buyer,
    make_department,
    make_enterprise,
    make_group,
    make_group_admin,
    make_limited,
    make_other_group_admin,
    make_staff,
)
from tests.contracts.bodies import BODIES, CALLER
from tests.contracts.objects import OBJECTS, build_missing_key

TABLE = Path(__file__).with_name("permissions.csv")
ROLES = ("anonymous", "limited", "buyer", "approver", "finance", "ga", "other", "staff")


@dataclass(frozen=True, slots=True)
class Row:
    """A route and the result for each role."""

    method: str
    path: str
    object: str
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def address(self, key: str) -> str:
        """Return the path with its placeholder filled. A second placeholder is a number."""
        return re.sub(r"\{\w+\}", "6", re.sub(r"\{\w+\}", key, self.path, count=1))


def build_rows() -> list[Row]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            Row(line["method"], line["path"], line["object"], {role: line[role] for role in ROLES})
            for line in csv.DictReader(file)
        ]


ROWS = build_rows()


@dataclass(frozen=True, slots=True)
class Town:
    """The keys of a group and of one account for each role, and the bearer of each account."""

    group_id: int
    account_ids: dict[str, int]
    bearers: dict[int, str]

    def client_of(self, caller: Account | None) -> ApiClient:
        return ApiClient(bearer=self.bearers[caller.pk] if caller else "")


@pytest.fixture(scope="module")
def town(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Generator[Town]:
    """Create and sign in the people once for all tests of this module, because eight accounts
    take longer than a test. A test rolls back its own changes; the people are rolled back at
    the end.
    """
    with django_db_blocker.unblock(), undone():
        with platform_scope(reason="test: one account for each role"):
            department = make_department(make_enterprise(make_group()))
            people = {
                "limited": make_limited(department),
                "buyer": make_buyer(department),
                "approver": make_approver(department),
                "finance": make_finance(department),
                "ga": make_group_admin(department),
                "other": make_other_group_admin(),
                "staff": make_staff(),
            }
            bearers = {account.pk: ApiClient(account).bearer for account in people.values()}
        ids = {role: account.pk for role, account in people.items()}
        yield Town(department.group.pk, ids, bearers)


def make_finance(department: Department) -> Account:
    """Create a person with the demo's rights of 财务 for his enterprise."""
    stored = (
        "invoice.",
        "report.",
        MenuCode.ORDER_LIST,
        MenuCode.ORDER_APPROVAL,
        MenuCode.ASSET_BUDGET,
    )
    menus = [code for code in ENTRY_CODES if code.startswith(stored)]
    role = RoleFactory(group=department.group, data_scope=DataScope.ENTERPRISE, menu_codes=menus)
    return AccountFactory(department=department, roles=[role])


@pytest.fixture
def group(town: Town, db: None) -> Generator[None]:
    """Open the tenant scope of the people's group."""
    with tenant_scope(group_id=town.group_id):
        yield


@pytest.fixture
def people(town: Town, group: None) -> dict[str, Account | None]:
    with platform_scope(reason="test: one account for each role"):
        accounts = Account.objects.in_bulk(town.account_ids.values())
    return {
        role: accounts[town.account_ids[role]] if role in town.account_ids else None
        for role in ROLES
    }


@pytest.fixture
def buyer(town: Town, group: None) -> Account:
    return Account.objects.get(pk=town.account_ids["buyer"])


@pytest.fixture
def ga(town: Town, group: None) -> Account:
    return Account.objects.get(pk=town.account_ids["ga"])


def call(town: Town, caller: Account | None, row: Row, key: str) -> Answer:
    client = town.client_of(caller)
    if row.path == "/api/File/Execute":
        return client.upload(row.path, {})
    if row.method == "GET":
        return client.get(row.address(key))
    body = {
        name: str(caller.pk) if caller and value == CALLER else value
        for name, value in BODIES.get(str(row), {}).items()
    }
    answer: Answer = getattr(client, row.method.lower())(row.address(key), body)
    return answer


def got(answer: Answer) -> str:
    return "ok" if answer.status == 200 else str(answer.status)


def test_every_route_has_one_row_and_every_row_a_route() -> None:
    routes = {
        f"{method} {path}"
        for path, _, method, callback in EndpointEnumerator().get_api_endpoints()
        if hasattr(callback, "actions")
    }
    table = [str(row) for row in ROWS]

    assert sorted(table) == sorted(set(table))
    assert set(table) == routes, (
        "add the new routes to tests/contracts/permissions.csv, with what each role is to get"
    )


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_role_gets_the_result_of_the_permission_table(
    row: Row, town: Town, people: dict[str, Account | None], buyer: Account
) -> None:
    key = OBJECTS[row.object](buyer) if row.object else build_missing_key("")
    result: dict[str, str] = {}
    for role, caller in people.items():
        with transaction.atomic():
            result[role] = got(call(town, caller, row, key))
            transaction.set_rollback(True)

    assert plain(result) == plain(row.expected)


def plain(cells: dict[str, str]) -> str:
    return " ".join(f"{role}={cells[role]}" for role in ROLES)


@pytest.mark.parametrize("row", [row for row in ROWS if row.object], ids=str)
def test_another_groups_object_answers_as_a_missing_one(
    row: Row, town: Town, people: dict[str, Account | None], buyer: Account
) -> None:
    key = OBJECTS[row.object](buyer)
    foreign, missing = (
        get_wire(call(town, people["other"], row, item))
        for item in (key, build_missing_key(row.object))
    )

    assert foreign == missing
    assert foreign[0] == 404


def get_full_width(text: str) -> str:
    """Return the text with full-width digits, which `int()` accepts."""
    return text.translate({ord("0") + digit: ord("０") + digit for digit in range(10)})


@pytest.mark.parametrize("row", [row for row in ROWS if "{" in row.path], ids=str)
def test_an_id_in_full_width_digits_is_not_found(row: Row, town: Town, ga: Account) -> None:
    key = OBJECTS[row.object](ga) if row.object else "6"
    names = re.findall(r"\{\w+\}", row.path)
    for item in names:
        path = row.path
        for name in names:
            plain_key = key if name == names[0] else "6"
            path = path.replace(name, get_full_width(plain_key) if name == item else plain_key)
        if (
            path.isascii() or item == "{scene}"
        ):  # a key without a digit, or a name of a place in the mall
            continue
        answer = call(town, ga, Row(row.method, path, "", {}), key)

        assert (answer.status, answer.ok, answer.code) == (404, False, "not_found"), path


def get_wire(answer: Answer) -> tuple[Any, ...]:
    """Return the answer without its RequestId."""
    return (
        answer.status,
        answer.ok,
        answer.code,
        answer.message,
        answer.body,
        sorted(answer.response.headers),
    )
