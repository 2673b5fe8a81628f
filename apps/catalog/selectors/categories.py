"""The category menu with counts: of a customer's own catalogue, or of the public one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.models import Category
from apps.catalog.search.query import CategoryCount
from apps.catalog.search.sql.facets import category_counts
from apps.catalog.search.sql.fragment import Fragment, all_of
from apps.catalog.search.sql.visibility import for_sale
from apps.catalog.selectors.context import CatalogueContext, catalogue_context

if TYPE_CHECKING:
    from apps.org.models import Account

# As many changes may be younger than one that is still to commit: an import of 5,000 products, and then some.
RECENT = 10_000


@dataclass(frozen=True, slots=True)
class CategoryNode:
    """A category that has products, and those below it. `group` is its column of the menu, at level 1 only."""

    category: CategoryCount
    children: tuple[CategoryNode, ...]
    group: str = ""
    group_code: str = ""


@dataclass(frozen=True, slots=True)
class CategoryTree:
    """The first-level categories in the order of the menu."""

    context: CatalogueContext
    roots: tuple[CategoryNode, ...]


@lru_cache(maxsize=64)
def counted(catalogue: CatalogueContext, _recent: int) -> tuple[CategoryCount, ...]:
    """Return the counts of a catalogue, which many customers may share, as it stands at its last change."""
    return category_counts(Fragment(""), all_of(for_sale(catalogue, "p")))


def _recent_changes(context: CatalogueContext) -> int:
    """Return how many of the latest changes are there: one that commits after a younger one moves this, not the last id."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM catalog_catalogchange WHERE id > %s", [context.change_id - RECENT])
        return int(cursor.fetchone()[0])


def category_tree(*, actor: Account | None) -> CategoryTree:
    """Return the categories of the actor's catalogue that have products on sale; the public one's for None.

    Three queries, and the counting, where this process has not counted the same catalogue since its last change.
    """
    context = catalogue_context(actor=actor)
    counts = counted(replace(context, group_id=None, enterprise_id=None, account_id=None, sources=()), _recent_changes(context))
    below: dict[int | None, list[CategoryCount]] = {}
    for count in counts:
        below.setdefault(count.parent_id, []).append(count)
    roots = {root.pk: root for root in Category.objects.filter(level=1).select_related("menu_group")}

    def node(count: CategoryCount) -> CategoryNode:
        children = tuple(node(child) for child in below.get(count.id, []))
        group = roots[count.id].menu_group if count.level == 1 else None
        return CategoryNode(count, children, group.name if group else "", group.code if group else "")

    def place(count: CategoryCount) -> tuple[int, int, int]:
        root = roots[count.id]
        return (root.menu_group.position if root.menu_group else 0, root.position, root.pk)

    return CategoryTree(
        context, tuple(node(count) for count in sorted((root for root in below.get(None, []) if root.id in roots), key=place))
    )
