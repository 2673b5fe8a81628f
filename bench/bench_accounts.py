"""Speed of 账号管理 with 10,000 people: each list compared with an empty view and with the bare SQL
of the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

TITLES = {
    "list": "list of the group",
    "keyword": "list by a keyword",
    "department": "list of a department head, by a department",
    "roles": "list of roles",
}


@benchmark("accounts")
def accounts() -> Iterable[Figure]:
    """Measure in one process on a new database of the kind in DATABASE_URL. Query counts
    include authentication.
    """
    result = run_measure("bench.accounts_measure")
    yield Figure("a view that does nothing, p50", result["empty"], "ms")
    yield Figure("bare SQL of the group's list, p50", result["sql"], "ms")
    yield Figure("list of the group ÷ bare SQL", result["list"] / result["sql"], "×")
    for name, title in TITLES.items():
        yield at_most(f"{title}, p50", result[name], 100, "ms")
        yield Figure(f"{title} ÷ empty view", result[name] / result["empty"], "×")
        yield at_most(f"{title}, queries", result[f"{name} queries"], 8, "")
    yield Figure("5,000 rows imported", result["import"], "s")
