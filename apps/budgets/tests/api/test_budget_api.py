"""GET /api/Budget."""

from decimal import Decimal

import pytest

from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.common.testing import ApiClient
from apps.orders.tests.factories import FreightRegionFactory, place_order, settle_in
from apps.org.models import Account, Enterprise

pytestmark = pytest.mark.django_db


def test_a_budget_shows_its_four_figures(buyer: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1")

    row = ApiClient(buyer).get("/api/Budget").body["Items"][0]

    assert {
        key: row[key]
        for key in ("Amount", "Reserved", "Consumed", "Available", "Policy", "OwnerType")
    } == {
        "Amount": "1000.00",
        "Reserved": "300.00",
        "Consumed": "0.00",
        "Available": "700.00",
        "Policy": "block",
        "OwnerType": "enterprise",
    }


def test_the_ledger_names_the_order_and_the_person(buyer: Account, enterprise: Enterprise) -> None:
    settle_in(buyer)
    FreightRegionFactory()
    budget = make_budget(enterprise=enterprise)
    order = place_order(buyer)

    rows = ApiClient(buyer).get(f"/api/Budget/{budget.pk}/Entries").body["Items"]

    assert [(row["Kind"], row["Amount"], row["OrderNo"], row["By"]) for row in rows] == [
        ("reserve", str(order.total_amount), order.order_no, "小采"),
        ("allocate", "1000.00", "", "系统"),
    ]


def test_a_threshold_outside_the_amount_is_refused_in_words(
    ga: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)

    answer = ApiClient(ga).patch(f"/api/Budget/{budget.pk}", {"Thresholds": [0, 120]})

    words = ["预警线须在 1% 至 100% 之间"]
    assert answer.errors == {"Thresholds.0": words, "Thresholds.1": words}
