"""Judge again why an order needs approval although no rule says so: purchase limits, another budget
than the nearest one, the credit limit. An amendment uses it, and its preview.

Limits and credit count the orders before the submit, at their present amounts, and none after it:
later orders were judged with this one. A limit and a credit limit are those of the submit. The
budgets that were left are judged by what they have now, as all budgets of an amendment are. No row
is locked: each figure only decides about the order's own approval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.approvals.subjects import ApprovalSubject, JudgedReason
from apps.budgets.models import Budget
from apps.common.money import ZERO
from apps.orders.enums import ReasonKind
from apps.orders.selectors.budget_charge import describe_left_budget, get_charge
from apps.orders.selectors.customer_terms import (
    CREDIT_TERMS,
    Credit,
    CreditCharge,
    build_credit_sums,
    compute_used_credit,
)
from apps.orders.selectors.purchase_limits import LimitCharge, get_ordered_amounts
from apps.org.enums import CreditPolicy, LimitAction, LimitPeriod
from apps.org.models import Enterprise

Basis = Mapping[str, Any]
# Return why the subject meets a reason, "" if it does not.
Judge = Callable[[ApprovalSubject], str]


@dataclass(frozen=True, slots=True)
class OrderReasonJudge:
    """Judges the reasons of an approval twice: with the quantities before an amendment and after
    it. The subjects cover all orders of one submit. `until` is the time of the submit.
    """

    enterprise_id: int
    before: ApprovalSubject
    after: ApprovalSubject
    until: datetime

    def judge(self, bases: Sequence[Basis]) -> list[JudgedReason]:
        """Return one result for each basis. At most one query for each kind of reason."""
        builders: dict[str, Callable[[list[Basis]], list[Judge]]] = {
            ReasonKind.LIMIT: self._build_limit_judges,
            ReasonKind.LEFT_BUDGET: self._build_budget_judges,
            ReasonKind.CREDIT: self._build_credit_judges,
        }
        judged: dict[int, JudgedReason] = {}
        for kind, build_judges in builders.items():
            places = [place for place, basis in enumerate(bases) if basis["kind"] == kind]
            if places:
                judges = build_judges([bases[place] for place in places])
                for place, judge in zip(places, judges, strict=True):
                    judged[place] = JudgedReason(judge(self.before), judge(self.after))
        return [judged[place] for place in range(len(bases))]

    def _build_limit_judges(self, bases: list[Basis]) -> list[Judge]:
        keys = [(str(basis["period"]), basis["category_id"]) for basis in bases]
        ordered = get_ordered_amounts(requester=self.before.requester, until=self.until, keys=keys)
        return [
            _build_limit_judge(basis, used=ordered.get(key, ZERO))
            for basis, key in zip(bases, keys, strict=True)
        ]

    def _build_budget_judges(self, bases: list[Basis]) -> list[Judge]:
        budget_ids = {pk for basis in bases for pk in basis["levels"]}
        budgets = {row.pk: row for row in Budget.objects.filter(pk__in=budget_ids)}
        return [_build_budget_judge(basis, budgets) for basis in bases]

    def _build_credit_judges(self, bases: list[Basis]) -> list[Judge]:
        enterprise = Enterprise.objects.filter(pk=self.enterprise_id).order_by()
        row = enterprise.values(*CREDIT_TERMS, **build_credit_sums(until=self.until)).get()
        return [_build_credit_judge(basis, row) for basis in bases]


def _build_limit_judge(basis: Basis, *, used: Decimal) -> Judge:
    """Return the judge of a purchase limit of which earlier orders have used `used` 元."""

    def judge(subject: ApprovalSubject) -> str:
        charge = LimitCharge(
            period=LimitPeriod(basis["period"]),
            action=LimitAction.APPROVE,
            limit=Decimal(basis["limit"]),
            used=used,
            amount=_get_counted_amount(subject, basis["category_id"]),
            category=basis["category"],
        )
        return charge.reason if charge.is_over else ""

    return judge


def _get_counted_amount(subject: ApprovalSubject, category_id: int | None) -> Decimal:
    """Return the amount in 元 that counts for a limit: that of the lines of the category, or
    without a category the total with freight.
    """
    if category_id is None:
        return subject.judged_amount
    amounts = (line.amount for line in subject.lines if category_id in line.category_ids)
    return sum(amounts, ZERO)


def _build_budget_judge(basis: Basis, budgets: Mapping[int, Budget]) -> Judge:
    """Return the judge of leaving nearer budgets for another one."""

    def judge(subject: ApprovalSubject) -> str:
        charges = [
            get_charge(actor=subject.requester, budget=budgets[pk], total=subject.judged_amount)
            for pk in basis["levels"]
            if pk in budgets
        ]
        nearest = next((charge for charge in charges if charge.is_over), None)
        return describe_left_budget(nearest, used_name=basis["used_name"]) if nearest else ""

    return judge


def _build_credit_judge(basis: Basis, row: Mapping[str, Any]) -> Judge:
    """Return the judge of the credit limit. `row` has the open orders before the submit."""
    limit = Decimal(basis["limit"])
    credit = Credit(
        limit=limit,
        used=compute_used_credit(row),
        policy=CreditPolicy.APPROVE,
        days=row["credit_days"],
    )

    def judge(subject: ApprovalSubject) -> str:
        charge = CreditCharge(credit, credit.available - subject.judged_amount)
        return charge.reason.text if charge.is_over else ""

    return judge
