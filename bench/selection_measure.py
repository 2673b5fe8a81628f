"""The measurements of bench_selection. Runs in its own process on the database in DATABASE_URL;
prints JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from typing import Any

from bench.scale import size

LINES = (
    "黑色中性笔 {n}支",
    "A5 笔记本 {n}本",
    "保温杯 {n}个 60元以内",
    "A4 复印纸 70g {n}箱",
    "石墨烯{n} 3个",
    "防水背包 {n}个",
)
ROUNDS, WARM_UPS = size(5, 1), size(1, 0)


def taken(client: Any, body: dict[str, Any]) -> list[float]:
    """Return the milliseconds of each round without the first."""
    rows = []
    for number in range(-WARM_UPS, ROUNDS):
        began = time.perf_counter()
        answer = client.post("/api/Product/Select", body)
        if not answer.ok:
            raise RuntimeError(answer.message)
        if number >= 0:
            rows.append((time.perf_counter() - began) * 1000)
    return rows


def measure() -> dict[str, float]:
    """Return milliseconds by request."""
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.models import Account
    from apps.selection.models import SelectionScenario
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        client = ApiClient(Account.objects.get(username="buyer"))
        scenarios = list(SelectionScenario.objects.all())
    figures = {}
    for scenario in scenarios:
        query = {"Code": scenario.code, "HeadCount": scenario.heads, "Budget": str(scenario.budget)}
        figures[scenario.code] = max(taken(client, {"Scenario": query}))
    crowd = {"Code": "onboarding", "HeadCount": 100_000, "Budget": "100000000"}
    figures["100,000 people"] = max(taken(client, {"Scenario": crowd}))
    for count in (10, 100):
        text = "\n".join(LINES[n % len(LINES)].format(n=n + 1) for n in range(count))
        figures[f"{count} lines"] = statistics.median(taken(client, {"Text": text}))
    return figures


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "mall.settings.test"
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    setup_test_environment()
    print(json.dumps(measure()))
