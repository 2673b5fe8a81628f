"""Ask the embedded assistant every question, on the database in DATABASE_URL; prints JSON.
Nothing is stored.

For held-out questions only the rate is printed, never a single question.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import time
from typing import Any

from bench.scale import size

ASKED = size(1_000_000, 12)
PLACE = re.compile(r"\{order (\S+) (\S+)\}")


def ask(question: Any) -> tuple[bool, list[str], float]:
    """Return whether the right tool ran, the missing facts, and the milliseconds of the last
    answer.
    """
    from apps.cart.models import CartItem
    from apps.common.tenancy import platform_scope, tenant_scope
    from apps.org.models import Account
    from bench.assistant.facts import Case, holds

    with platform_scope(reason="bench"):
        actor = Account.objects.select_related("enterprise", "department", "group").get(
            username=question.account
        )
        texts = [PLACE.sub(order_no, text) for text in (*question.before, question.ask)]
    with tenant_scope(group_id=actor.group_id or 0):
        cart = dict(CartItem.objects.filter(account=actor).values_list("product_id", "quantity"))
        turns: list[Any] = []
        for text in texts:
            began = time.perf_counter()
            turns.append(answered(actor, turns, text))
            taken = (time.perf_counter() - began) * 1000
        case = Case(actor, turns[-1], turns[-2] if len(turns) > 1 else None, cart)
        missing = [fact for fact in question.facts if not safely(holds, case, fact)]
    return right_tool(question.tools, turns[-1].tools), missing, taken


def answered(actor: Any, turns: list[Any], text: str) -> Any:
    """Return the turn of one answer."""
    from apps.assistant.answers import Turn
    from apps.assistant.embedded.answer import embedded_answer

    turn = Turn(text)
    for event in embedded_answer(actor=actor, turns=turns, text=text):
        turn.take(event)
    return turn


def right_tool(expected: tuple[str, ...], ran: list[str]) -> bool:
    """Whether one of the expected tools ran, or none if none was expected."""
    return not ran if expected == ("none",) else any(tool in expected for tool in ran)


def safely(holds: Any, case: Any, fact: str) -> bool:
    """Return False instead of raising if the previous answer has too few cards."""
    try:
        return bool(holds(case, fact))
    except (IndexError, KeyError, StopIteration):
        return False


def order_no(found: re.Match[str]) -> str:
    """Return the number of an account's newest order in a state; `latest` means any state."""
    from apps.orders.models import Order

    orders = Order.objects.filter(requester__username=found[1])
    wanted = orders if found[2] == "latest" else orders.filter(status=found[2])
    return str(wanted.order_by("-submitted_at", "-id").values_list("order_no", flat=True)[0])


def measured() -> dict[str, Any]:
    """Return the rates of both parts, the failures of the tuning part, and the times."""
    from bench.assistant.questions import questions

    parts = {name: {"asked": 0, "right": 0, "tool": 0} for name in ("open", "held")}
    missed, times = [], []
    for question in questions()[:ASKED]:
        tool, missing, taken = ask(question)
        part = parts["held" if question.is_held_out else "open"]
        part["asked"] += 1
        part["tool"] += tool
        part["right"] += tool and not missing
        times.append(taken)
        if not question.is_held_out and not (tool and not missing):
            missed.append(
                {
                    "id": question.id,
                    "ask": question.ask,
                    "why": "; ".join([*([] if tool else ["tool"]), *missing]),
                }
            )
    times.sort()
    return {
        **parts,
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
        found = measured()
        transaction.set_rollback(True)
    print(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    main()
