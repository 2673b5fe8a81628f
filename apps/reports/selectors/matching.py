"""The facts that match the filters of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.selectors.budget_report import get_report_budgets
from apps.reports.selectors.question import (
    FREIGHT_CODE,
    MENU_OF,
    MatchingFacts,
    ReportQuestion,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account


def get_matching_facts(*, actor: Account, report: str, question: ReportQuestion) -> MatchingFacts:
    """Return the rows of the actor's data scope that match the filters. The filter 只看预计超出
    costs one query more, for the budgets.

    Raises:
        ValidationFailed: the filter 只看预计超出 is set, and the days make no valid period.
    """
    matching = _get_purchases(actor=actor, report=report, question=question)
    if not question.is_overrunning:
        return matching
    budgets = get_report_budgets(
        actor=actor, question=question, matching=matching, windows=question.get_windows()
    )
    return MatchingFacts(
        facts=matching.facts.filter(budget__in=[*budgets]),
        sums=matching.sums.filter(budget__in=[*budgets]),
    )


def _get_purchases(*, actor: Account, report: str, question: ReportQuestion) -> MatchingFacts:
    """Return the rows of the data scope that match the filters of the purchases."""
    scope = scope_filter(actor=actor, menu=MENU_OF[report], account="requester")
    conditions = scope & _build_order_condition(question) & Q(basis=question.basis)
    goods = _build_goods_condition(question)
    facts: QuerySet[ReportFact] = ReportFact.objects.filter(conditions, goods).order_by()
    if goods:
        return MatchingFacts(facts=facts, sums=facts)
    days = ReportOrderDay.objects.filter(conditions).order_by()
    return MatchingFacts(facts=facts, sums=days)


def _build_order_condition(question: ReportQuestion) -> Q:
    """Return the condition on facts by the columns of their orders."""
    values: dict[str, Any] = {
        "enterprise": question.enterprise_id,
        "requester": question.requester_id,
        "budget": question.budget_id or None,
        "budget__isnull": True if question.budget_id == 0 else None,
        "purchase_order_no": question.purchase_order_no or None,
        "cost_center": question.cost_center or None,
        "order__order_no": question.order_no or None,
        "order_status__in": question.statuses or None,
        "payment_kind__in": question.payment_kinds or None,
        "day__iso_week_day": question.weekday,
    }
    condition = Q(**{name: value for name, value in values.items() if value is not None})
    return condition & _build_department_condition(question)


def _build_department_condition(question: ReportQuestion) -> Q:
    """Return the condition on facts. `department_id` includes the departments below;
    `own_department_id` does not, and 0 means without a department.
    """
    condition = Q()
    if question.department_id is not None:
        condition &= Q(
            department__in=list_department_subtree_ids(department_id=question.department_id)
        )
    if question.own_department_id == 0:
        condition &= Q(department__isnull=True)
    elif question.own_department_id is not None:
        condition &= Q(department=question.own_department_id)
    return condition


def _build_goods_condition(question: ReportQuestion) -> Q:
    """Return the condition on facts by category, brand, agreement and product. FREIGHT_CODE
    selects the freight.
    """
    condition = Q()
    if question.category_id is not None:
        pk = question.category_id
        condition &= Q(category_id_l1=pk) | Q(category_id_l2=pk) | Q(category_id_l3=pk)
    if question.brand_id is not None:
        condition &= Q(order_line__brand_key=question.brand_id)
    if question.is_off_agreement is not None:
        condition &= Q(order_line__is_off_agreement=question.is_off_agreement)
    if question.product_code == FREIGHT_CODE:
        condition &= Q(product__isnull=True)
    elif question.product_code:
        condition &= Q(product__code=question.product_code)
    return condition
