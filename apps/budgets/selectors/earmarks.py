"""The category or dimension that an earmarked budget (专项预算) counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.budgets.models import Budget
    from apps.catalog.models import Category
    from apps.dimensions.models import Dimension


@dataclass(frozen=True, slots=True)
class Earmark:
    """The category or the dimension whose lines a budget counts. Neither: every order."""

    category: Category | None = None
    dimension: Dimension | None = None

    def is_within(self, parent: Budget) -> bool:
        """Return whether `parent` counts everything that a budget of this earmark counts: the same
        dimension, or the same category or one above. Two budgets without an earmark match.
        """
        return self.is_within_keys(parent.category_id, parent.dimension_id)

    def is_within_keys(self, category_id: int | None, dimension_id: int | None) -> bool:
        """Return the same for a parent with this category or dimension."""
        if self.category is None:
            same = self.dimension.pk if self.dimension else None
            return category_id is None and dimension_id == same
        above, category_ids = self.category, {self.category.pk}
        while above.parent is not None:
            above = above.parent
            category_ids.add(above.pk)
        return category_id in category_ids


NO_EARMARK = Earmark()
