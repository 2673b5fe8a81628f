"""The category tree as staff order it: columns of the menu, three levels below; each list with the version a move is held against."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from apps.catalog.models import Category, MenuGroup, Product
from apps.catalog.models.taxonomy import LEVELS

FIRST, LAST = "first", "last"


@dataclass(frozen=True, slots=True)
class Place:
    """A list of siblings: below `parent`, or in a column of the menu. Its key is how pages name it."""

    parent: Category | None
    group: MenuGroup | None

    @property
    def key(self) -> str:
        """`c` with the parent's id, or `g` with that of the menu's column."""
        if self.parent is not None:
            return f"c{self.parent.pk}"
        return f"g{self.group.pk}" if self.group else ""

    @property
    def level(self) -> int:
        """The level of what stands in it."""
        return self.parent.level + 1 if self.parent else 1

    def __str__(self) -> str:
        return path_text(self.parent) if self.parent else str(self.group or "—")


def path_text(category: Category) -> str:
    """Return the category's name after the names of those above it."""
    names = [category.name]
    while category.parent is not None:
        category = category.parent
        names.insert(0, category.name)
    return " / ".join(names)


def place_of(category: Category) -> Place:
    """Return where a category stands."""
    return Place(category.parent, None if category.parent else category.menu_group)


def place_named(key: str) -> Place | None:
    """Return the list that a page names by its key; None where it is there no more."""
    kind, number = key[:1], key[1:]
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):
        return None
    if kind == "c":
        parent = Category.objects.select_related("parent__parent").filter(pk=number).first()
        return Place(parent, None) if parent else None
    group = MenuGroup.objects.filter(pk=number).first() if kind == "g" else None
    return Place(None, group) if group else None


def siblings_in(place: Place) -> list[Category]:
    """Return what stands in a place, in the order of the menu."""
    rows = Category.objects.filter(parent=place.parent) if place.parent else Category.objects.filter(parent=None, menu_group=place.group)
    return list(rows.order_by("position", "pk"))


def version_of(ids: Iterable[int]) -> str:
    """Return a short text that differs wherever the list or its order does."""
    return hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A category with what stands below it. `up` and `down` are the moves of the two buttons, empty at the end of the list."""

    category: Category
    below: BoardList
    is_empty: bool
    up: str
    down: str


@dataclass(frozen=True, slots=True)
class BoardList:
    """What stands in one place; nothing can stand in that of a third level (`level` 4)."""

    key: str
    level: int
    version: str
    rows: tuple[BoardRow, ...]


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column of the menu."""

    group: MenuGroup
    below: BoardList


def category_board() -> tuple[BoardColumn, ...]:
    """Return the whole tree, columns without a category too. Two queries."""
    has_products = Exists(Product.objects.filter(l3=OuterRef("pk")))
    categories = list(Category.objects.annotate(has_products=has_products).order_by("position", "pk"))
    under: dict[str, list[Category]] = {}
    for category in categories:
        under.setdefault(f"c{category.parent_id}" if category.parent_id else f"g{category.menu_group_id}", []).append(category)
    groups = MenuGroup.objects.order_by("position", "pk")
    return tuple(BoardColumn(group, _listed(f"g{group.pk}", 1, under)) for group in groups)


def _listed(key: str, level: int, under: dict[str, list[Category]]) -> BoardList:
    rows = under.get(key, []) if level <= LEVELS else []
    ids = [row.pk for row in rows]
    version = version_of(ids)
    listed = []
    for at, row in enumerate(rows):
        below = _listed(f"c{row.pk}", level + 1, under)
        up = move_text(row.pk, key, str(ids[at - 1]), version, version) if at else ""
        after = str(ids[at + 2]) if at + 2 < len(ids) else LAST
        down = move_text(row.pk, key, after, version, version) if at + 1 < len(ids) else ""
        listed.append(BoardRow(row, below, not (below.rows or row.has_products), up, down))  # type: ignore[attr-defined]
    return BoardList(key, level, version, tuple(listed))


def move_text(category_id: int, place: str, at: str, was: str, seen: str) -> str:
    """Return a move as buttons and the drag send it: what, where, before which or first or last, and both lists' versions."""
    return f"{category_id}:{place}:{at}:{was}:{seen}"
