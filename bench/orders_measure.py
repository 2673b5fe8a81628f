"""The measurements of bench_orders. Runs in its own process on the database in DATABASE_URL;
prints JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.scale import size

# Beforehand so many calls are not counted.
ROUNDS, WARM_UPS = size(40, 1), size(3, 0)
ON_CREDIT = "100000000.00"


def measure_p50(
    call: Callable[[], Any], prepare: Callable[[], Any] | None = None, *, rounds: int = ROUNDS
) -> float:
    """Return the call's median milliseconds, without its preparation."""
    taken: list[float] = []
    for number in range(-WARM_UPS, min(rounds, ROUNDS)):
        if prepare:
            prepare()
        began = time.perf_counter()
        call()
        if number >= 0:
            taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def count_queries(call: Callable[[], Any]) -> float:
    """Return the number of statements of the call, without BEGIN, COMMIT and savepoints."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from apps.common.testing.database import FRAME

    with CaptureQueriesContext(connection) as captured:
        call()
    return float(sum(not query["sql"].startswith(FRAME) for query in captured.captured_queries))


def create_shopper() -> Any:
    """Return a buyer of a new enterprise in the demo's first group. The group's agreements and
    rules apply to him, its budgets do not.
    """
    from apps.catalog.models import Product
    from apps.orders.tests.factories import make_budget, settle_in
    from apps.org.models import Account
    from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory

    like = Account.objects.get(username="buyer")
    stamp = f"B{time.time_ns() % 10**9}"
    enterprise = EnterpriseFactory(
        group=like.group,
        code=stamp,
        name=f"压测{stamp}有限公司",
        credit_code=f"91310000MA{stamp[1:8]}X",
    )
    department = DepartmentFactory(enterprise=enterprise, code=stamp)
    account = AccountFactory(department=department, username=stamp, roles=list(like.roles.all()))
    settle_in(account)
    make_budget(account, ON_CREDIT)
    Product.objects.filter(status="on").update(stock=10**8)
    return account


def measure() -> dict[str, float]:
    """Return milliseconds and query counts by measurement."""
    from apps.catalog.models import Product
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.common.testing import ApiClient
    from apps.pricing.selectors.context import get_catalogue_context
    from apps.pricing.selectors.offers import get_offers_by_code
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        account = create_shopper()
        client = ApiClient(account)
    codes = list(
        Product.objects.filter(status="on").order_by("pk")[:600].values_list("code", flat=True)
    )
    with tenant_scope(group_id=account.group_id):
        offers = get_offers_by_code(context=get_catalogue_context(actor=account), codes=codes)
    minimum = {code: offer.product.min_quantity for code, offer in offers.items() if offer.visible}
    return measure_all(client, account, dict(list(minimum.items())[:100]))


def measure_all(client: Any, account: Any, minimum: dict[str, int]) -> dict[str, float]:
    """Return the figures of a shopper who adds up to a hundred products to the cart in minimum
    quantities.
    """
    from apps.cart.models import CartItem
    from apps.cart.services.cart_add import cart_add
    from apps.common.tenancy import tenant_scope
    from apps.common.testing.client import make_key

    chosen = list(minimum)

    def fill(count: int) -> None:
        with tenant_scope(group_id=account.group_id):
            CartItem.objects.filter(account=account).delete()
            if count:
                cart_add(actor=account, quantities={code: minimum[code] for code in chosen[:count]})

    def post(path: str, body: Any = None, **options: Any) -> Any:
        answer = client.post(path, body, **options)
        if not answer.ok:
            raise SystemExit(f"{path}: {answer.code} {answer.message} {answer.body}")
        return answer.body

    one = {"Items": [{"ProductCode": chosen[0], "Quantity": minimum[chosen[0]]}]}
    result = {"empty": measure_p50(lambda: post("/api/Empty"))}
    result["add"] = measure_p50(lambda: post("/api/ShoppingCart/AddToCart", one), lambda: fill(0))
    result["add queries"] = count_queries(
        lambda: post("/api/ShoppingCart/AddToCart", one, key=make_key())
    )
    for count in (10, 100):
        fill(count)
        result[f"cart {count}"] = measure_p50(lambda: client.get("/api/ShoppingCart"))
        result[f"cart {count} queries"] = count_queries(lambda: client.get("/api/ShoppingCart"))
    fill(10)
    result["preview"] = measure_p50(lambda: post("/api/Order/Preview"))
    result["preview queries"] = count_queries(lambda: post("/api/Order/Preview"))
    result["submit queries"] = count_queries(lambda: post("/api/Order", key=make_key()))
    result["submit"] = measure_p50(lambda: post("/api/Order", key=make_key()), lambda: fill(10))
    result["list"] = measure_p50(lambda: client.get("/api/Order"))
    result["list queries"] = count_queries(lambda: client.get("/api/Order"))
    return result


def main() -> None:
    """Measure and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "mall.settings.test"
    import django
    from django.conf import settings

    django.setup()
    settings.ROOT_URLCONF = "bench.empty_urls"
    from django.test.utils import setup_test_environment

    setup_test_environment()
    json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
