"""What bench_invoices times, in a process of its own on a database of its own; prints JSON. BENCH_LINES=4000 for fewer lines."""

from __future__ import annotations

import os
import time
from functools import partial

from bench import books_measure
from bench.in_process import printed
from bench.orders_measure import p50, queries

LINES = int(os.environ.get("BENCH_LINES", "50000"))
APPLIED = 2000
AVAILABLE = "/api/InvoiceApplication/Available"


def measure() -> dict[str, float]:
    """Return milliseconds of the list of what may be invoiced and its queries, and seconds of an application of 2,000 lines."""
    from django.db import connection

    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.common.testing import ApiClient
    from apps.invoices.selectors.plan import plan_of
    from apps.invoices.services.application_submit import ApplicationForm, application_submit
    from apps.invoices.tests.factories import plan_form
    from apps.orders.models import OrderLine
    from apps.org.enums import AccountType
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    books_measure.ORDERS = LINES // books_measure.LINES
    with platform_scope(reason="bench"):
        order = books_measure.made()
        books_measure.multiplied(order, with_facts=False)
        account = order.requester
        account.kind = AccountType.GROUP_ADMIN
        account.save()
        client = ApiClient(account)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    look = partial(client.get, AVAILABLE)
    if not (answer := look()).ok:
        raise SystemExit(f"{AVAILABLE}: {answer.code} {answer.message}")
    found = {"lines": float(answer.body["Total"]), "empty": p50(partial(client.post, "/api/Empty"))}
    found |= {"available": p50(look, rounds=12), "queries": queries(look)}
    with tenant_scope(group_id=account.group_id or 0):
        some = OrderLine.objects.order_by("pk").values_list("pk", "received_quantity")[:APPLIED]
        form = plan_form(dict(some))
        total = plan_of(actor=account, form=form).total
        began = time.perf_counter()
        application_submit(actor=account, form=ApplicationForm(form, total, email="fapiao@example.com"))
        found["application"] = time.perf_counter() - began
    return found


if __name__ == "__main__":
    printed(measure)
