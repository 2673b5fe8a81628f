"""What bench_office times, in a process of its own on a database of its own; prints JSON in ms. BENCH_ROWS=20000 for fewer."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.in_process import printed
from bench.orders_measure import p50

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

ROWS = int(os.environ.get("BENCH_ROWS", "200000"))
ROUNDS = 5
# What makes a row of these another one, beside the columns that are unique by themselves.
APART = {
    "approvals.Approval": {"subject_id": "b.subject_id + n * 1000000"},
    "invoices.Invoice": {"invoice_no": "lpad((b.id * 1000000 + n)::text, 20, '7')"},
    "orders.Payment": {"gateway_reference": "CASE b.gateway_reference WHEN '' THEN '' ELSE b.id || '-' || n END"},
    "org.Department": {"code": "left(b.code, 8) || '-' || b.id || '-' || n"},
}
WORD = "SO26"


def long_pages() -> list[type[Model]]:
    """Return the models whose lists grow with the mall's use."""
    from django.contrib import admin

    from tests.contracts.test_office_lists import SHORT

    return [model for model in admin.site._registry if model._meta.label not in SHORT]


def grown(model: type[Model]) -> int:
    """Write the demo's rows of the model again until there are so many, and return how many there are.

    A model whose rows cannot be had twice (one to one, a constraint over several columns) keeps what the demo has.
    """
    from django.db import Error, connection, transaction

    rows = model._base_manager.count()
    if not rows:
        return 0
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    said = APART.get(model._meta.label, {})
    values = ", ".join(said.get(str(field.column)) or _again(field) for field in fields)
    names = ", ".join(f'"{field.column}"' for field in fields)
    table, times = model._meta.db_table, max(0, ROWS // rows)
    statement = f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" b, generate_series(1, {times}) n'  # noqa: S608
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except Error as problem:
        print(f"{model._meta.label}: {str(problem).splitlines()[0]}", file=sys.stderr)
    return model._base_manager.count()


def _again(field: Any) -> str:
    """Return the SQL of the column's value in the copy numbered `n` of the row `b`."""
    if not field.unique:
        return f'b."{field.column}"'
    match field.get_internal_type():
        case "UUIDField":
            return "gen_random_uuid()"
        case "CharField" | "SlugField" | "EmailField":
            kept = max(0, min(8, (field.max_length or 60) - 12))
            return f"left(b.\"{field.column}\", {kept}) || lpad((b.id % 1000 * 1000000 + n)::text, 10, '0')"
    return f'b."{field.column}"'


def looks(client: Client, model: type[Model]) -> dict[str, float]:
    """Return the milliseconds of the model's list as it opens, of a search, and of its last page within reach."""
    from django.urls import reverse

    label = f"{model._meta.app_label}.{model._meta.object_name}"
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    asked = {"": {}, " · search": {"q": WORD}, " · search for nothing": {"q": "没有这样的东西"}}
    return {f"{label}{name}": p50(partial(_opened, client, address, query), rounds=ROUNDS) for name, query in asked.items()}


def _opened(client: Client, address: str, query: dict[str, str]) -> None:
    answer = client.get(address, query, follow=True)
    if answer.status_code != 200:
        raise SystemExit(f"{address} {query}: {answer.status_code}")


def measure() -> dict[str, float]:
    """Grow every list of the back office, then open each."""
    from django.core.management import call_command
    from django.db import connection

    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.tests.factories import StaffFactory
    from apps.org.tests.office import office_of
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    call_command("load_demo", stdout=sys.stderr)
    with platform_scope(reason="bench"):
        pages = long_pages()
        rows = {model: grown(model) for model in pages}
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        client = office_of(StaffFactory(is_superuser=True))
    found: dict[str, float] = {"empty": p50(partial(client.get, "/livez"), rounds=ROUNDS)}
    for model, number in rows.items():
        found |= {f"{name}|{number}": taken for name, taken in looks(client, model).items()}
    return found


if __name__ == "__main__":
    printed(measure)
