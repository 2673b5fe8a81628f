"""The measurements of bench_accounts. Runs in its own process on its own database; prints JSON."""

from __future__ import annotations

import io
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.in_process import print_measure
from bench.orders_measure import count_queries, measure_p50
from bench.scale import size

if TYPE_CHECKING:
    from apps.org.models import Account, Department

PEOPLE, DEPARTMENTS, ROWS = size(10_000, 100), size(1_000, 80), size(5_000, 10)
PAGE = """
SELECT a.*, e.name, d.name FROM org_account a LEFT JOIN org_enterprise e ON e.id = a.enterprise_id
LEFT JOIN org_department d ON d.id = a.department_id WHERE a.group_id = %s ORDER BY a.id DESC
    LIMIT 20
"""


def grow_accounts() -> tuple[Account, Account, Department]:
    """Create a group of 10,000 people. Return its admin, a department head, and a department
    below his.
    """
    from apps.org.enums import AccountType, DataScope
    from apps.org.models import Account, Department
    from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

    top = DepartmentFactory(code="TOP")
    group, enterprise = top.group, top.enterprise
    middle = [
        DepartmentFactory(enterprise=enterprise, parent=top, code=f"M{number}")
        for number in range(30)
    ]
    Department.objects.bulk_create(
        Department(
            group=group,
            enterprise=enterprise,
            parent=middle[number % 30],
            code=f"D{number:05d}",
            name=f"第{number}部",
        )
        for number in range(DEPARTMENTS - 31)
    )
    places = list(Department.objects.filter(group=group).order_by("pk"))
    role = RoleFactory(
        group=group,
        menu_codes=["management.account", "management.role"],
        data_scope=DataScope.DEPARTMENT,
    )
    people = [
        Account(
            group=group,
            enterprise=enterprise,
            department=places[number % len(places)],
            username=f"bench{number:06d}",
            nickname=f"员工{number}",
            mobile="13800000000",
            email=f"bench{number}@example.com",
            password="!",
        )
        for number in range(PEOPLE)
    ]
    Account.objects.bulk_create(people, batch_size=1000)
    through = Account.roles.through
    through.objects.bulk_create(
        (through(account_id=person.pk, role_id=role.pk) for person in people), batch_size=1000
    )
    admin = AccountFactory(department=top, kind=AccountType.GROUP_ADMIN)
    head = AccountFactory(department=middle[0], roles=[role])
    return admin, head, places[40]


def build_sheet(place: Department) -> io.BytesIO:
    """Return an import sheet with 5,000 new people."""
    from apps.documents.excel import write_xlsx
    from apps.org.selectors.accounts import HEADER

    file = io.BytesIO()
    cells = (place.enterprise.code, place.code, "")
    write_xlsx(
        file,
        header=HEADER,
        rows=(
            (f"new{number}", f"新员工{number}", "", "", "", "", *cells) for number in range(ROWS)
        ),
    )
    file.seek(0)
    file.name = "people.xlsx"
    return file


def read_bare(admin: Account) -> None:
    """Run only the SQL statements of the list's first page."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM org_account WHERE group_id = %s", [admin.group_id])
        cursor.fetchall()
        cursor.execute(PAGE, [admin.group_id])
        keys = [row[0] for row in cursor.fetchall()]
        marks = ",".join(["%s"] * len(keys))
        cursor.execute(
            (
                "SELECT r.* FROM org_role r JOIN org_account_roles t ON t.role_id = r.id WHERE "
                f"t.account_id IN ({marks})"
            ),
            keys,
        )
        cursor.fetchall()


def measure() -> dict[str, float]:
    """Return milliseconds, query counts and the import's seconds."""
    from django.db import connection

    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.tests.factories import PASSWORD
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        admin, head, place = grow_accounts()
        client, heads, people = ApiClient(admin), ApiClient(head), build_sheet(place)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    lists: dict[str, tuple[ApiClient, str, dict[str, Any]]] = {
        "list": (client, "/api/Account", {}),
        "keyword": (client, "/api/Account", {"Keyword": "员工99"}),
        "department": (heads, "/api/Account", {"DepartmentId": place.pk}),
        "roles": (client, "/api/Role", {}),
    }
    result = {
        "empty": measure_p50(lambda: client.post("/api/Empty")),
        "sql": measure_p50(partial(read_bare, admin)),
    }
    for name, (caller, path, query) in lists.items():
        ask = partial(caller.get, path, query)
        result[name], result[f"{name} queries"] = measure_p50(ask), count_queries(ask)
    began = time.perf_counter()
    confirmed = {"file": people, "Confirm": "true", "Password": PASSWORD}
    answer = client.upload("/api/Account/Import", confirmed)
    result["import"] = time.perf_counter() - began
    if not answer.ok:
        raise SystemExit(f"import: {answer.code} {answer.message}")
    return result


if __name__ == "__main__":
    print_measure(measure)
