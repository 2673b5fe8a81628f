"""Parallel changes of an account, its addresses and favourites, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.identity.models import ContactUndo
from apps.identity.services.accounts import account_change
from apps.identity.services.contacts import (
    contact_change_announce,
    contact_undo,
    get_contacts,
    undo_link,
)
from apps.identity.services.password import WRONG_TRIES, password_change
from apps.identity.services.second_factor import Proof
from apps.org.models import Account, Address
from apps.org.services.account import AccountForm
from apps.org.services.address import address_delete, address_update
from apps.org.tests.factories import AccountFactory, AddressFactory
from apps.search.enums import FavoriteType
from apps.search.models import Favorite
from apps.search.services import favorites
from apps.search.services.favorites import favorite_add
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_guesses_of_a_password_at_once_are_all_counted(buyer: Account) -> None:
    guess = partial(
        password_change,
        actor=buyer,
        old_password="wrong",
        new_password="another-Mall-2027",
        family=None,
        proof=Proof(),
    )

    outcomes = run_race([guess] * 20)

    heard = Counter("次数过多" in outcome.text for outcome in outcomes)
    assert heard == {False: WRONG_TRIES, True: 20 - WRONG_TRIES}


def test_an_address_deleted_beside_a_change_stays_deleted(buyer: Account) -> None:
    rows = [AddressFactory(account=buyer, enterprise=buyer.enterprise) for _ in range(10)]
    works = [
        work
        for row in rows
        for work in (
            partial(address_update, actor=buyer, pk=str(row.pk), changes={"receiver": "新收货人"}),
            partial(address_delete, actor=buyer, pk=str(row.pk)),
        )
    ]

    run_race(works)

    assert not Address.objects.filter(is_active=True).exists()


def test_a_product_kept_many_times_at_once_is_one_row(buyer: Account) -> None:
    pen = ProductFactory()
    keep = [partial(favorite_add, actor=buyer, code=pen.code, kind=kind) for kind in FavoriteType]

    outcomes = run_race(keep * 10)

    assert all(outcome.ok for outcome in outcomes)
    assert sorted(Favorite.objects.values_list("type", flat=True)) == [1, 2]


def test_the_last_place_of_the_favourites_is_taken_once(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(favorites, "MAX_FAVORITES", 3)
    works = [
        partial(favorite_add, actor=buyer, code=product.code, kind=FavoriteType.FAVORITE)
        for product in ProductFactory.create_batch(10)
    ]

    outcomes = run_race(works)

    assert Counter(outcome.code for outcome in outcomes) == {"": 3, "too_large": 7}


def undo_key(account: Account) -> str:
    """Change the account's mail address. Return the key of the undo link sent to the old
    address.
    """
    before = get_contacts(account)
    account.email = f"thief.{account.pk}@evil.example"
    account.save()
    contact_change_announce(account=account, before=before)
    return undo_link(ContactUndo.objects.get(account=account).pk).partition("#key=")[2]


def test_one_of_two_concurrent_clicks_on_a_link_undoes_the_change(buyer: Account) -> None:
    Account.objects.filter(pk=buyer.pk).update(email="buyer@yf.example")
    buyer.refresh_from_db()
    undo = partial(contact_undo, key=undo_key(buyer))

    outcomes = run_race([undo] * 2)

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 1}


def test_an_undo_beside_an_administrators_change_loses_neither(ga: Account) -> None:
    people = [
        AccountFactory(department=ga.department, email=f"own.{number}@yf.example")
        for number in range(8)
    ]
    old = {person.pk: person.email for person in people}
    form = AccountForm(
        fields={"job_title": "采购", "email": "new@yf.example"}, ignore_warnings=True
    )
    works = [
        work
        for person in people
        for work in (
            partial(contact_undo, key=undo_key(person)),
            partial(account_change, actor=ga, pk=person.pk, form=form, seen_at=None),
        )
    ]

    outcomes = run_race(works)

    assert all(outcome.ok for outcome in outcomes)
    now = dict(Account.objects.filter(pk__in=old).values_list("pk", "email"))
    # The undo waits for the change, or the change for the undo: no row has lost one of the two.
    assert set(now.values()) <= {*old.values(), "new@yf.example"}
    assert set(Account.objects.filter(pk__in=old).values_list("job_title", flat=True)) == {"采购"}
