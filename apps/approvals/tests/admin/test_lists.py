"""The number of queries of the lists does not depend on the number of rows."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.approvals.enums import ApproverKind
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.catalog.tests.factories import CategoryFactory
from apps.common.tenancy import no_scope
from apps.common.testing.database import assert_queries
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

HEAD = StepSpec(approver_kind=ApproverKind.HEAD)


@pytest.fixture
def service(db: None) -> Client:
    return open_office(create_staff("客服"))


def open_list(service: Client, model: str, expected: int) -> str:
    """Return the page of the list and assert its number of queries."""
    with no_scope():
        service.get("/admin/")  # what a first look keeps in the process is read
        with assert_queries(expected):
            return service.get(f"/admin/approvals/{model}/").content.decode()


@pytest.mark.parametrize("number", [1, 5])
def test_rule_list_shows_category_names_and_shortens_them_from_five_on(
    service: Client, ga: Account, number: int
) -> None:
    categories = CategoryFactory.create_batch(5)
    for place in range(number):
        ids = [category.pk for category in categories[: place + 1]]
        create_rule(
            group_id=ga.group_id,
            name=f"规则{place}",
            conditions=[{"kind": "category", "value": ids}],
            steps=[HEAD],
        )
    text = open_list(service, "approvalrule", 8)
    assert f"：{categories[0].name}" in text
    assert ("、".join(category.name for category in categories[:3]) + " 等 5 项" in text) == (
        number == 5
    )


@pytest.mark.parametrize("number", [1, 5])
def test_approval_list_is_newest_first_with_a_constant_query_count(
    service: Client, ga: Account, number: int
) -> None:
    register_recorder()
    create_rule(group_id=ga.group_id, name="全部", conditions=[], steps=[HEAD])
    for place in range(number):
        start(ga, subject_id=10 + place)
    text = open_list(service, "approval", 8)
    places = [text.index(f">SO{10 + place}<") for place in range(number)]
    assert places == sorted(places, reverse=True)
