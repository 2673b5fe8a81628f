"""A back-office address without its final slash redirects to the address with it; other
addresses do not.
"""

from __future__ import annotations

import pytest
from django.test import Client

from apps.org.models import Account
from apps.org.tests.office import open_office

pytestmark = pytest.mark.django_db
LIST = "/admin/org/group"


@pytest.mark.parametrize(
    "path", ["/admin", LIST, f"{LIST}/7/change", f"{LIST}/add", "/admin/login"]
)
def test_an_address_without_its_last_slash_leads_on(staff: Account, path: str) -> None:
    answer = open_office(staff).get(path, {"q": "文采"})

    assert (answer.status_code, answer.headers["Location"]) == (
        301,
        f"{path}/?q=%E6%96%87%E9%87%87",
    )


@pytest.mark.parametrize("path", ["/admin/nothing", "/admin/org/nothing", "/admin//evil.example"])
def test_an_address_that_leads_nowhere_stays_a_404(staff: Account, path: str) -> None:
    assert open_office(staff).get(path).status_code == 404


def test_unsafe_methods_without_a_slash_answer_404(staff: Account) -> None:
    office = open_office(staff)

    assert [getattr(office, verb)(LIST).status_code for verb in ("post", "put", "delete")] == [
        404,
        404,
        404,
    ]


def test_a_visitor_learns_of_no_page(db: None) -> None:
    answers = [Client().get(path) for path in (LIST, "/admin/org/nothing")]

    assert [answer.headers["Location"].partition("?")[0] for answer in answers] == [
        "/admin/login/",
        "/admin/login/",
    ]


@pytest.mark.parametrize("path", ["/api/Order/", "/userCenter/"])
def test_outside_the_back_office_no_slash_is_put_or_taken(client: Client, path: str) -> None:
    assert client.get(path).status_code not in (301, 302)
    assert client.get(path.rstrip("/")).status_code not in (301, 302)
