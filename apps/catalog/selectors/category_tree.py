"""The category tree for the page 类目排序: menu columns with three levels of categories, the rules
for the place of a category, and the consequences of a move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from apps.catalog.models import Category, MenuGroup, Product
from apps.catalog.models.taxonomy import LEVELS

FIRST, LAST = "first", "last"


@dataclass(frozen=True, slots=True)
class Place:
    """A list of siblings: the children of `parent`, or a column of the menu. Pages identify it
    by its key.
    """

    parent: Category | None
    group: MenuGroup | None

    @property
    def key(self) -> str:
        """Return `c` with the id of the parent, or `g` with the id of the menu column."""
        if self.parent is not None:
            return f"c{self.parent.pk}"
        return f"g{self.group.pk}" if self.group else ""

    @property
    def level(self) -> int:
        """Return the level of the categories in this list."""
        return self.parent.level + 1 if self.parent else 1

    def __str__(self) -> str:
        return format_path(self.parent) if self.parent else str(self.group or "—")


def format_path(category: Category) -> str:
    """Return the names from the first level down to the category."""
    names = [category.name]
    while category.parent is not None:
        category = category.parent
        names.insert(0, category.name)
    return " / ".join(names)


def get_place(category: Category) -> Place:
    """Return the current place of a category."""
    return Place(category.parent, None if category.parent else category.menu_group)


def find_place(key: str) -> Place | None:
    """Return the place with this key. Return None if it no longer exists."""
    kind, number = key[:1], key[1:]
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):
        return None
    if kind == "c":
        parent = Category.objects.select_related("parent__parent").filter(pk=number).first()
        return Place(parent, None) if parent else None
    group = MenuGroup.objects.filter(pk=number).first() if kind == "g" else None
    return Place(None, group) if group else None


def list_siblings(place: Place) -> list[Category]:
    """Return the categories of a place in menu order."""
    rows = (
        Category.objects.filter(parent=place.parent)
        if place.parent
        else Category.objects.filter(parent=None, menu_group=place.group)
    )
    return list(rows.order_by("position", "pk"))


def hash_ids(ids: Iterable[int]) -> str:
    """Return a short hash of the ids. It changes if the list or its order changes."""
    return hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A category with its children. `up` and `down` are the moves of the two buttons. They are
    empty at the end of the list.
    """

    category: Category
    below: BoardList
    is_empty: bool
    up: str
    down: str


@dataclass(frozen=True, slots=True)
class BoardList:
    """The categories of one place. The list below a third-level category (`level` 4) is always
    empty.
    """

    key: str
    level: int
    version: str
    rows: tuple[BoardRow, ...]


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column of the menu."""

    group: MenuGroup
    below: BoardList


def get_category_board() -> tuple[BoardColumn, ...]:
    """Return the whole tree, including empty menu columns. Two queries."""
    has_products = Exists(Product.objects.filter(l3=OuterRef("pk")))
    categories = list(
        Category.objects.annotate(has_products=has_products).order_by("position", "pk")
    )
    children_by_parent: dict[str, list[Category]] = {}
    for category in categories:
        children_by_parent.setdefault(
            f"c{category.parent_id}" if category.parent_id else f"g{category.menu_group_id}", []
        ).append(category)
    groups = MenuGroup.objects.order_by("position", "pk")
    return tuple(
        BoardColumn(group, _build_list(f"g{group.pk}", 1, children_by_parent)) for group in groups
    )


def _build_list(key: str, level: int, under: dict[str, list[Category]]) -> BoardList:
    """Return the list of categories under a place with all lists below, and for each row the texts
    that move it one place up or down.
    """
    rows = under.get(key, []) if level <= LEVELS else []
    ids = [row.pk for row in rows]
    version = hash_ids(ids)
    items = []
    for at, row in enumerate(rows):
        below = _build_list(f"c{row.pk}", level + 1, under)
        up = move_text(row.pk, key, str(ids[at - 1]), version, version) if at else ""
        after = str(ids[at + 2]) if at + 2 < len(ids) else LAST
        down = move_text(row.pk, key, after, version, version) if at + 1 < len(ids) else ""
        items.append(BoardRow(row, below, not (below.rows or row.has_products), up, down))  # type: ignore[attr-defined]
    return BoardList(key, level, version, tuple(items))


def move_text(
    category_id: int, place: str, next_sibling: str, old_list_version: str, new_list_version: str
) -> str:
    """Return a move in the format of the page: category id, place key, next sibling (an id, `first`
    or `last`) and the versions of both lists.
    """
    return f"{category_id}:{place}:{next_sibling}:{old_list_version}:{new_list_version}"


def find_place_refusal(*, category: Category, parent: Category | None) -> str:
    """Return why a new or existing category may not become a child of `parent` (None: first
    level). Empty if it may.

    The tree has three levels, and products belong to the third. So a category with children or
    products cannot change its level.
    """
    if parent is not None and parent.level >= LEVELS:
        return "类目最多三级，请选择一级或二级类目作为上级"
    if not category.pk:
        return ""
    if parent is not None and category.pk in (parent.pk, parent.parent_id):
        return "上级不能是该类目自己或它的下级"
    level = parent.level + 1 if parent else 1
    if level != category.level and (
        category.children.exists() or Product.objects.filter(l3=category).exists()
    ):
        return "该类目下已有类目或商品，只能移动到同级的上级之下"
    return ""


@dataclass(frozen=True, slots=True)
class Consequence:
    """The number of products whose path changes, and the number of assortment rules on
    categories that are above these products only before or only after the move.
    """

    products: int
    rules: int


def get_move_consequence(*, category: Category, parent: Category | None) -> Consequence:
    """Return the consequences of a move below `parent`. Zero if `parent` is already the parent."""
    if category.parent_id == (parent.pk if parent else None):
        return Consequence(0, 0)
    products = Product.objects.filter(**{f"l{category.level}": category}).count()
    if not products:
        return Consequence(0, 0)
    present_path = {row.pk for row in _list_with_ancestors(category.parent)}
    new_path = {row.pk for row in _list_with_ancestors(parent)}
    # Rules of categories in both paths keep their effect.
    affected = Category.objects.filter(pk__in=present_path ^ new_path)
    rules = affected.aggregate(rules=Count("assortment_rules"))["rules"]
    return Consequence(products, rules)


def _list_with_ancestors(category: Category | None) -> list[Category]:
    """Return the category and its ancestors, from the category up to level 1."""
    path = []
    while category is not None:
        path.append(category)
        category = category.parent
    return path
