"""The measurements of bench_office. Runs in its own process on the demo's database in
DATABASE_URL; prints JSON in ms.

BENCH_ROWS=20000 for fewer rows.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.in_process import print_measure
from bench.office_grow import grow_all
from bench.orders_measure import measure_p50

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

ROUNDS = 5
WORD = "SO26"


def long_pages() -> list[type[Model]]:
    """Return the models whose lists grow with use."""
    from django.contrib import admin

    from tests.contracts.test_office_lists import SHORT

    return [model for model in admin.site._registry if model._meta.label not in SHORT]


def looks(client: Client, model: type[Model]) -> dict[str, float]:
    """Return the milliseconds of the model's first page and of searches for a number, a Chinese
    word, and a missing word.
    """
    from django.urls import reverse

    label = f"{model._meta.app_label}.{model._meta.object_name}"
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    body = {
        "": {},
        " · search": {"q": WORD},
        " · search for a word": {"q": "办公"},
        " · search for nothing": {"q": "没有这样的东西"},
    }
    return {
        f"{label}{name}": measure_p50(partial(_opened, client, address, query), rounds=ROUNDS)
        for name, query in body.items()
    }


def _opened(client: Client, address: str, query: dict[str, str]) -> None:
    answer = client.get(address, query, follow=True)
    if answer.status_code != 200:
        raise SystemExit(f"{address} {query}: {answer.status_code}")


def measure() -> dict[str, float]:
    """Fill the tables of all lists, then measure each list."""
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.tests.factories import StaffFactory
    from apps.org.tests.office import open_office
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        rows = grow_all(long_pages())
        client = open_office(StaffFactory(is_superuser=True))
    results: dict[str, float] = {"empty": measure_p50(partial(client.get, "/livez"), rounds=ROUNDS)}
    for model, number in rows.items():
        results |= {f"{name}|{number}": taken for name, taken in looks(client, model).items()}
    return results


if __name__ == "__main__":
    print_measure(measure, in_place=True)
