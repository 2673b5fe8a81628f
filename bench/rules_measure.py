"""The measurements of bench_rules. Runs in its own process on its own database; prints JSON.
BENCH_RULE_LINES=100000 for fewer lines.
"""

from __future__ import annotations

import time
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.books_measure import LINES as LINES_OF_ORDER
from bench.books_measure import made
from bench.copies import copied, written
from bench.in_process import printed
from bench.orders_measure import p50
from bench.scale import size

if TYPE_CHECKING:
    from apps.orders.models import Order

LINES = size(1_000_000, 80, "BENCH_RULE_LINES")
REPLAYED = size(20_000, 10)
# Two years of orders, of 60 departments and addresses, 500 people, 40 categories, 80 brands.
DAYS, DEPARTMENTS, PEOPLE, CATEGORIES, BRANDS = 730, 60, 500, 40, 80
WINDOW = 30


def grown() -> Order:
    """Return an order of four lines, and copy it until there are that many lines."""
    from django.utils import timezone

    from apps.orders.models import OrderLine
    from apps.org.tests.factories import AccountFactory, DepartmentFactory

    order = made()
    requester = order.requester
    places = [
        DepartmentFactory(enterprise=order.enterprise) for _ in range(min(DEPARTMENTS, LINES))
    ]
    people = [
        AccountFactory(department=places[number % len(places)])
        for number in range(min(PEOPLE, LINES))
    ]
    lines, now = list(order.lines.order_by("pk")), timezone.now()
    number_of_orders = LINES // LINES_OF_ORDER
    # The last 20,000 orders are those of the 90 days that a replay reads.
    moments = [
        now - timedelta(minutes=_minutes(n, number_of_orders)) for n in range(number_of_orders)
    ]
    orders = written(
        type(order),
        (
            copied(
                order,
                order_no=f"SO{n:012d}",
                requester_id=people[n % len(people)].pk,
                department_id=people[n % len(people)].department_id,
                address_key=f"{n % DEPARTMENTS:032d}",
                submitted_at=at,
            )
            for n, at in enumerate(moments)
        ),
    )
    written(
        OrderLine,
        (
            copied(
                line,
                order_id=pk,
                ordered_at=moments[n],
                category_id_l2=1 + (n + line.no) % CATEGORIES,
                brand_key=1 + (n + line.no) % BRANDS,
            )
            for n, pk in enumerate(orders)
            for line in lines
        ),
    )
    requester.department = places[0]
    requester.save()
    return order


def _minutes(number: int, total: int) -> int:
    """Return how long ago an order was: the first ones within 89 days, the others within two
    years.
    """
    day = 24 * 60
    if number < REPLAYED:
        return 1 + number * 89 * day // REPLAYED
    return 91 * day + (number - REPLAYED) * (DAYS - 91) * day // max(total - REPLAYED, 1)


def measure() -> dict[str, float]:
    """Return milliseconds of each kind of condition, and seconds of a replay."""
    from django.db import connection

    from apps.common.tenancy import platform_scope, tenant_scope

    with platform_scope(reason="bench"):
        order = grown()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    found: dict[str, float] = {"lines": LINES}
    with tenant_scope(group_id=order.group_id):
        for name, needs in _needs(order).items():
            found[name] = p50(partial(_read, order, needs))
        found["replay"], found["replayed"] = _replay(order)
    return found


def _read(order: Order, needs: Any) -> None:
    from apps.orders.selectors.past_orders import PastOrders

    PastOrders(enterprise_id=order.enterprise_id).read(needs)


def _needs(order: Order) -> dict[str, Any]:
    from apps.approvals.subjects import PastNeeds

    requester = type(order).objects.order_by("-pk").values_list("requester_id", flat=True)[0]
    keys = {
        "sum_requester": str(requester),
        "sum_department": str(order.requester.department_id),
        "sum_category": "7",
        "sum_brand": "7",
        "sum_address": f"{7:032d}",
    }
    found = {
        kind: PastNeeds(sums={(kind, WINDOW): frozenset({key})}, firsts={}, products=frozenset())
        for kind, key in keys.items()
    }
    products = frozenset(order.lines.values_list("product_id", flat=True))
    firsts = {
        "first_product": next(iter(products)),
        "first_brand": order.lines.order_by("pk")[0].brand_key,
        "first_address": "f" * 32,
        "first_cost_center": "CC-NEW",
        "first_payment": "online",
    }
    for kind, key in firsts.items():
        found[kind] = PastNeeds(sums={}, firsts={kind: frozenset({str(key)})}, products=frozenset())
    found["price_rise"] = PastNeeds(sums={}, firsts={}, products=products)
    return found


def _replay(order: Order) -> tuple[float, float]:
    """Return seconds and the number of orders of a replay in this process."""
    from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm
    from apps.approvals.services.rule_replay import replay_handler, replay_start
    from apps.org.enums import AccountType

    actor = order.requester
    actor.kind = AccountType.GROUP_ADMIN
    actor.save()
    conditions = (
        ConditionForm("sum_department", amount=order.total_amount * 2, days=WINDOW),
        ConditionForm("sum_brand", amount=order.total_amount * 2, days=WINDOW),
        ConditionForm("first_product"),
        ConditionForm("price_rise", quantity=10),
    )
    form = RuleForm("回放", condition_mode="any", conditions=conditions, steps=(StepForm("head"),))
    replay = replay_start(actor=actor, form=form)
    began = time.perf_counter()
    replay_handler("", {"ReplayId": replay.pk})
    seconds = time.perf_counter() - began
    replay.refresh_from_db()
    if replay.result is None:
        raise SystemExit(f"replay: {replay.error}")
    return seconds, float(replay.result["Orders"])


if __name__ == "__main__":
    printed(measure)
