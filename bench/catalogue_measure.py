"""The measurements of bench_catalogue. Runs in its own process on the database in DATABASE_URL;
prints JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.scale import size

ROUNDS, WARM_UPS = size(60, 1), size(5, 0)
VARIANTS, LOOKED_AT = size(20, 2), size(500, 20)
KEYWORDS = ("中性笔", "复印纸", "订书机", "墨岚", "硒鼓", "办公椅", "文件夹", "黑色")
PREFIXES = ("中性", "zxb", "fuyin", "订书", "墨", "dsj")


def p50(*calls: Callable[[int], Any], rounds: int = ROUNDS) -> list[float]:
    """Return the median milliseconds of each call. The calls alternate, so that other load
    affects all equally.
    """
    times: list[list[float]] = [[] for _ in calls]
    for number in range(-WARM_UPS, rounds):
        for call, taken in zip(calls, times, strict=True):
            began = time.perf_counter()
            call(number % VARIANTS)
            if number >= 0:
                taken.append((time.perf_counter() - began) * 1000)
    return [statistics.median(taken) for taken in times]


def captured(call: Callable[[int], Any], number: int) -> list[tuple[str, Any]]:
    """Return the SELECT statements of a call with their parameters, for comparison as bare SQL."""
    from django.db import connection

    statements: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if "identity_" not in sql and sql.lstrip(" (\n").startswith("SELECT"):
            statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        call(number)
    return statements


def bare(call: Callable[[int], Any]) -> Callable[[int], None]:
    """Return a function that runs the same statements with the driver alone, prepared where
    possible, and reads their rows.
    """
    from django.db import connection
    from django.db.backends.sqlite3.base import SQLiteCursorWrapper

    from apps.common.postgres.base import PreparedCursor

    connection.ensure_connection()
    driver = connection.connection
    # The statements have PostgreSQL's placeholders; SQLite's own cursor does not know them.
    is_postgres = connection.vendor == "postgresql"
    plain: Callable[[], Any] = (
        partial(PreparedCursor, driver)  # type: ignore[call-arg]
        if is_postgres
        else partial(driver.cursor, SQLiteCursorWrapper)
    )
    statements = [_rows_only(captured(call, number)) for number in range(VARIANTS)]

    def run(number: int) -> None:
        for sql, params in statements[number]:
            cursor = plain()
            cursor.execute(sql, params)
            cursor.fetchall()

    return run


def measure() -> dict[str, float]:
    """Return milliseconds by measurement; `bare …` is the SQL for the same rows."""
    from apps.catalog.models import Product
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.models import Account
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        client = ApiClient(Account.objects.get(username="buyer"))
        products = list(
            Product.objects.filter(is_public=True, status="on")
            .order_by("-sales_count")[:LOOKED_AT]
            .values_list("code", "l1_id")
        )

    def get(path: str, **query: str) -> Any:
        answer = client.get(path, query)
        if not answer.ok and answer.status != 404:
            raise SystemExit(f"{path} {query}: {answer.message}")
        return answer

    visible = [(code, l1) for code, l1 in products if get(f"/api/Product/{code}").ok][:100]
    if not visible:
        raise SystemExit("the buyer sees nothing: load the demo data first")
    calls: dict[str, Callable[[int], Any]] = {
        "list": lambda n: get(
            "/api/Product", Facets="0", Total="0", Cid=str(visible[n % len(visible)][1])
        ),
        "list by price": lambda n: get(
            "/api/Product",
            Facets="0",
            Total="0",
            Sort="price",
            Cid=str(visible[n % len(visible)][1]),
        ),
        "list with facets": lambda n: get("/api/Product", Cid=str(visible[n % len(visible)][1])),
        "search": lambda n: get("/api/Product", Keyword=KEYWORDS[n % len(KEYWORDS)], Facets="0"),
        "detail": lambda n: get(f"/api/Product/{visible[n % len(visible)][0]}"),
        "suggestion": lambda n: client.post(
            "/api/Product/Search", {"Key": PREFIXES[n % len(PREFIXES)]}
        ),
        "suggestion groups": lambda n: client.get(
            "/api/Search/Suggest", {"Key": PREFIXES[n % len(PREFIXES)]}
        ),
        "menu": lambda _n: client.post("/api/Category/GetCustomerCategories"),
    }
    result: dict[str, float] = {"products": Product.objects.count()}
    for name, call in calls.items():
        result[name], result[f"bare {name}"] = p50(call, bare(call))
    return result


def _rows_only(statements: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Remove statements that do not read rows of the page: the customer's agreements and the
    category path.
    """
    beside = (
        "pricing_agreementsversion",
        "pricing_customeragreement ca",
        "FROM catalog_category c3",
    )
    return [(sql, params) for sql, params in statements if not any(mark in sql for mark in beside)]


def main() -> None:
    """Measure and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "mall.settings.test"
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    setup_test_environment()
    json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
