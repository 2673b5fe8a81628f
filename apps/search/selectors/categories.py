"""The category menu with product counts, of a customer's own catalogue or of the public one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.models import Category
from apps.common.sql import Fragment, all_of
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.sql.products import build_for_sale_conditions
from apps.search.query import CategoryCount
from apps.search.sql.facets import count_by_category_path

if TYPE_CHECKING:
    from apps.org.models import Account

# Maximum number of newer changes while an older one is not yet committed. An import writes up to
# 5,000.
RECENT = 10_000


@dataclass(frozen=True, slots=True)
class CategoryNode:
    """A category with products, and its children. `group` is its column of the menu, at level 1
    only.
    """

    category: CategoryCount
    children: tuple[CategoryNode, ...]
    group: str = ""
    group_code: str = ""


@dataclass(frozen=True, slots=True)
class CategoryTree:
    """The first-level categories in menu order."""

    context: CatalogueContext
    roots: tuple[CategoryNode, ...]


@lru_cache(maxsize=64)
def get_category_counts(catalogue: CatalogueContext, _recent: int) -> tuple[CategoryCount, ...]:
    """Return the product counts of a catalogue as of its last change. Customers with the same
    catalogue share the cached counts.
    """
    return count_by_category_path(Fragment(""), all_of(build_for_sale_conditions(catalogue, "p")))


def _count_recent_changes(context: CatalogueContext) -> int:
    """Return the number of recent changes. The last id alone is not enough: a change can commit
    after another one with a higher id.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*) FROM catalog_catalogchange WHERE id > %s", [context.change_id - RECENT]
        )
        return int(cursor.fetchone()[0])


def get_category_tree(*, actor: Account | None) -> CategoryTree:
    """Return the categories that have products on sale in the actor's catalogue, or in the
    public one for None.

    Three queries, plus the count if this process has not counted the same catalogue since its last
    change.
    """
    context = get_catalogue_context(actor=actor)
    counts = get_category_counts(
        replace(context, group_id=None, enterprise_id=None, account_id=None, sources=()),
        _count_recent_changes(context),
    )
    below: dict[int | None, list[CategoryCount]] = {}
    for count in counts:
        below.setdefault(count.parent_id, []).append(count)
    roots = {
        root.pk: root for root in Category.objects.filter(level=1).select_related("menu_group")
    }

    def node(count: CategoryCount) -> CategoryNode:
        children = tuple(node(child) for child in below.get(count.id, []))
        group = roots[count.id].menu_group if count.level == 1 else None
        return CategoryNode(
            count, children, group.name if group else "", group.code if group else ""
        )

    def place(count: CategoryCount) -> tuple[int, int, int]:
        root = roots[count.id]
        return (root.menu_group.position if root.menu_group else 0, root.position, root.pk)

    return CategoryTree(
        context,
        tuple(
            node(count)
            for count in sorted(
                (root for root in below.get(None, []) if root.id in roots), key=place
            )
        ),
    )
