"""A group never loses its last admin, with parallel changes by several people."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise

import pytest

from apps.approvals.services.account_disable import account_disable
from apps.org.enums import AccountType
from apps.org.models import Account
from apps.org.services.account import AccountForm, account_create, account_update
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def get_admins() -> int:
    return Account.objects.filter(kind=AccountType.GROUP_ADMIN, is_active=True).count()


@pytest.mark.parametrize("number", range(5))
def test_one_of_two_admins_who_disable_each_other_remains(ga: Account, number: int) -> None:
    second = AccountFactory(department=ga.department, kind=AccountType.GROUP_ADMIN)

    outcomes = run_race(
        [
            partial(account_disable, actor=one, pk=other.pk, successor_id=None)
            for one, other in ((ga, second), (second, ga))
        ]
    )

    assert (sum(outcome.ok for outcome in outcomes), get_admins()) == (1, 1)


def test_ten_admins_who_disable_and_demote_each_other_leave_at_least_one(ga: Account) -> None:
    people = [
        ga,
        *AccountFactory.create_batch(9, department=ga.department, kind=AccountType.GROUP_ADMIN),
    ]
    demoted = AccountForm(kind=AccountType.NORMAL)
    works = [
        partial(account_disable, actor=one, pk=other.pk, successor_id=None)
        for one, other in pairwise(people)
    ]
    works += [
        partial(account_update, actor=one, pk=one.pk, form=demoted, seen_at=None) for one in people
    ]

    run_race(works)

    assert get_admins() >= 1


def test_user_name_is_given_once(ga: Account) -> None:
    form = AccountForm(
        fields={"username": "same", "nickname": "同名"}, department_id=ga.department_id
    )

    outcomes = run_race([partial(account_create, actor=ga, form=form)] * 10)

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "validation": 9}
