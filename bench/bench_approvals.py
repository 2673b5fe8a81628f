"""Speed of approvals: boxes, 审批时效 and 工作台 with 50,000 approvals and 7,000 budgets, and a
group with 150 rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

TITLES = {
    "todo": "待我审批 of an approver with 300",
    "done": "我已审批 of an approver with 5,000",
    "mine": "我发起的 of a requester with 1,000",
    "keyword": "我已审批 by a keyword",
    "waiting": "审批时效 of the group",
    "scope": "审批时效 of a department's keeper",
    "rules": "list of 150 rules, 20 a page",
    "whole": "list of 150 rules, 100 a page",
    "late": "我发起的, only what is overdue",
    "budgets": "预算余额 of the group, 7,000 budgets",
    "workbench": "工作台 of the group's admin",
    "workbench_head": "工作台 of an approver",
}
# No lists: what they ask in one call is counted where they are tested.
NO_LIST = ("workbench", "workbench_head")


@benchmark("approvals")
def approvals() -> Iterable[Figure]:
    """Measure in one process on a new database of the kind in DATABASE_URL. Query counts
    include authentication.
    """
    result = run_measure("bench.approvals_measure")
    yield Figure("a view that does nothing, p50", result["empty"], "ms")
    for name, title in TITLES.items():
        # A page of a hundred is not what the screen asks for: a figure without a gate.
        yield (
            Figure(f"{title}, p50", result[name], "ms")
            if name == "whole"
            else at_most(f"{title}, p50", result[name], 100, "ms")
        )
        yield Figure(f"{title} ÷ empty view", result[name] / result["empty"], "×")
        number = result[f"{name} queries"]
        yield (
            Figure(f"{title}, queries", number, "")
            if name in NO_LIST
            else at_most(f"{title}, queries", number, 8, "")
        )
    yield Figure("one turn of the reminding job, nothing due", result["job"], "ms")
