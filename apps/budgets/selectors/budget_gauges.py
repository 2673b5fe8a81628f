"""The budgets of today that a person's workbench shows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import BooleanField, Case, Count, F, FloatField, IntegerField, Value, When, Window
from django.db.models.functions import Cast, NullIf
from django.utils import timezone

from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import FULL, NEAR, USED
from apps.budgets.selectors.budgets import NEAREST_FIRST, budgets_visible, usable_by
from apps.org.enums import DataScope
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

WATCHING = (DataScope.ENTERPRISE, DataScope.GROUP)


@dataclass(frozen=True, slots=True)
class BudgetGauges:
    """The first budgets; of all that he sees today how many there are, from 80 % and from 100 % used. `is_usable` is on each row."""

    rows: list[Budget]
    count: int = 0
    near: int = 0
    full: int = 0


def budget_gauges(*, actor: Account, most: int, below: Collection[int] | None = None) -> BudgetGauges:
    """Return those he orders on, the nearest first, then those of his data scope, the fullest first. One query beside the chain's.

    Who watches over an enterprise or the group sees the fullest first, whoever orders on them.
    Without the code of 预算余额 he sees only those he orders on.
    """
    today = timezone.localdate()
    usable = usable_by(actor)
    visible = budgets_visible(actor=actor, below=below) if actor.has_menu_code(MenuCode.ASSET_BUDGET) else Budget.objects.filter(usable)
    rows = visible.filter(period_from__lte=today, period_to__gte=today).annotate(
        is_usable=Case(When(usable, then=Value(True)), default=Value(False), output_field=BooleanField()),
        share=Cast(USED, FloatField()) / NullIf(Cast("amount", FloatField()), Value(0.0)),
        of_all=Window(Count("pk")),
        of_near=Window(Count("pk", filter=NEAR)),
        of_full=Window(Count("pk", filter=FULL)),
    )
    near_first = Case(When(usable, then=NEAREST_FIRST), default=Value(3), output_field=IntegerField())
    watches = actor.data_scope_of(MenuCode.ASSET_BUDGET) in WATCHING
    own_first = [] if watches else [near_first]
    found = list(rows.order_by(*own_first, F("share").desc(nulls_last=True), "period_to", "pk")[:most])
    if not found:
        return BudgetGauges([])
    return BudgetGauges(found, found[0].of_all, found[0].of_near, found[0].of_full)
