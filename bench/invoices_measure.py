"""The measurements of bench_invoices. Runs in its own process on its own database; prints JSON.
BENCH_LINES=4000 for fewer lines.
"""

from __future__ import annotations

import time
from functools import partial

from bench import books_measure
from bench.in_process import print_measure
from bench.orders_measure import count_queries, measure_p50
from bench.scale import size

LINES = size(50_000, 40, "BENCH_LINES")
APPLIED = size(2_000, 10)
AVAILABLE = "/api/InvoiceApplication/Available"


def measure() -> dict[str, float]:
    """Return milliseconds and queries of the list of invoiceable lines, and seconds of an
    application of 2,000 lines.
    """
    from django.db import connection

    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.common.testing import ApiClient
    from apps.invoices.selectors.plan import get_plan
    from apps.invoices.services.applications import ApplicationForm, application_submit
    from apps.invoices.tests.factories import plan_form
    from apps.orders.models import OrderLine
    from apps.org.enums import AccountType
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    books_measure.ORDERS = LINES // books_measure.LINES
    with platform_scope(reason="bench"):
        order = books_measure.create_order()
        books_measure.multiply_orders(order, with_facts=False)
        account = order.requester
        account.kind = AccountType.GROUP_ADMIN
        account.save()
        client = ApiClient(account)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    look = partial(client.get, AVAILABLE)
    if not (answer := look()).ok:
        raise SystemExit(f"{AVAILABLE}: {answer.code} {answer.message}")
    result = {
        "lines": float(answer.body["Total"]),
        "empty": measure_p50(partial(client.post, "/api/Empty")),
    }
    result |= {"available": measure_p50(look, rounds=12), "queries": count_queries(look)}
    with tenant_scope(group_id=account.group_id or 0):
        some = OrderLine.objects.order_by("pk").values_list("pk", "received_quantity")[:APPLIED]
        form = plan_form(dict(some))
        total = get_plan(actor=account, form=form).total
        began = time.perf_counter()
        application_submit(
            actor=account, form=ApplicationForm(form, total, email="fapiao@example.com")
        )
        result["application"] = time.perf_counter() - began
    return result


if __name__ == "__main__":
    print_measure(measure)
