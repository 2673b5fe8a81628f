"""Checkout rules set by the administrator of the customer: kinds of payment and invoice, orders
above the budget, and active enterprises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.budgets.enums import BudgetPolicy
from apps.org.enums import InvoiceKind, OverBudget, PaymentKind

if TYPE_CHECKING:
    from apps.budgets.models import Budget
    from apps.org.models import Account

STRICTNESS: dict[str, int] = {BudgetPolicy.WARN: 0, BudgetPolicy.APPROVE: 1, BudgetPolicy.BLOCK: 2}
AT_LEAST: dict[str, BudgetPolicy] = {
    OverBudget.AS_BUDGET: BudgetPolicy.WARN,
    OverBudget.APPROVE: BudgetPolicy.APPROVE,
    OverBudget.BLOCK: BudgetPolicy.BLOCK,
}


def over_budget_policy(*, actor: Account, budget: Budget) -> str:
    """Return the policy for an order above the budget: the stricter of the budget's policy and
    the group's policy.
    """
    at_least = AT_LEAST[actor.group.over_budget] if actor.group else BudgetPolicy.WARN
    return max(str(budget.policy), str(at_least), key=lambda policy: STRICTNESS[policy])


def payment_kinds(actor: Account) -> list[str]:
    """Return the kinds of payment that the actor may choose."""
    return actor.group.payments if actor.group else list(PaymentKind.values)


def payment_offered(actor: Account) -> str:
    """Return the default kind of payment: the first allowed one. 月结 counts only if the
    enterprise has a credit limit.
    """
    allowed = payment_kinds(actor)
    has_credit = actor.enterprise is None or actor.enterprise.credit_limit is not None
    open_to_him = [kind for kind in allowed if has_credit or kind != PaymentKind.CREDIT]
    return (open_to_him or allowed)[0]


def invoice_kinds(actor: Account) -> list[str]:
    """Return the kinds of invoice that the actor may choose."""
    return actor.group.invoices if actor.group else list(InvoiceKind.values)


def terms_problems(
    *, actor: Account, payment_kind: str, invoice_kind: str
) -> list[tuple[str, str]]:
    """Return (field, message) of each choice that the actor's company does not allow."""
    found: list[tuple[str, str]] = []
    if actor.enterprise is not None and not actor.enterprise.is_active:
        found.append(("", f"“{actor.enterprise.name}”已停用，不能提交新订单，请联系贵司管理员"))
    if payment_kind not in payment_kinds(actor):
        found.append(
            ("PaymentKind", f"贵司未开放“{PaymentKind(payment_kind).label}”，请更换付款方式")
        )
    if invoice_kind not in invoice_kinds(actor):
        found.append(
            ("InvoiceKind", f"贵司未开放“{InvoiceKind(invoice_kind).label}”，请更换发票种类")
        )
    return found
