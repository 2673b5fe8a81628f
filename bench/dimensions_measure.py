"""The measurements of bench_dimensions. Runs in its own process on its own database; prints
JSON.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.books_measure import measure_peak
from bench.in_process import print_measure
from bench.scale import size

if TYPE_CHECKING:
    from apps.org.models import Account

ROWS = size(10_000, 50, "BENCH_DIMENSIONS")
DEPARTMENTS = 20


def sheet(admin: Account, *, name: str) -> io.BytesIO:
    """Return a sheet of cost centres. The first ones are defaults of departments. Of the others,
    every second names two departments.
    """
    from apps.dimensions.services.dimension_import import COLUMNS
    from apps.documents.excel import write_xlsx
    from apps.org.models import Department

    rows = Department.objects.order_by("pk").values_list("enterprise__code", "code")
    places = [f"{enterprise}/{code}" for enterprise, code in rows]
    file = io.BytesIO()
    cells = (
        (
            "成本中心",
            f"CC-{number:05d}",
            f"{name}{number}",
            admin.username,
            "2026-01-01",
            "2027-12-31",
            "",
            "、".join(places[number % 5 : number % 5 + 2])
            if number % 2 and number >= len(places)
            else "",
            places[number] if number < len(places) else "",
        )
        for number in range(ROWS)
    )
    write_xlsx(file, header=tuple(COLUMNS), rows=cells)
    file.seek(0)
    file.name = "dimensions.xlsx"
    return file


def timed(what: str, work: Callable[[], Any]) -> dict[str, float]:
    """Return seconds and megabytes above idle of the work, by name."""
    idle = measure_peak()
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    return {what: seconds, f"{what}, memory above idle": (measure_peak(forget=False) - idle) / 1024}


def measure() -> dict[str, float]:
    """Return seconds and megabytes of the sheet in and out, and the number of rows written."""
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.common.testing import ApiClient
    from apps.dimensions.models import Dimension
    from apps.dimensions.services.dimension_import import dimensions_preview
    from apps.org.enums import AccountType
    from apps.org.tests.factories import AccountFactory, DepartmentFactory
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        top = DepartmentFactory(code="TOP")
        for number in range(DEPARTMENTS):
            DepartmentFactory(enterprise=top.enterprise, parent=top, code=f"D{number}")
        admin = AccountFactory(department=top, kind=AccountType.GROUP_ADMIN)
    with tenant_scope(group_id=admin.group_id):
        new, changed = sheet(admin, name="中心"), sheet(admin, name="新中心")
        result = timed("preview of new rows", partial(dimensions_preview, actor=admin, file=new))
        new.seek(0)
        result |= timed("create", partial(_import, admin, new))
        result |= timed("change of every name", partial(_import, admin, changed))
        changed.seek(0)
        result |= timed(
            "preview without changes", partial(dimensions_preview, actor=admin, file=changed)
        )
        result["rows"] = Dimension.objects.count()
    result |= timed("export", partial(ApiClient(admin).get, "/api/Dimension/Export"))
    return result


def _import(admin: Account, file: io.BytesIO) -> None:
    """Confirm the sheet, and write the rows that the request left to the background job."""
    from apps.common.services.import_run import import_run_work
    from apps.dimensions.services.dimension_import import dimensions_import

    run = dimensions_import(actor=admin, file=file)
    import_run_work(run_id=run.pk)


if __name__ == "__main__":
    print_measure(measure)
