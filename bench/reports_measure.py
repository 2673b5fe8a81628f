"""The measurements of bench_reports. Runs in its own process on its own database; prints JSON:
p95 of each request in seconds, an export.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.copies import multiply_row
from bench.in_process import print_measure
from bench.scale import size

if TYPE_CHECKING:
    from apps.org.models import Account
    from apps.reports.models import ReportFact

FACTS = size(2_000_000, 2_000, "BENCH_FACTS")
LINES, DAYS, PEOPLE, PLACES, PRODUCTS = 10, 1095, size(200, 10), size(40, 4), size(5000, 50)
ROUNDS = size(20, 1)
PLACE = (
    "enterprise_id, department_id, requester_id, budget_id, order_status, payment_kind, "
    "purchase_order_no, cost_center"
)
DAY = f"group_id, order_id, basis, day, {PLACE}"
DAYS_OF_FACTS = f"""
INSERT INTO reports_reportorderday ({DAY}, facts, quantity, amount, tax_amount)
SELECT {DAY}, count(*), sum(quantity), sum(amount), sum(tax_amount) FROM reports_reportfact
    GROUP BY {DAY}
"""
EXPORT_DAYS = 55


def create_people() -> Account:
    """Return the group's admin. Creates people and departments."""
    from apps.orders.tests.factories import settle_in
    from apps.org.enums import AccountType
    from apps.org.tests.factories import AccountFactory, DepartmentFactory

    top = DepartmentFactory(code="TOP")
    admin = AccountFactory(department=top, kind=AccountType.GROUP_ADMIN)
    settle_in(admin)
    places = [
        DepartmentFactory(enterprise=top.enterprise, parent=top, code=f"D{n}")
        for n in range(PLACES)
    ]
    for number in range(PEOPLE):
        AccountFactory(department=places[number % PLACES], password="")
    return admin


def grow_facts(admin: Account) -> None:
    """Create orders of three years with ten facts each, as copies of one submitted order."""
    from apps.catalog.models import Product
    from apps.orders.models import Order
    from apps.orders.tests.factories import place_order
    from apps.reports.models import ReportFact
    from apps.reports.services.facts import facts_update

    order = place_order(admin)
    facts_update([order.pk])
    product = order.lines.get().product_id
    multiply_row(Product, product, PRODUCTS, code="'9' || lpad(n::text, 8, '0')")
    first, of_people = (
        order.pk,
        "(SELECT min(id) FROM org_account WHERE department_id <> b.department_id)",
    )
    requester = f"{of_people} + n % {PEOPLE}"
    orders = FACTS // LINES
    multiply_row(
        *(Order, first, orders),
        order_no="'SB' || lpad(n::text, 12, '0')",
        requester_id=requester,
        department_id=f"(SELECT department_id FROM org_account WHERE id = {requester})",
        submitted_at=f"b.submitted_at - (n % {DAYS}) * interval '1 day'",
        purchase_order_no="'PO' || n % 5000",
    )
    _facts_of_orders(ReportFact.objects.get(), first, product)


def _facts_of_orders(fact: ReportFact, first: int, product: int) -> None:
    """Create ten facts for each copied order, and their days."""
    from django.db import connection

    keys = [f.column for f in fact._meta.concrete_fields if f.column != "id"]
    text = {
        "source_id": f"b.source_id + 1 + (o.id::bigint - {first}) * {LINES} + n",
        "order_id": "o.id",
        "requester_id": "o.requester_id",
        "department_id": "o.department_id",
        "purchase_order_no": "o.purchase_order_no",
        "at": "o.submitted_at",
        "day": "o.submitted_at::date",
        "product_id": f"{product} + (o.id * 7 + n * 131) % {PRODUCTS}",
        "category_id_l1": f"b.category_id_l1 + (o.id * 7 + n * 131) % {PRODUCTS} % 12",
        "amount": "500 + (o.id * 37 + n * 1013) % 90000",
    }
    values = ", ".join(text.get(str(key), f'b."{key}"') for key in keys)
    names = ", ".join(f'"{key}"' for key in keys)
    rows = (
        f"FROM reports_reportfact b, orders_order o, generate_series(1, {LINES}) n WHERE b.id = "
        f"{fact.pk} AND o.id > {first}"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO reports_reportfact ({names}) SELECT {values} {rows}")
        cursor.execute("DELETE FROM reports_reportorderday")
        cursor.execute(DAYS_OF_FACTS)
        cursor.execute("VACUUM ANALYZE")


def get_looks() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the measured requests by name: each report over twelve months, each sort order,
    and drills.
    """
    from apps.org.models import Account, Department
    from apps.reports.enums import ReportName
    from apps.reports.selectors.cuts import COMPARED_REPORTS

    place = Department.objects.order_by("-pk").values_list("pk", flat=True).first()
    person = Account.objects.order_by("-pk").values_list("pk", flat=True).first()
    pages: dict[str, tuple[str, dict[str, Any]]] = {
        f"{name}, first page": (name, {}) for name in ReportName.values
    }
    sorts = {
        f"{name} by {sort}": (name, {"Sort": sort, "Charts": "false"})
        for name in COMPARED_REPORTS
        for sort in ("name", "-orders", "-previouschange", "-lastyear", "-change")
    }
    drills: dict[str, tuple[str, dict[str, Any]]] = {
        "drill: a department's lines of a month": (
            "OrderDetail",
            {"OwnDepartmentId": place, "Period": "last_month"},
        ),
        "drill: a person's lines of a year": ("OrderDetail", {"RequesterId": person}),
        "drill: a product's lines of a year": ("OrderDetail", {"ProductCode": "900000042"}),
        "drill: an order's lines": ("OrderDetail", {"OrderNo": "SB000000000042"}),
    }
    return {**pages, **sorts, **drills}


def measure() -> dict[str, float]:
    """Return the figures."""
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.common.testing import ApiClient
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        admin = create_people()
    with tenant_scope(group_id=admin.group_id or 0):
        grow_facts(admin)
        looks = get_looks()
    api, result = ApiClient(admin), {"facts": float(FACTS)}
    for what, (name, query) in looks.items():
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            answer = api.get(f"/api/Report/{name}", query)
            times.append(time.perf_counter() - began)
            if not answer.ok:
                raise SystemExit(answer.message)
        result[what] = round(sorted(times)[ROUNDS * 95 // 100 - 1], 3)
        result[f"{what}, the slowest"] = round(max(times), 3)
    return result | measure_exports(api, admin)


def measure_exports(api: Any, admin: Account) -> dict[str, float]:
    """Return rows, wall and processor seconds, and megabytes above idle of an export as the
    worker writes it.
    """
    from datetime import timedelta

    from django.utils import timezone

    from apps.common.tenancy import tenant_scope
    from apps.reports.models import ExportJob
    from apps.reports.services.export_run import export_run_handler
    from bench.books_measure import measure_peak

    until = timezone.localdate()
    days = {
        "Period": "custom",
        "From": str(until - timedelta(days=EXPORT_DAYS - 1)),
        "To": str(until),
    }
    answer = api.post(
        "/api/ExportJob", {"Report": "OrderDetail", "Filters": days}, key="bench-export-00000001"
    )
    if not answer.ok:
        raise SystemExit(answer.message)
    with tenant_scope(group_id=admin.group_id or 0):
        idle, began, spent = measure_peak(), time.perf_counter(), time.process_time()
        export_run_handler("", {"JobId": ExportJob.objects.get().pk})
        taken, worked, grown = (
            time.perf_counter() - began,
            time.process_time() - spent,
            measure_peak(forget=False) - idle,
        )
        job = ExportJob.objects.get()
    if job.state != "done":
        raise SystemExit(f"export: {job.state} {job.error}")
    return {
        "export: rows": job.rows_total,
        "export: seconds": taken,
        "export: processor": worked,
        "export: megabytes": grown / 1024,
    }


if __name__ == "__main__":
    print_measure(measure)
