"""The measurements of bench_rules. Runs in its own process on its own database; prints JSON.
BENCH_RULE_LINES=100000 for fewer lines.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.books_measure import LINES as LINES_OF_ORDER
from bench.books_measure import create_order, measure_peak
from bench.catalogue_measure import captured
from bench.copies import multiply_row, without_triggers
from bench.in_process import print_measure
from bench.scale import size

if TYPE_CHECKING:
    from apps.approvals.subjects import PastNeeds
    from apps.orders.models import Order

LINES = size(1_000_000, 80, "BENCH_RULE_LINES")
ORDERS = LINES // LINES_OF_ORDER
REPLAYED = min(size(20_000, 10), ORDERS)
# The orders are of two years. The newest ones are those of the 90 days that a replay reads.
RECENT_DAYS, DAYS = 89, 730
PEOPLE, DEPARTMENTS, ADDRESSES = 500, 60, 60
PRODUCTS, CATEGORIES, BRANDS = 2000, 40, 80
# A month, and the longest period that a rule may have.
WINDOWS = (30, 366)
ROUNDS, WARM_UPS = size(60, 2), size(5, 0)

AGE = f"""CASE WHEN n <= {REPLAYED} THEN n * interval '{RECENT_DAYS} days' / {REPLAYED}
  ELSE interval '91 days'
    + (n - {REPLAYED}) * interval '{DAYS - 91} days' / {max(ORDERS - REPLAYED, 1)} END"""
PRODUCT = f"(o.id * 7 + b.no * 131) % {PRODUCTS}"
INSERT_LINES = """INSERT INTO orders_orderline ({names})
SELECT {values} FROM orders_order o, orders_orderline b
WHERE b.order_id = {order} AND o.id > {order}
"""


class Past:
    """An enterprise with that many earlier orders, as copies of `order`."""

    def __init__(self, order: Order) -> None:
        self.order = order
        with without_triggers():
            self._write_owners()
            self._write_orders()
            self._write_lines()

    def _write_owners(self) -> None:
        """Write people, departments, brands and products. Keep the key of the first of each."""
        from apps.catalog.models import Brand, Product
        from apps.catalog.tests.factories import BrandFactory
        from apps.org.models import Account, Department

        person, line = self.order.requester, self.order.lines.order_by("pk")[0]
        self.departments = multiply_row(
            Department, person.department_id or 0, DEPARTMENTS, code="'D' || n"
        )
        self.people = multiply_row(
            Account,
            person.pk,
            PEOPLE,
            username="'bench' || n",
            department_id=f"{self.departments} + n % {DEPARTMENTS}",
        )
        self.brands = multiply_row(
            Brand, BrandFactory().pk, BRANDS, code="'B' || n", name="'品牌' || n"
        )
        self.products = multiply_row(
            Product,
            line.product_id,
            PRODUCTS,
            code="'9' || lpad(n::text, 8, '0')",
            brand_id=f"{self.brands} + n % {BRANDS}",
        )

    def _write_orders(self) -> None:
        person = f"(n % {PEOPLE})"
        multiply_row(
            type(self.order),
            self.order.pk,
            ORDERS,
            order_no="'SB' || lpad(n::text, 12, '0')",
            requester_id=f"{self.people} + {person}",
            department_id=f"{self.departments} + {person} % {DEPARTMENTS}",
            address_key=f"lpad((n % {ADDRESSES})::text, 32, '0')",
            submitted_at=f"now() - ({AGE})",
        )

    def _write_lines(self) -> None:
        from django.db import connection

        from apps.orders.models import OrderLine

        changed = {
            "order_id": "o.id",
            "ordered_at": "o.submitted_at",
            "product_id": f"{self.products} + {PRODUCT}",
            "brand_key": f"{self.brands} + {PRODUCT} % {BRANDS}",
            "category_id_l2": f"1 + {PRODUCT} % {CATEGORIES}",
        }
        columns = [
            str(field.column) for field in OrderLine._meta.concrete_fields if field.column != "id"
        ]
        names = ", ".join(f'"{column}"' for column in columns)
        values = ", ".join(changed.get(column, f'b."{column}"') for column in columns)
        with connection.cursor() as cursor:
            cursor.execute(INSERT_LINES.format(names=names, values=values, order=self.order.pk))

    def needs(self) -> dict[str, Callable[[int], PastNeeds]]:
        """Return what each kind of condition reads of the past, for the order of a number."""
        from apps.approvals.subjects import PastNeeds

        keys: dict[str, Callable[[int], str]] = {
            "sum_requester": lambda n: str(self.people + n % PEOPLE),
            "sum_department": lambda n: str(self.departments + n % DEPARTMENTS),
            "sum_address": lambda n: f"{n % ADDRESSES:032d}",
            "sum_category": lambda n: str(1 + n % CATEGORIES),
            "sum_brand": lambda n: str(self.brands + n % BRANDS),
        }
        firsts: dict[str, Callable[[int], str]] = {
            "first_brand": keys["sum_brand"],
            "first_address": lambda n: f"{n:032x}",
            "first_cost_center": lambda n: f"CC-{n}",
            "first_payment": lambda _n: "online",
        }
        result: dict[str, Callable[[int], PastNeeds]] = {}
        for days in WINDOWS:
            for kind, key in keys.items():
                result[f"{kind}, {days} days"] = partial(_sum_needs, {kind: key}, days)
        result[f"the five sums, {WINDOWS[0]} days"] = partial(_sum_needs, keys, WINDOWS[0])
        for kind, key in firsts.items():
            result[kind] = partial(_first_needs, kind, key)
        result["first_product, ten lines"] = lambda n: PastNeeds(
            {}, {"first_product": frozenset(map(str, self._ten_products(n)))}, frozenset()
        )
        result["price_rise, ten lines"] = lambda n: PastNeeds(
            {}, {}, frozenset(self._ten_products(n))
        )
        return result

    def _ten_products(self, number: int) -> list[int]:
        return [self.products + (number * 131 + nth * 17) % PRODUCTS for nth in range(10)]


def _sum_needs(keys: dict[str, Callable[[int], str]], days: int, number: int) -> PastNeeds:
    from apps.approvals.subjects import PastNeeds

    sums = {(kind, days): frozenset({key(number)}) for kind, key in keys.items()}
    return PastNeeds(sums, {}, frozenset())


def _first_needs(kind: str, key: Callable[[int], str], number: int) -> PastNeeds:
    from apps.approvals.subjects import PastNeeds

    return PastNeeds({}, {kind: frozenset({key(number)})}, frozenset())


def timed(call: Callable[[], Any]) -> float:
    """Return the milliseconds of a call."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def beside_bare(call: Callable[[int], Any]) -> dict[str, float]:
    """Return the best, p50 and p95 of the calls in ms, and how many times the p50 of the same
    statements sent by the driver, and of SELECT 1. All take turns.
    """
    ours, bare, empty = [], [], []
    for number in range(-WARM_UPS, ROUNDS):
        statements = captured(call, number % ROUNDS)
        taken = timed(partial(call, number % ROUNDS))
        taken_bare = timed(partial(_send, statements))
        taken_empty = timed(partial(_send, [("SELECT 1", ())]))
        if number >= 0:
            ours.append(taken)
            bare.append(taken_bare)
            empty.append(taken_empty)
    ours.sort()
    p50 = statistics.median(ours)
    return {
        ", best": ours[0],
        ", p50": p50,
        ", p95": ours[int(len(ours) * 0.95)],
        " ÷ bare SQL": p50 / statistics.median(bare),
        " ÷ SELECT 1": p50 / statistics.median(empty),
    }


def _send(statements: list[tuple[str, Any]]) -> None:
    from django.db import connection

    driver: Any = connection.connection
    for sql, params in statements:
        with driver.cursor() as cursor:
            cursor.execute(sql, params)
            cursor.fetchall()


def measure() -> dict[str, float]:
    """Return milliseconds of each kind of condition, and seconds and megabytes of a replay."""
    from django.db import connection

    from apps.common.tenancy import platform_scope, tenant_scope

    with platform_scope(reason="bench"):
        past = Past(create_order())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    result: dict[str, float] = {"lines": LINES}
    with tenant_scope(group_id=past.order.group_id):
        result |= replay(past.order)
        for name, needs in past.needs().items():
            for what, value in beside_bare(partial(_read, past.order, needs)).items():
                result[f"{name}{what}"] = value
    return result


def _read(order: Order, needs: Callable[[int], PastNeeds], number: int) -> None:
    from apps.orders.selectors.past_orders import PastOrders

    PastOrders(enterprise_id=order.enterprise_id).read(needs(number))


def replay(order: Order) -> dict[str, float]:
    """Return seconds, processor time and megabytes above idle of a replay in this process, its
    orders, and how often it stored its progress.
    """
    from django.db import connection

    from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm
    from apps.approvals.services.rule_replay import replay_handler, replay_start
    from apps.org.enums import AccountType

    actor = order.requester
    actor.kind = AccountType.GROUP_ADMIN
    actor.save()
    conditions = (
        ConditionForm("sum_department", amount=order.total_amount * 2, days=WINDOWS[0]),
        ConditionForm("sum_brand", amount=order.total_amount * 2, days=WINDOWS[0]),
        ConditionForm("first_product"),
        ConditionForm("price_rise", quantity=10),
    )
    form = RuleForm("回放", condition_mode="any", conditions=conditions, steps=(StepForm("head"),))
    run = replay_start(actor=actor, form=form)
    stored = 0

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal stored
        stored += sql.startswith('UPDATE "approvals_rulereplay"')
        return execute(sql, params, many, context)

    idle = measure_peak()
    began, of_process = time.perf_counter(), time.process_time()
    with connection.execute_wrapper(count):
        replay_handler("", {"ReplayId": run.pk})
    seconds, grown = time.perf_counter() - began, measure_peak(forget=False) - idle
    of_process = time.process_time() - of_process
    run.refresh_from_db()
    if run.result is None:
        raise SystemExit(f"replay: {run.error}")
    return {
        "replayed": float(run.result["Orders"]),
        "replay": seconds,
        "replay processor": of_process,
        "replay megabytes": grown / 1024,
        "replay progress": stored,
    }


if __name__ == "__main__":
    print_measure(measure)
