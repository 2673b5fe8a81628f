"""The budgets that an account may choose for an order, nearest owner first, with the budgets above
them. The group sets whether the nearest owner's budget must be used (预算的确定方式).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import DateField, Q, QuerySet
from django.utils import timezone

from apps.budgets.errors import BudgetNotFound, FartherBudgetChosen
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_tree import get_budget_path, with_parents
from apps.budgets.selectors.budgets import (
    NOT_EARMARKED,
    build_owner_condition,
    filter_valid_budgets,
    get_distance,
)
from apps.common.compiled_queries import CompiledQuery, ListParameter, Parameter, key_parameter
from apps.org.enums import BudgetChoice, PurchasingRight
from apps.org.selectors.departments import get_department_chain
from apps.org.selectors.purchasing import can_purchase

if TYPE_CHECKING:
    from apps.org.models import Account


def _build_usable_budgets() -> QuerySet[Budget]:
    """Return the usable budgets of an account with those above them, for any account and day."""
    earmarks = (
        NOT_EARMARKED
        | Q(category_id__any_of=ListParameter("categories"))
        | Q(dimension_id__any_of=ListParameter("dimensions"))
    )
    owners = build_owner_condition(
        account=key_parameter("account"),
        departments=ListParameter("departments"),
        enterprise=key_parameter("enterprise"),
    )
    valid = filter_valid_budgets(day=Parameter("day", DateField()))
    return with_parents(valid.filter(owners, earmarks)).select_related("category", "dimension")


USABLE_BUDGETS = CompiledQuery(_build_usable_budgets)


@dataclass(slots=True)
class UsableBudgets:
    """`choices` are the budgets that the account may choose, the nearest first. `farther` are
    those that it may use, but not choose while a nearer owner has a budget. `earmarked` are the
    earmarked budgets that lines of the order may use, each with the distance of its owner. `rows`
    also holds the budgets above all of them, by key.
    """

    choices: list[Budget] = field(default_factory=list)
    farther: list[Budget] = field(default_factory=list)
    earmarked: dict[int, int] = field(default_factory=dict)
    rows: dict[int, Budget] = field(default_factory=dict)

    def choose(self, budget_id: int | None) -> Budget | None:
        """Return the chosen budget. Without a choice, return the nearest one: an order of a buyer
        with budgets is always charged to one.

        Raises:
            BudgetNotNearest: the group requires the budget of a nearer owner.
            BudgetNotFound: the account may not use the budget.
        """
        if budget_id is None:
            return self.choices[0] if self.choices else None
        for budget in self.choices:
            if budget.pk == budget_id:
                return budget
        if any(budget.pk == budget_id for budget in self.farther):
            raise FartherBudgetChosen(self.choices[0].name)
        raise BudgetNotFound

    def get_path(self, budget: Budget) -> list[Budget]:
        """Return the budget and its parents, upwards."""
        return get_budget_path(budget, self.rows)

    def replace(self, rows: Mapping[int, Budget]) -> None:
        """Use these newly read rows, e.g. after they were locked."""
        self.rows |= rows
        self.choices = [self.rows[budget.pk] for budget in self.choices]


def get_usable_budgets(
    *, actor: Account, category_ids: Collection[int] = (), dimension_ids: Collection[int] = ()
) -> UsableBudgets:
    """Return the budgets for an order of the actor today, with the budgets earmarked for these
    categories and dimensions. One query, and one for the actor's departments if they are not
    loaded.
    """
    if not can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        return UsableBudgets()
    found = USABLE_BUDGETS.fetch(
        account=actor.pk,
        departments=[row.pk for row in get_department_chain(account=actor)],
        enterprise=actor.enterprise_id or 0,
        day=timezone.localdate(),
        categories=category_ids,
        dimensions=dimension_ids,
    )
    rows = {row.pk: row for row in found}
    # The period of a parent contains that of its children, so every row is valid today.
    distances = {
        pk: distance
        for pk, row in rows.items()
        if (distance := get_distance(actor, row)) is not None
    }
    # Of one owner's budgets in a tree the lowest comes first, as for earmarked ones.
    nearest_first = sorted(
        (distance, -len(get_budget_path(rows[pk], rows)), rows[pk].period_to, pk)
        for pk, distance in distances.items()
        if not rows[pk].is_earmarked
    )
    must_be_nearest = actor.group is not None and actor.group.budget_choice == BudgetChoice.NEAREST
    choices = [
        rows[pk]
        for distance, _, _, pk in nearest_first
        if not must_be_nearest or distance == nearest_first[0][0]
    ]
    farther = [
        rows[pk]
        for distance, _, _, pk in nearest_first
        if must_be_nearest and distance != nearest_first[0][0]
    ]
    return UsableBudgets(
        choices=choices,
        farther=farther,
        earmarked={pk: row for pk, row in distances.items() if rows[pk].is_earmarked},
        rows=rows,
    )
