"""Tests of 月结信用 (credit limits) in the back office."""

from __future__ import annotations

from decimal import Decimal

from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.tenancy import no_scope
from apps.orders.tests.factories import place_order
from apps.org.models import Account, Enterprise
from apps.org.tests.factories import EnterpriseFactory
from apps.org.tests.office import open_office


def test_credit_account_list_shows_open_amounts_with_a_constant_query_count(
    shopper: Account, staff: Account
) -> None:
    place_order(shopper)
    office, counts = open_office(staff), []
    for _ in range(2):
        with no_scope(), CaptureQueriesContext(connection) as queries:
            page = office.get("/admin/orders/creditaccount/").content.decode()
        counts.append(len(queries))
        EnterpriseFactory(group=shopper.group, credit_limit=Decimal("5.00"))
    assert "¥20.00" in page
    assert "¥999,980.00" in page
    assert counts[0] == counts[1]


def test_credit_form_changes_limit_policy_and_days(shopper: Account, staff: Account) -> None:
    with no_scope():
        answer = open_office(staff).post(
            f"/admin/orders/creditaccount/{shopper.enterprise_id}/credit/",
            {
                "act": "1",
                "limit": "80.00",
                "policy": "approve",
                "days": "60",
                "reason": "年度重新授信",
            },
        )
    assert answer.status_code == 302
    assert Enterprise.objects.values_list("credit_limit", "credit_policy", "credit_days").get() == (
        Decimal("80.00"),
        "approve",
        60,
    )
