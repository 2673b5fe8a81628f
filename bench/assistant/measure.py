"""Ask the embedded assistant every judged question, on the database in DATABASE_URL; prints JSON.
Nothing is stored.

Of the held-out questions only the rates are printed, never a single question.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from bench.scale import size

ASKED = size(1_000_000, 12)
Places = dict[str, str]


def find_places() -> Places:
    """Return the order numbers that stand for {name} in the questions: the buyer's newest order,
    newest order with a parcel, newest in approval, an invoiced one, and one of another group.
    """
    from apps.orders.models import Order

    orders = Order.objects.order_by("-submitted_at", "-id")
    own = orders.filter(requester__username="buyer")
    results = {
        "latest": own,
        "shipped": own.filter(status="pending_receipt"),
        "approving": own.filter(status="pending_approval"),
        "invoiced": own.filter(invoicing_status="done"),
        "foreign": orders.exclude(group__code="XL"),
    }
    return {name: rows.values_list("order_no", flat=True)[0] for name, rows in results.items()}


def answered(actor: Any, turns: list[Any], text: str) -> Any:
    """Return the turn of one answer."""
    from apps.assistant.answers import Turn
    from apps.assistant.embedded.answer import embedded_answer

    turn = Turn(text)
    for event in embedded_answer(actor=actor, turns=turns, text=text):
        turn.take(event)
    return turn


def ask(
    case: Any, places: Places, give: Callable[[Any, list[Any], str], Any]
) -> tuple[str, float, Any]:
    """Return the verdict, the milliseconds of the last answer, and its turn."""
    from dataclasses import replace

    from apps.cart.models import CartItem
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.org.models import Account
    from bench.assistant.judge import Answer, judge

    with platform_scope(reason="bench"):
        actor = Account.objects.select_related("enterprise", "department", "group").get(
            username=case.person
        )
    with tenant_scope(group_id=actor.group_id or 0):
        cart = dict(CartItem.objects.filter(account=actor).values_list("product_id", "quantity"))
        turns: list[Any] = []
        for text in case.turns:
            began = time.perf_counter()
            turns.append(give(actor, turns, text.format(**places)))
            taken = (time.perf_counter() - began) * 1000
        parts = tuple(
            tuple(
                replace(
                    one, slots={key: value.format(**places) for key, value in one.slots.items()}
                )
                for one in part
            )
            for part in case.parts
        )
        answer = Answer(actor, turns, cart, has_parts=len(parts) > 1)
        return judge(answer, parts), taken, turns[-1]


def measured() -> dict[str, Any]:
    """Return the verdicts by part and class, the failures of the tuning part, and the times."""
    from apps.common.tenancy import platform_scope
    from bench.assistant.cases import read_cases

    with platform_scope(reason="bench"):
        places = find_places()
    verdicts: Counter[str] = Counter()
    missed, times = [], []
    for case in read_cases()[:ASKED]:
        verdict, taken, turn = ask(case, places, answered)
        verdicts[f"{case.part} {case.kind} {verdict}"] += 1
        times.append(taken)
        if verdict != "right" and not case.is_held_out:
            missed.append(
                {
                    "verdict": verdict,
                    "class": case.kind,
                    "row": case.number,
                    "ask": f"{case.person}: {' ⏎ '.join(case.turns)}",
                    "tools": turn.tools,
                    "text": turn.text[:300],
                    "codes": turn.codes,
                    "proposed": turn.proposed,
                }
            )
    times.sort()
    return {
        "verdicts": verdicts,
        "missed": missed,
        "p50": statistics.median(times),
        "p95": times[int(len(times) * 0.95)],
    }


def main() -> None:
    """Measure in one transaction and roll it back."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
    from django.db import transaction

    with transaction.atomic():
        result = measured()
        transaction.set_rollback(True)
    print(json.dumps(result, ensure_ascii=False), file=sys.stdout)


if __name__ == "__main__":
    main()
