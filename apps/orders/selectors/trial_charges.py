"""The charges of a simulated order: budgets, purchase limits and credit of its requester today, by
the functions of the checkout.
"""

from __future__ import annotations

from apps.approvals.subjects import ApprovalSubject, ChargeableBudget, SubjectCharges
from apps.budgets.selectors.budget_choice import get_usable_budgets
from apps.orders.enums import PaymentKind
from apps.orders.selectors.budget_charge import get_budget_charge
from apps.orders.selectors.checkout_problems import list_amount_refusals
from apps.orders.selectors.customer_terms import CreditCharge
from apps.orders.selectors.purchase_limits import get_limit_charges, get_usage, list_limit_reasons


def get_trial_charges(subject: ApprovalSubject, budget_id: int | None) -> SubjectCharges:
    """Return the charges of a simulated order on a budget, by default the requester's nearest one.
    Earmarked budgets are left out: their parts are known only with the lines of a cart. At most
    four queries.

    Raises:
        BudgetNotFound, BudgetNotNearest: the requester may not order on the budget.
    """
    requester, total = subject.requester, subject.amount
    usage = get_usage(actor=requester, is_on_credit=subject.payment_kind == PaymentKind.CREDIT)
    credit = CreditCharge(usage.credit, usage.credit.available - total) if usage.credit else None
    budgets = get_usable_budgets(actor=requester)
    budget = budgets.choose(budget_id)
    charge = get_budget_charge(actor=requester, budgets=budgets, budget=budget, total=total)
    limits = get_limit_charges(
        actor=requester, amount=total, lines=subject.lines, ordered=usage.ordered
    )
    refusals = list_amount_refusals(
        actor=requester,
        payment_kind=subject.payment_kind,
        credit=credit,
        limits=limits,
        budget=charge,
        has_other_budgets=len(budgets.choices) > 1,
        total=total,
    )
    return SubjectCharges(
        choices=tuple(ChargeableBudget(row.pk, row.name) for row in budgets.choices),
        budget_id=budget.pk if budget else None,
        over_budget_names=tuple(
            level.name for level in (charge.levels if charge else ()) if level.is_over
        ),
        over_budgets=charge.over_budgets if charge else (),
        left_budget=charge.left_reason if charge else None,
        over_limits=list_limit_reasons(limits),
        over_credit=credit.approval_reason if credit else None,
        refusals=tuple(problem.message for problem in refusals),
    )
