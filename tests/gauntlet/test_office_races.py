"""Two members of staff act on the same work or form at the same moment, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest
from django.test import Client

from apps.catalog.models import Brand
from apps.catalog.tests.factories import BrandFactory
from apps.common.models import Event, WorkOwner
from apps.common.owners import get_work_kind, work_give_back, work_take
from apps.common.tenancy import no_scope, platform_scope
from apps.orders.enums import OrderEventKind
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.search.models import HotKeyword
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
KIND = get_work_kind(Order)


def test_work_taken_by_many_at_once_is_one_persons(shopper: Account) -> None:
    """Each person is told exactly which work he has claimed."""
    orders = [place_order(shopper).pk for _ in range(3)]
    people = [create_staff("客服") for _ in range(10)]

    outcomes = run_race(
        [
            partial(work_take, staff=person, kind=KIND, ids=ids)
            for person in people
            for ids in (orders, orders[::-1])
        ]
    )

    rows = dict(WorkOwner.objects.filter(kind=KIND).values_list("object_id", "owner_id"))
    held = Counter(rows.values())
    assert sorted(rows) == orders
    texts_by_key = {
        person.pk: max(outcomes[2 * nth].value, outcomes[2 * nth + 1].value)
        for nth, person in enumerate(people)
    }
    assert texts_by_key == {person.pk: held[person.pk] for person in people}


def test_concurrent_give_back_and_take_leave_the_owner_that_the_results_report(
    shopper: Account,
) -> None:
    order, owner, other = place_order(shopper).pk, create_staff("客服"), create_staff("客服")
    work_take(staff=owner, kind=KIND, ids=[order])

    back, take = (
        partial(work_give_back, staff=owner, kind=KIND, ids=[order]),
        partial(work_take, staff=other, kind=KIND, ids=[order]),
    )
    given, taken = run_race([back, take])

    assert given.value == 1
    assert list(WorkOwner.objects.values_list("owner_id", flat=True)) == [other.pk] * taken.value


def test_an_order_confirmed_by_many_at_once_is_confirmed_once(shopper: Account) -> None:
    order, people = place_order(shopper), [create_staff("客服") for _ in range(10)]

    outcomes = run_race(
        [partial(order_confirm, actor=person, order_id=order.pk) for person in people]
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    with platform_scope(reason="test"):
        assert (
            Event.objects.filter(
                subject_type="orders.order", subject_id=order.pk, kind=OrderEventKind.CONFIRMED
            ).count()
            == 1
        )


def save(client: Client, path: str, form: dict[str, Any]) -> int:
    with no_scope():
        return client.post(path, form).status_code


def test_one_of_eight_concurrent_saves_of_a_form_wins(platform: None) -> None:
    """Without the lock both would read the old row, and the later save would overwrite the
    earlier one unnoticed.
    """
    brand = BrandFactory(name="得力")
    path = f"/admin/catalog/brand/{brand.pk}/change/"
    people = [open_office(create_staff("商品")) for _ in range(8)]
    with no_scope():
        form = people[0].get(path).context
    expected = {**form["adminform"].form.initial, "seen": form["seen"]}
    fields = {name: "" if value is None else value for name, value in expected.items()}

    outcomes = run_race(
        [
            partial(save, person, path, {**fields, "name": f"得力 {nth}"})
            for nth, person in enumerate(people)
        ]
    )

    assert Counter(outcome.value for outcome in outcomes) == {302: 1, 200: 7}
    winner = [outcome.value for outcome in outcomes].index(302)
    assert Brand.objects.get(pk=brand.pk).name == f"得力 {winner}"


def test_one_of_eight_concurrent_inserts_of_the_same_keyword_wins(
    platform: None,
) -> None:
    """All of them see the word as free; the table accepts one."""
    people = [open_office(create_staff("商品")) for _ in range(8)]
    fields = {"keyword": "中性笔", "kind": "pinned", "position": "1", "is_active": "on"}

    outcomes = run_race(
        [partial(save, person, "/admin/search/hotkeyword/add/", fields) for person in people]
    )

    assert Counter(outcome.value for outcome in outcomes) == {302: 1, 200: 7}
    assert HotKeyword.objects.count() == 1
