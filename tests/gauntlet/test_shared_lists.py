"""Shared lists (采购清单) with people who act at the same moment, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.cart.models import QuickList, QuickListMember
from apps.cart.services.quick_list_save import quick_list_create, quick_list_update
from apps.cart.services.quick_list_share import (
    MAX_MEMBERS,
    quick_list_leave,
    quick_list_share,
    quick_list_take_over,
)
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.race import Work, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def quick_list(buyer: Account) -> QuickList:
    return quick_list_create(actor=buyer, name="前台补货", quantities={"110001": 10})


def create_colleagues(buyer: Account, number: int) -> list[Account]:
    colleagues: list[Account] = AccountFactory.create_batch(number, department=buyer.department)
    return colleagues


def test_one_of_ten_concurrent_list_edits_wins_and_the_others_are_stale(
    buyer: Account, quick_list: QuickList
) -> None:
    editors = create_colleagues(buyer, 9)
    quick_list_share(
        actor=buyer, pk=quick_list.pk, rights={editor.pk: "edit" for editor in editors}
    )
    people = [buyer, *editors]

    outcomes = run_race(
        [
            partial(
                quick_list_update,
                actor=person,
                pk=quick_list.pk,
                quantities={"110001": quantity},
                version_seen=1,
            )
            for quantity, person in enumerate(people, start=11)
        ]
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "stale": 9}
    winner = next(number for number, outcome in enumerate(outcomes) if outcome.ok)
    quick_list.refresh_from_db()
    assert (quick_list.version, quick_list.changed_by) == (2, people[winner])
    assert [line["quantity"] for line in quick_list.lines] == [11 + winner]


def test_many_shares_and_leaves_at_once_keep_the_limit_and_the_number(
    buyer: Account, quick_list: QuickList
) -> None:
    colleagues = create_colleagues(buyer, 2 * MAX_MEMBERS)
    halves = [
        {colleague.pk: "view" for colleague in half}
        for half in (colleagues[:MAX_MEMBERS], colleagues[MAX_MEMBERS:])
    ]
    quick_list_share(actor=buyer, pk=quick_list.pk, rights=halves[0])
    works: list[Work] = [
        partial(quick_list_share, actor=buyer, pk=quick_list.pk, rights=half) for half in halves
    ]
    works += [
        partial(quick_list_leave, actor=colleague, pk=quick_list.pk)
        for colleague in colleagues[::10]
    ]

    outcomes = run_race(works)

    assert [outcome.ok for outcome in outcomes[:2]] == [True, True]
    assert {outcome.code for outcome in outcomes[2:]} <= {"", "not_found"}
    members = set(QuickListMember.objects.values_list("account", flat=True))
    assert members <= halves[0].keys() or members <= halves[1].keys()
    quick_list.refresh_from_db()
    assert quick_list.member_count == len(members)


def test_a_list_of_a_disabled_owner_is_taken_over_once(
    buyer: Account, quick_list: QuickList
) -> None:
    editors = create_colleagues(buyer, 5)
    quick_list_share(
        actor=buyer, pk=quick_list.pk, rights={editor.pk: "edit" for editor in editors}
    )
    Account.objects.filter(pk=buyer.pk).update(is_active=False)

    outcomes = run_race(
        [partial(quick_list_take_over, actor=editor, pk=quick_list.pk) for editor in editors]
    )

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 4}
    quick_list.refresh_from_db()
    assert (quick_list.member_count, quick_list.members.count()) == (4, 4)
