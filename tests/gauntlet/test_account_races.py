"""Acts on one's own account, addresses and favourites at one moment, by real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.catalog.enums import FavoriteType
from apps.catalog.models import Favorite
from apps.catalog.services import favorites
from apps.catalog.services.favorites import favorite_add
from apps.catalog.tests.factories import ProductFactory
from apps.identity.services.password import WRONG_TRIES, password_change
from apps.org.models import Account, Address
from apps.org.services.address import address_delete, address_update
from apps.org.tests.factories import AddressFactory
from tests.gauntlet.race import race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_guesses_of_a_password_at_once_are_all_counted(buyer: Account) -> None:
    guess = partial(password_change, actor=buyer, old_password="wrong", new_password="another-Mall-2027", family=None)

    outcomes = race([guess] * 20)

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

    race(works)

    assert not Address.objects.filter(is_active=True).exists()


def test_a_product_kept_many_times_at_once_is_one_row(buyer: Account) -> None:
    pen = ProductFactory()
    keep = [partial(favorite_add, actor=buyer, code=pen.code, kind=kind) for kind in FavoriteType]

    outcomes = race(keep * 10)

    assert all(outcome.ok for outcome in outcomes)
    assert sorted(Favorite.objects.values_list("type", flat=True)) == [1, 2]


def test_the_last_place_of_the_favourites_is_taken_once(buyer: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(favorites, "MAX_FAVORITES", 3)
    works = [
        partial(favorite_add, actor=buyer, code=product.code, kind=FavoriteType.FAVORITE) for product in ProductFactory.create_batch(10)
    ]

    outcomes = race(works)

    assert Counter(outcome.code for outcome in outcomes) == {"": 3, "too_large": 7}
