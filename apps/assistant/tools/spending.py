"""The tools for spending and budgets. Spending: ordered amounts by period, kind, person and
department, from the facts of the reports. Somebody without reports sees his own orders only.
Budgets: those in the person's data scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Q, Sum
from django.db.models.functions import TruncMonth

from apps.assistant.tools.orders import require_colleague_scope
from apps.assistant.tools.tool import NotAllowed, require_menu_code
from apps.budgets.enums import BudgetWhen
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import BudgetFilters, list_budgets
from apps.budgets.selectors.budgets import list_usable_budgets
from apps.catalog.models import Brand
from apps.common.money import ZERO
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account as AccountModel
from apps.org.models import Department
from apps.reports.enums import ReportName
from apps.reports.periods import Window
from apps.reports.selectors.matching import get_matching_facts
from apps.reports.selectors.names import get_category_names
from apps.reports.selectors.question import MENU_OF, ReportQuestion

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_GROUPS = 12
CATEGORY, DEPARTMENT, PERSON, MONTH = "category", "department", "person", "month"
GROUPINGS = (CATEGORY, DEPARTMENT, PERSON, MONTH)
SCOPES: dict[str, str] = {
    DataScope.OWN: "您本人",
    DataScope.DEPARTMENT: "您本部门及下级部门",
    DataScope.ENTERPRISE: "贵企业",
    DataScope.GROUP: "贵集团",
}


@dataclass(frozen=True, slots=True)
class SpendingQuestion:
    """Which amounts: days, goods and people. `by` groups them; `is_own` means the actor's."""

    since: date
    until: date
    category_ids: tuple[int, ...] = ()
    brand: str = ""
    requester_ids: tuple[int, ...] = ()
    department_id: int | None = None
    by: str = ""
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Spending:
    """The ordered amount in 元 含税, less what was cancelled, the number of orders, the largest
    groups, and whose orders count.
    """

    total: Decimal
    orders: int
    groups: tuple[tuple[str, Decimal], ...]
    scope: str


def look_up_spending(*, actor: Account, question: SpendingQuestion) -> Spending:
    """Return the spending in the actor's data scope. Goods exclude the freight.

    Raises:
        NotAllowed: the actor may open neither orders nor the report, or asks beyond his scope.
    """
    menu = MENU_OF[ReportName.ORDER]
    if not actor.has_menu_code(menu):
        menu = MenuCode.ORDER_LIST
        require_menu_code(actor, menu, "采购金额")
        if question.department_id is not None or question.by in (DEPARTMENT, PERSON):
            raise NotAllowed(
                "您的账号只能查看自己的采购金额，没有查看部门或公司合计的权限。"
                "如需开通请联系贵司的集团管理员。"
            )
        require_colleague_scope(actor, menu, question.requester_ids)
    has_report = menu != MenuCode.ORDER_LIST
    is_own = question.is_own or not has_report
    requesters = question.requester_ids or ((actor.pk,) if is_own else ())
    facts = _select_facts(actor, question)
    if requesters:
        facts = facts.filter(requester__in=requesters)
    totals = facts.aggregate(total=Sum("amount"))
    return Spending(
        total=totals["total"] or ZERO,
        orders=facts.filter(quantity__gt=0).values("order").distinct().count(),
        groups=tuple(_sum_groups(facts, question.by)[:MAX_GROUPS]) if question.by else (),
        scope=_describe_scope(actor, question, is_own=is_own),
    )


def _select_facts(actor: Account, question: SpendingQuestion) -> Any:
    """Return the facts, or their sums by order and day if no filter names goods."""
    brand_id = (
        Brand.objects.filter(name=question.brand).values_list("pk", flat=True).first()
        if question.brand
        else None
    )
    matching = get_matching_facts(
        actor=actor,
        report=ReportName.ORDER,
        question=ReportQuestion(brand_id=brand_id, department_id=question.department_id),
    ).restrict_to(Window(question.since, question.until))
    if not question.category_ids and question.by != CATEGORY:
        return matching.sums
    if not question.category_ids:
        return matching.facts
    ids = question.category_ids
    return matching.facts.filter(
        Q(category_id_l1__in=ids) | Q(category_id_l2__in=ids) | Q(category_id_l3__in=ids)
    )


def _sum_groups(facts: Any, by: str) -> list[tuple[str, Decimal]]:
    """Return the names and amounts of the groups: the largest first, months in their order."""
    if by == MONTH:
        rows = facts.annotate(month=TruncMonth("day")).values_list("month")
        return [
            (f"{month:%Y年%m月}", amount)
            for month, amount in rows.annotate(total=Sum("amount")).order_by("month")
        ]
    column = {CATEGORY: "category_id_l1", DEPARTMENT: "department_id", PERSON: "requester_id"}[by]
    sums: dict[int | None, Decimal] = dict(
        facts.values_list(column).annotate(total=Sum("amount")).order_by("-total")
    )
    names = _fetch_names(by, [key for key in sums if key])
    empty = "运费" if by == CATEGORY else "未归属"
    return [(names.get(key or 0, empty), amount) for key, amount in sums.items()]


def _fetch_names(by: str, keys: Sequence[int]) -> dict[int, str]:
    """Return the names of categories, departments or people, by their primary key."""
    if by == CATEGORY:
        return get_category_names(keys)
    if by == DEPARTMENT:
        return dict(Department.objects.filter(pk__in=keys).values_list("pk", "name"))
    return dict(AccountModel.objects.filter(pk__in=keys).values_list("pk", "nickname"))


def _describe_scope(actor: Account, question: SpendingQuestion, *, is_own: bool) -> str:
    """Return whose orders the sum covers, for an answer that names neither a person nor a
    department. Otherwise "".
    """
    if question.requester_ids or question.department_id is not None:
        return ""
    if is_own:
        return SCOPES[DataScope.OWN]
    return SCOPES[actor.get_data_scope(MENU_OF[ReportName.ORDER])]


MAX_BUDGETS = 50


def list_own_budgets(*, actor: Account) -> list[Budget]:
    """Return the budgets on which the actor can order today: the actor's own first, then those of
    the departments from the own one upwards, then the enterprise's.

    Raises:
        NotAllowed: the actor has no right to open budgets.
    """
    require_menu_code(actor, MenuCode.ASSET_BUDGET, "预算")
    return list(list_usable_budgets(actor=actor)[:MAX_BUDGETS])


def list_budgets_in_scope(*, actor: Account) -> list[Budget]:
    """Return the budgets of today's periods in the actor's data scope.

    Raises:
        NotAllowed: the actor has no right to open budgets.
    """
    require_menu_code(actor, MenuCode.ASSET_BUDGET, "预算")
    return list(
        list_budgets(actor=actor, filters=BudgetFilters(when=BudgetWhen.CURRENT))[:MAX_BUDGETS]
    )
