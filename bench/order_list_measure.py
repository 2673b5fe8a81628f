"""The measurements of bench_order_list. Runs in its own process on its own database; prints
JSON. BENCH_ORDERS=20000 for fewer orders.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.copies import copy_row, write_rows
from bench.in_process import print_measure
from bench.orders_measure import count_queries, measure_p50
from bench.scale import size

if TYPE_CHECKING:
    from apps.org.models import Account

ORDERS = size(200_000, 200, "BENCH_ORDERS")
PRODUCTS, PEOPLE, PLACES, ENTERPRISES = size(4000, 40), size(400, 8), size(40, 4), 4
DAYS, FIRST_CODE = 1095, 810_000
# state → how many of a hundred orders
STATES = {
    "completed": 81,
    "pending_receipt": 4,
    "pending_shipment": 3,
    "partly_shipped": 1,
    "pending_confirm": 3,
    "pending_approval": 2,
    "rejected": 1,
    "withdrawn": 1,
    "cancelled": 4,
}
WHAT = (
    "中性笔",
    "复印纸",
    "文件夹",
    "订书机",
    "硒鼓",
    "墨盒",
    "档案盒",
    "白板笔",
    "便利贴",
    "剪刀",
    "胶带",
    "计算器",
    "抽纸",
    "洗手液",
    "垃圾袋",
    "电池",
)
HOW = ("黑色", "蓝色", "红色", "加厚", "经济型", "商务", "大容量", "环保")


def create_people() -> dict[str, Any]:
    """Return a person for each of the four data scopes, and all requesters."""
    from apps.org.enums import AccountType, DataScope
    from apps.org.tests.factories import (
        AccountFactory,
        DepartmentFactory,
        EnterpriseFactory,
        RoleFactory,
    )

    first = EnterpriseFactory()
    houses = [first, *(EnterpriseFactory(group=first.group) for _ in range(ENTERPRISES - 1))]
    tops = [DepartmentFactory(enterprise=house) for house in houses]
    places = [
        DepartmentFactory(enterprise=houses[n % ENTERPRISES], parent=tops[n % ENTERPRISES])
        for n in range(PLACES)
    ]
    roles = {scope: RoleFactory(group=first.group, data_scope=scope) for scope in DataScope}
    askers = [
        AccountFactory(department=places[n % PLACES], roles=[roles[DataScope.OWN]])
        for n in range(PEOPLE)
    ]
    lookers = {
        "own": askers[0],
        "department": AccountFactory(department=places[0], roles=[roles[DataScope.DEPARTMENT]]),
        "enterprise": AccountFactory(department=places[0], roles=[roles[DataScope.ENTERPRISE]]),
        "group": AccountFactory(department=tops[0], kind=AccountType.GROUP_ADMIN),
    }
    return {"askers": askers, **lookers}


def grow(askers: list[Account]) -> list[str]:
    """Create the products and orders of three years with 2.5 lines on average. Return some
    order numbers.
    """
    from django.utils import timezone

    from apps.catalog.models import Product
    from apps.catalog.tests.factories import ProductFactory
    from apps.orders.models import Order, OrderLine
    from apps.orders.tests.factories import place_order, settle_in

    draw, now = random.Random(5), timezone.now()
    settle_in(askers[0])
    order = place_order(askers[0], (ProductFactory(stock=10**8), 3))
    line, product = order.lines.get(), Product.objects.get()
    names = [f"{draw.choice(WHAT)} {draw.choice(HOW)} {n:04d}" for n in range(PRODUCTS)]
    products = write_rows(
        Product,
        (copy_row(product, code=f"{FIRST_CODE + n}", name=name) for n, name in enumerate(names)),
    )
    states = draw.choices(list(STATES), list(STATES.values()), k=ORDERS)
    moments = [now - timedelta(days=DAYS * n / ORDERS) for n in range(ORDERS)]
    rows = [
        _order(order, askers[draw.randrange(PEOPLE)], n, state, at)
        for n, (state, at) in enumerate(zip(states, moments, strict=True))
    ]
    orders = write_rows(Order, rows)
    write_rows(OrderLine, _lines(line, draw, zip(orders, states, strict=True), products, names))
    _keep_names(products, names)
    return [row.order_no for row in rows[:: ORDERS // 40]]


def _lines(
    line: Any,
    draw: random.Random,
    orders: Iterable[tuple[int, str]],
    products: Sequence[int],
    names: Sequence[str],
) -> Iterator[Any]:
    """Yield one to four lines of each order (key, state)."""
    for pk, state in orders:
        for no, which in enumerate(draw.sample(range(PRODUCTS), draw.randrange(1, 5)), start=1):
            came = 3 if state == "completed" else 0
            yield copy_row(
                line,
                order_id=pk,
                no=no,
                product_id=products[which],
                product_code=f"{FIRST_CODE + which}",
                name=names[which],
                customer_code=f"WL{which:05d}",
                shipped_quantity=came,
                received_quantity=came,
            )


def _keep_names(products: Sequence[int], names: Sequence[str]) -> None:
    """Store the ordered names for keyword searches, as order_submit does."""
    from apps.orders.models import OrderedName

    known = OrderedName.objects.get()
    OrderedName.objects.bulk_create(
        OrderedName(
            group_id=known.group_id,
            product_id=pk,
            product_code=f"{FIRST_CODE + n}",
            name=name,
            customer_code=f"WL{n:05d}",
        )
        for n, (pk, name) in enumerate(zip(products, names, strict=True))
    )


def _order(order: Any, who: Account, number: int, state: str, at: datetime) -> Any:
    waits = state == "completed" and number % 3 == 0 and number < ORDERS // 6
    return copy_row(
        order,
        order_no=f"SO{at:%y%m%d}{(number + 1_000) * 48_271_117 % 10**8:08d}",
        requester_id=who.pk,
        enterprise_id=who.enterprise_id,
        department_id=who.department_id,
        status=state,
        payment_kind="online" if number % 20 == 0 else "credit",
        purchase_order_no=f"PO-{number:06d}" if number % 4 == 0 else "",
        submitted_at=at,
        review_until=at + timedelta(days=180) if waits else None,
    )


def get_looks(numbers: list[str]) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return the measured requests by name. Some change from call to call, as with real users."""
    draw = random.Random(9)
    return {
        "all": dict,
        **{
            f"tab {state}": partial(dict, Status=state)
            for state in (*STATES, "unpaid", "to_review")
        },
        "page 50": lambda: {"PageIndex": 50},
        "number": lambda: {"Keyword": draw.choice(numbers)},
        "part of a number": lambda: {"Keyword": draw.choice(numbers)[4:12]},
        "product": lambda: {"Keyword": f"{draw.choice(WHAT)} {draw.choice(HOW)}"},
        "product by a word": lambda: {"Keyword": draw.choice(WHAT)},
        "product's number": lambda: {"Keyword": f"{draw.randrange(PRODUCTS):04d}"},
        "product code": lambda: {"Keyword": f"{FIRST_CODE + draw.randrange(PRODUCTS)}"},
        "own code": lambda: {"Keyword": f"WL{draw.randrange(PRODUCTS):05d}"},
        "PO number": lambda: {"Keyword": f"PO-{draw.randrange(ORDERS // 4) * 4:06d}"},
        "PO filter": lambda: {"PurchaseOrderNo": f"PO-{draw.randrange(ORDERS // 4) * 4:06d}"},
        "nothing found": lambda: {"Keyword": "没有这样的东西"},
        "deep": lambda: {
            "Keyword": draw.choice(HOW),
            "Status": "completed",
            "From": "2025-01-01",
            "To": "2026-06-30",
            "PaymentKind": "online",
        },
    }


def measure_looks(lookers: dict[str, Any], numbers: list[str]) -> dict[str, float]:
    """Return milliseconds and the maximum number of queries of each request in each scope."""
    from apps.common.testing import ApiClient
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    result: dict[str, float] = {}
    for scope in ("own", "department", "enterprise", "group"):
        client = ApiClient(lookers[scope])
        result.setdefault("empty", measure_p50(partial(client.post, "/api/Empty")))
        for name, look in get_looks(numbers).items():
            ask = partial(_asked, client, look)
            result[f"{scope} · {name}"] = measure_p50(ask, rounds=12)
            result["queries"] = max(result.get("queries", 0.0), count_queries(ask))
    return result


def _asked(client: Any, look: Callable[[], dict[str, Any]]) -> None:
    answer = client.get("/api/Order", query := look())
    if not answer.ok:
        raise SystemExit(f"{query}: {answer.code} {answer.message}")


def measure() -> dict[str, float]:
    """Create the data, then measure."""
    from django.db import connection

    from apps.common.tenancy import platform_scope

    with platform_scope(reason="bench"):
        who = create_people()
        numbers = grow(who.pop("askers"))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return measure_looks(who, numbers)


if __name__ == "__main__":
    print_measure(measure)
