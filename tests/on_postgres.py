"""Run the back-end tests whose result the database can change: python -m tests.on_postgres
[PYTEST OPTION]….

All tests run on SQLite. `make test-postgres` repeats those that depend on the database: other SQL,
locks, constraints, column ranges, row order. Forms, parsing, the solver of the shopping lists,
texts, sheets, PDFs and routing are pure Python, and the ORM writes equal simple statements for both
databases. A new file in one of these folders is included automatically.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ON_POSTGRES: dict[str, tuple[str, ...]] = {
    "services write under locks and constraints, upsert, and work through batches": (
        "apps/*/tests/services",
    ),
    "selectors sum, rank and group many rows, by dates and JSON": (
        "apps/*/tests/selectors",
        "apps/reports/tests/test_agreement.py",
        "apps/reports/tests/test_budget_agreement.py",
        "apps/reports/tests/api/test_dimension_report.py",
        "apps/reports/tests/api/test_reports.py",
        "apps/reports/tests/api/test_sorting.py",
        "apps/orders/tests/api/test_orders.py",
        "apps/orders/tests/api/test_ranking.py",
    ),
    "the search has its own SQL, and so have compiled queries": (
        "apps/common/tests/test_compiled_queries.py",
        "apps/search/tests/engine",
        "apps/search/tests/api",
        "apps/selection/tests/api",
        "apps/inquiries/tests/api",
        "apps/assistant/tests/embedded",
    ),
    "properties hold over many random steps": (
        "apps/*/tests/test_*walk.py",
        "apps/orders/tests/test_amend_property.py",
        "tests/test_*books*.py",
    ),
    "processes share tables: outbox, queues, counters, tenants, migrations": (
        "apps/common/tests/test_*migration*.py",
        "apps/common/tests/test_limit*.py",
        "apps/common/tests/test_outbox.py",
        "apps/common/tests/test_periodic.py",
        "apps/common/tests/test_postgres.py",
        "apps/common/tests/test_queues.py",
        "apps/common/tests/test_races.py",
        "apps/common/tests/test_tenancy.py",
        "demo/load/tests/test_load_demo.py",
    ),
    "a column refuses other values: NUL, long numbers, long texts": (
        "tests/contracts/test_bad_input.py::test_no_field_breaks_it",
        "tests/contracts/test_bad_input.py::test_no_query_breaks_it",
        "tests/contracts/test_bad_input.py::test_no_address_breaks_it",
        "tests/contracts/test_office_bad_input.py",
        "tests/contracts/test_office_numbers.py",
        "apps/org/tests/api/test_address.py",
    ),
    "lists are sorted, searched and narrowed, and forms saved under a lock": (
        "tests/contracts/test_office_lists.py",
        "tests/contracts/test_stale_forms.py",
    ),
}


def list_paths() -> list[str]:
    """Return the paths for pytest, relative to the project's root.

    Raises:
        LookupError: a pattern matches no file.
    """
    rows: list[str] = []
    for patterns in ON_POSTGRES.values():
        for pattern in patterns:
            file, *test = pattern.split("::")
            matches = sorted(ROOT.glob(file))
            if not matches:
                raise LookupError(pattern)
            rows += ["::".join([str(match.relative_to(ROOT)), *test]) for match in matches]
    return rows


if __name__ == "__main__":
    sys.exit(pytest.main([*sys.argv[1:], *list_paths()]))
