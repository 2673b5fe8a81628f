"""The tool for budgets in the person's data scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.assistant.tools.rights import require_menu_code
from apps.budgets.enums import BudgetWhen
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import BudgetFilters, list_budgets
from apps.budgets.selectors.budgets import budgets_usable
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_BUDGETS = 50


def own_budgets(*, actor: Account) -> list[Budget]:
    """Return the budgets on which the actor can order today, the nearest first.

    Raises:
        NotAllowed: the actor has no right to open budgets.
    """
    require_menu_code(actor, MenuCode.ASSET_BUDGET, "预算")
    return list(budgets_usable(actor=actor)[:MAX_BUDGETS])


def visible_budgets(*, actor: Account) -> list[Budget]:
    """Return the budgets of today's periods in the actor's data scope.

    Raises:
        NotAllowed: the actor has no right to open budgets.
    """
    require_menu_code(actor, MenuCode.ASSET_BUDGET, "预算")
    return list(
        list_budgets(actor=actor, filters=BudgetFilters(when=BudgetWhen.CURRENT))[:MAX_BUDGETS]
    )
