"""The measurements of bench_quick_order. Runs in its own process on the database in
DATABASE_URL; prints JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.scale import size

if TYPE_CHECKING:
    from apps.org.models import Account

ROUNDS, FEW_ROUNDS = size(7, 1), size(3, 1)
# A thousand lines, a tenth of them, and ten thousand.
LINES, SOME, MANY = size(1000, 50), size(100, 10), size(10_000, 100)
# Codes of nobody, and of the clones by which the catalogue is grown, most of which the buyer may
# not see.
UNKNOWN = {"unknown": 900_000_000, "cloned": 300_000_000}


def measure_median(call: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Return the call's median milliseconds without the first call."""
    taken = []
    for number in range(rounds + 1):
        began = time.perf_counter()
        call()
        if number:
            taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def measure_cpu_ms(call: Callable[[], Any]) -> float:
    """Return the average CPU milliseconds per call over ROUNDS calls. Other load does not change
    the figure.
    """
    began = time.process_time()
    for _ in range(ROUNDS):
        call()
    return (time.process_time() - began) * 1000 / ROUNDS


def written(codes: list[str], names: list[str], count: int) -> str:
    """Return lines of text: nine in ten have a code in one of four shapes, one has a name
    without an exact match.
    """
    shapes = ("{}\t{}", "{} x{}", "{1}盒 {0}", "{},{}")
    lines = []
    for number in range(count):
        if number % 10 == 9:
            lines.append(f"{names[number % len(names)]} {1 + number % 7}个")
        else:
            lines.append(shapes[number % 4].format(codes[number % len(codes)], 1 + number % 7))
    return "\n".join(lines)


def whole(buyer: Account, text: str) -> str:
    """Return the complete answer to the text."""
    from apps.cart.api.quick_serializers import QuickOrderSerializer
    from apps.cart.parsing import read_text
    from apps.cart.selectors.quick_order import get_quick_order

    return json.dumps(
        QuickOrderSerializer.answer(get_quick_order(actor=buyer, lines=read_text(text)))
    )


def capture_queries(buyer: Account, text: str) -> list[tuple[str, Any]]:
    """Return the statements of the answer with their parameters."""
    from django.db import connection

    statements: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        whole(buyer, text)
    return statements


def bare(statements: list[tuple[str, Any]]) -> None:
    """Run only the statements."""
    from django.db import connection

    with connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(sql, params)
            cursor.fetchall()


def measure() -> dict[str, float]:
    """Return milliseconds and query counts by measurement."""
    from apps.cart.parsing import read_text
    from apps.catalog.models import Product
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.org.models import Account

    with platform_scope(reason="bench"):
        buyer = Account.objects.select_related("group", "enterprise").get(username="buyer")
    products = list(
        Product.objects.filter(status="on").order_by("pk").values_list("code", "name")[:2000]
    )
    codes, names = [code for code, _ in products], [name.split(" ", 2)[-1] for _, name in products]
    texts = {count: written(codes, names, count) for count in (LINES, MANY)}
    # Of the thousand, since some of them fit only in part, which one statement more is asked for:
    # so it is for these.
    hundred = "\n".join(texts[LINES].splitlines()[LINES // 2 : LINES // 2 + SOME])
    unknown = {
        kind: "\n".join(f"{first + n} {1 + n % 7}" for n in range(LINES))
        for kind, first in UNKNOWN.items()
    }
    all_names = "\n".join(f"{name} 2个" for name in list(dict.fromkeys(names))[:LINES])

    answer = partial(whole, buyer)
    with tenant_scope(group_id=buyer.group_id):
        answer(texts[LINES])
        statements = capture_queries(buyer, texts[LINES])
        return {
            "mixed": measure_median(lambda: answer(texts[LINES])),
            "processor": measure_cpu_ms(lambda: answer(texts[LINES])),
            "parse": measure_median(lambda: read_text(texts[LINES])),
            "bare": measure_median(lambda: bare(statements)),
            **{
                kind: measure_median(partial(answer, text), FEW_ROUNDS)
                for kind, text in unknown.items()
            },
            "names": measure_median(lambda: answer(all_names), FEW_ROUNDS),
            "lines 10000": measure_median(lambda: answer(texts[MANY]), FEW_ROUNDS),
            "queries 100": float(len(capture_queries(buyer, hundred))),
            "queries 1000": float(len(capture_queries(buyer, texts[LINES]))),
        }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.dev")
    import django

    django.setup()
    sys.stdout.write(f"{json.dumps(measure())}\n")
