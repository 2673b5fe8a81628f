"""选品场景 of the demo, the starting points of 一键选品."""

from __future__ import annotations

from decimal import Decimal

from apps.catalog.models import Category
from apps.selection.models import ScenarioKind, SelectionScenario
from demo.load.sheets import get_sheet, is_yes, split_codes


def load_scenarios() -> int:
    """Write the scenarios and their kinds. Return the number of scenarios."""
    categories = dict(Category.objects.filter(level=3).values_list("code", "pk"))
    scenarios = {}
    for row in get_sheet("catalogue/scenarios"):
        scenarios[row["编码"]] = SelectionScenario.objects.create(
            code=row["编码"],
            name=row["名称"],
            hint=row["说明"],
            heads_name=row["人数的叫法"],
            heads=int(row["默认人数"]),
            budget=Decimal(row["默认预算"]),
            position=int(row["排序"]),
        )
    for row in get_sheet("catalogue/scenario_kinds"):
        kind = ScenarioKind.objects.create(
            scenario=scenarios[row["场景"]],
            name=row["名称"],
            keyword=row["关键词"],
            avoid=row["排除词"],
            unit=row["计数单位"],
            per_head=Decimal(row["每人数量"]),
            fixed=int(row["另加固定数量"]),
            is_default=is_yes(row["默认选中"]),
            position=int(row["排序"]),
        )
        kind.categories.set([categories[code] for code in split_codes(row["三级类目"])])
    return len(scenarios)
