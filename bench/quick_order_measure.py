"""What bench_quick_order times, in a process of its own on the database that DATABASE_URL names; prints JSON."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apps.org.models import Account

ROUNDS = 7
# Codes of nobody, and of the clones by which the catalogue is grown, most of which the buyer may not see.
UNKNOWN = {"unknown": 900_000_000, "cloned": 300_000_000}


def median(call: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Return the call's median milliseconds, the first time not counted."""
    taken = []
    for number in range(rounds + 1):
        began = time.perf_counter()
        call()
        if number:
            taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def processor(call: Callable[[], Any]) -> float:
    """Return the milliseconds of this process's own processor time: what other load on the machine does not stretch."""
    began = time.process_time()
    for _ in range(ROUNDS):
        call()
    return (time.process_time() - began) * 1000 / ROUNDS


def written(codes: list[str], names: list[str], count: int) -> str:
    """Return so many lines: nine in ten a code in one of four shapes, one a name that fits nothing exactly."""
    shapes = ("{}\t{}", "{} x{}", "{1}盒 {0}", "{},{}")
    lines = []
    for number in range(count):
        if number % 10 == 9:
            lines.append(f"{names[number % len(names)]} {1 + number % 7}个")
        else:
            lines.append(shapes[number % 4].format(codes[number % len(codes)], 1 + number % 7))
    return "\n".join(lines)


def whole(buyer: Account, text: str) -> str:
    """Return the answer to the lines of the text, as it is sent."""
    from apps.cart.api.quick_rows import QuickOrderSerializer
    from apps.cart.parsing import read_text
    from apps.cart.selectors.quick_order import quick_order

    return json.dumps(QuickOrderSerializer.answer(quick_order(actor=buyer, lines=read_text(text))))


def noted(buyer: Account, text: str) -> list[tuple[str, Any]]:
    """Return the statements that the answer needs, with their values."""
    from django.db import connection

    statements: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        whole(buyer, text)
    return statements


def bare(statements: list[tuple[str, Any]]) -> None:
    """Run the statements alone."""
    from django.db import connection

    with connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(sql, params)
            cursor.fetchall()


def measure() -> dict[str, float]:
    """Return milliseconds and numbers of queries by what was measured."""
    from apps.cart.parsing import read_text
    from apps.catalog.models import Product
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.org.models import Account

    with platform_scope(reason="bench"):
        buyer = Account.objects.select_related("group", "enterprise").get(username="buyer")
    products = list(Product.objects.filter(status="on").order_by("pk").values_list("code", "name")[:2000])
    codes, names = [code for code, _ in products], [name.split(" ", 2)[-1] for _, name in products]
    texts = {count: written(codes, names, count) for count in (1000, 10_000)}
    # Of the thousand, since some of them fit only in part, which one statement more is asked for: so it is for these.
    hundred = "\n".join(texts[1000].splitlines()[500:600])
    unknown = {kind: "\n".join(f"{first + n} {1 + n % 7}" for n in range(1000)) for kind, first in UNKNOWN.items()}
    all_names = "\n".join(f"{name} 2个" for name in list(dict.fromkeys(names))[:1000])

    answer = partial(whole, buyer)
    with tenant_scope(group_id=buyer.group_id):
        answer(texts[1000])
        statements = noted(buyer, texts[1000])
        return {
            "mixed": median(lambda: answer(texts[1000])),
            "processor": processor(lambda: answer(texts[1000])),
            "parse": median(lambda: read_text(texts[1000])),
            "bare": median(lambda: bare(statements)),
            **{kind: median(partial(answer, text), 3) for kind, text in unknown.items()},
            "names": median(lambda: answer(all_names), 3),
            "lines 10000": median(lambda: answer(texts[10_000]), 3),
            "queries 100": float(len(noted(buyer, hundred))),
            "queries 1000": float(len(noted(buyer, texts[1000]))),
        }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.dev")
    import django

    django.setup()
    sys.stdout.write(f"{json.dumps(measure())}\n")
