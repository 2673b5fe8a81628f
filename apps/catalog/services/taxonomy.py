"""Save categories (类目) and brands (品牌), and move categories in the tree. Products are indexed
again if a name or their path changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import CategoryMoveRefused, CategoryTreeStale
from apps.catalog.locks import lock_category_tree, lock_product_words
from apps.catalog.models import Brand, Category, Product
from apps.catalog.selectors.category_tree import (
    FIRST,
    LAST,
    Place,
    find_place,
    find_place_refusal,
    get_place,
    hash_ids,
    list_siblings,
)
from apps.catalog.services.changes import change_record, changes_record
from apps.catalog.services.product_index import products_reindex
from apps.common.audit import Change, act_log

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
MOVE_FIELDS = ("parent", "menu_group", "level", "position")


@transaction.atomic
def category_save(*, actor: Account | None, category: Category) -> Category:
    """Save a category and return it. Its level follows from its parent. Products below a moved
    or renamed category are indexed again.
    """
    lock_category_tree()
    category.level = category.parent.level + 1 if category.parent else 1
    before = (
        Category.objects.filter(pk=category.pk).values("name", "parent_id").first()
        if category.pk
        else None
    )
    category.save()
    if before is not None and before != {"name": category.name, "parent_id": category.parent_id}:
        category_paths_refresh(category_ids=[category.pk])
    change_record(ChangeKind.CATEGORY, category.code)
    log.info("category_saved", key=category.code, actor=actor.pk if actor else None)
    return category


@transaction.atomic
def brand_save(*, actor: Account | None, brand: Brand) -> Brand:
    """Save a brand and return it. The products of a renamed brand are indexed again."""
    lock_product_words()
    before = (
        Brand.objects.filter(pk=brand.pk).values("name", "english_name").first()
        if brand.pk
        else None
    )
    brand.save()
    if before is not None and before != {"name": brand.name, "english_name": brand.english_name}:
        products_reindex(
            product_ids=Product.objects.filter(brand=brand)
            .order_by("pk")
            .values_list("pk", flat=True)
        )
    change_record(ChangeKind.PRODUCT, f"brand:{brand.code}")
    log.info("brand_saved", key=brand.code, actor=actor.pk if actor else None)
    return brand


def list_products_below(*, category_ids: Iterable[int]) -> list[int]:
    """Return the ids of the products in the categories and their descendants."""
    below = set(category_ids)
    for _ in range(2):
        below |= set(Category.objects.filter(parent__in=below).values_list("pk", flat=True))
    return list(
        Product.objects.filter(category__in=below).order_by("pk").values_list("pk", flat=True)
    )


def category_paths_refresh(*, category_ids: Iterable[int]) -> int:
    """Rewrite the path and the index of every product below the categories. Return the number
    of products.
    """
    products = list_products_below(category_ids=category_ids)
    products_reindex(product_ids=products)
    return len(products)


@dataclass(frozen=True, slots=True)
class CategoryMoveResult:
    """The result of a move: the new place and the number of products with a new path.
    `old_place` and `old_next_sibling` are for an undo.
    """

    category: Category
    place: Place
    is_changed: bool
    products: int
    old_place: str
    old_next_sibling: str


@transaction.atomic
def category_move(
    *,
    actor: Account,
    category_id: int,
    place: str,
    next_sibling: str,
    old_list_version: str,
    new_list_version: str = "",
) -> CategoryMoveResult:
    """Move a category to `place` and return the result. Write one log entry.

    `next_sibling` is the id of the sibling that follows, or `first` or `last`. `old_list_version`
    and `new_list_version` are the versions of the two lists, as the page showed them. `first` and
    `last` need no `new_list_version`. If the parent changes, the products below get a new path and
    are indexed again.

    Raises:
        CategoryTreeStale: one of the lists has changed, or the category or the place no longer
            exists.
        CategoryMoveRefused: the rules of the tree forbid the place.
    """
    lock_category_tree()
    category = (
        Category.objects.select_related("parent__parent", "menu_group")
        .filter(pk=category_id)
        .first()
    )
    target = find_place(place)
    if category is None or target is None:
        raise CategoryTreeStale
    source = get_place(category)
    old_siblings = list_siblings(source)
    if hash_ids(row.pk for row in old_siblings) != old_list_version:
        raise CategoryTreeStale
    new_siblings = list_siblings(target)
    if next_sibling not in (FIRST, LAST) and (
        hash_ids(row.pk for row in new_siblings) != new_list_version
        or next_sibling not in {str(row.pk) for row in new_siblings}
    ):
        raise CategoryTreeStale
    if refusal := find_place_refusal(category=category, parent=target.parent):
        raise CategoryMoveRefused(refusal)
    siblings_after = _insert_at(new_siblings, category, next_sibling)
    ids = [row.pk for row in old_siblings]
    index = ids.index(category.pk)
    old_next_sibling = str(ids[index + 1]) if index + 1 < len(ids) else LAST
    if ids == [row.pk for row in siblings_after]:
        return CategoryMoveResult(category, target, False, 0, source.key, old_next_sibling)
    products = _write_move(
        category, target, siblings_after, is_rehung=target.parent != source.parent
    )
    _log_move(actor, category, (source, index + 1), (target, siblings_after.index(category) + 1))
    return CategoryMoveResult(category, target, True, products, source.key, old_next_sibling)


def _insert_at(rows: list[Category], category: Category, at: str) -> list[Category]:
    """Return the rows with the category inserted at `at`."""
    if at == str(category.pk):
        return rows
    others = [row for row in rows if row.pk != category.pk]
    ids = [str(row.pk) for row in others]
    index = 0 if at == FIRST else len(others) if at == LAST else ids.index(at)
    return [*others[:index], category, *others[index:]]


def _write_move(category: Category, target: Place, rows: list[Category], *, is_rehung: bool) -> int:
    """Number the rows from 1 and set the category's new parent. Return the number of products
    with a new path.
    """
    changed_categories = [
        row for number, row in enumerate(rows, 1) if row.position != number or row.pk == category.pk
    ]
    for number, row in enumerate(rows, 1):
        row.position = number
        if row.pk == category.pk:
            row.parent, row.menu_group, row.level = target.parent, target.group, target.level
            category.position = number
    category.parent, category.menu_group, category.level = target.parent, target.group, target.level
    Category.objects.bulk_update(changed_categories, MOVE_FIELDS)
    changes_record(ChangeKind.CATEGORY, [row.code for row in changed_categories])
    return category_paths_refresh(category_ids=[category.pk]) if is_rehung else 0


def _log_move(
    actor: Account, category: Category, was: tuple[Place, int], now: tuple[Place, int]
) -> None:
    """Write one log entry for the move. The new numbers of the siblings are not logged."""
    changes: dict[str, Change] = {"position": (f"第 {was[1]} 位", f"第 {now[1]} 位")}
    if was[0].key != now[0].key:
        name = "parent" if was[0].parent or now[0].parent else "menu_group"
        changes = {name: (str(was[0]), str(now[0])), **changes}
    act_log(subject=category, staff=actor, changes=changes)
    log.info("category_moved", key=category.code, place=now[0].key, position=now[1], actor=actor.pk)
