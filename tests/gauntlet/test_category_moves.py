"""Parallel sorting of one category list, and saves of products in a category that is moved,
with real processes.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from auditlog.models import LogEntry

from apps.catalog.models import Brand, Category, Product
from apps.catalog.selectors.category_tree import get_place, hash_ids, list_siblings
from apps.catalog.services.products import product_save
from apps.catalog.services.taxonomy import category_move
from apps.catalog.tests.factories import (
    BrandFactory,
    CategoryFactory,
    ProductFactory,
    create_category_path,
)
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def leaves(staff: Account) -> list[Category]:
    """Ten categories in one list."""
    first = create_category_path()
    return [
        first,
        *(CategoryFactory(parent=first.parent, level=3, menu_group=None) for _ in range(9)),
    ]


def test_one_of_ten_moves_from_the_same_page_is_done(
    staff: Account, leaves: list[Category]
) -> None:
    place = get_place(leaves[0])
    version = hash_ids(row.pk for row in list_siblings(place))
    moves = [
        partial(
            category_move,
            actor=staff,
            category_id=leaf.pk,
            place=place.key,
            next_sibling=str(leaves[0].pk),
            old_list_version=version,
            new_list_version=version,
        )
        for leaf in leaves[1:]
    ]

    outcomes = run_race(moves)

    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 8}
    assert [row.position for row in list_siblings(place)] == list(range(1, 11))
    assert (
        LogEntry.objects.filter(
            content_type__model="category", action=LogEntry.Action.UPDATE
        ).count()
        == 1
    )


def save_product(staff: Account, category: Category, brand: Brand, code: str) -> None:
    product_save(
        actor=staff, product=ProductFactory.build(category=category, brand=brand, code=code)
    )


def test_product_saved_during_a_category_move_gets_the_new_parent(
    staff: Account,
) -> None:
    """Without the lock the move would miss the uncommitted product, which would keep the old
    path.
    """
    leaf, other, brand = create_category_path(), create_category_path(), BrandFactory()
    was = hash_ids(row.pk for row in list_siblings(get_place(leaf)))
    move = partial(
        category_move,
        actor=staff,
        category_id=leaf.pk,
        place=get_place(other).key,
        next_sibling="last",
        old_list_version=was,
    )

    outcomes = run_race(
        [move, *(partial(save_product, staff, leaf, brand, f"90{nth:04}") for nth in range(12))]
    )

    assert all(outcome.ok for outcome in outcomes)
    assert Counter(Product.objects.filter(category=leaf).values_list("l2", flat=True)) == {
        other.parent_id: 12
    }
