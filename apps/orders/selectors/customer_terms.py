"""Terms of a customer: the kinds of payment and invoice, orders above the budget, and 月结信用 with
the amount owed on account and the amount still available.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import F, OuterRef, Subquery, Sum

from apps.approvals.subjects import SubjectReason
from apps.budgets.enums import BudgetPolicy
from apps.common.money import ZERO, MoneyField
from apps.orders import texts
from apps.orders.enums import AfterSalesStatus, PaymentStatus, ReasonKind, SettlementStatus
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.models.order import ON_CREDIT
from apps.orders.selectors.payments import RETURNED_AMOUNT
from apps.org.enums import CreditPolicy, InvoiceKind, OverBudget, PaymentKind
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from apps.budgets.models import Budget
    from apps.org.models import Account

STRICTNESS: dict[str, int] = {BudgetPolicy.WARN: 0, BudgetPolicy.APPROVE: 1, BudgetPolicy.BLOCK: 2}
CREDIT_TERMS = ("credit_limit", "credit_policy", "credit_days")
GROUP_MINIMUM: dict[str, BudgetPolicy] = {
    OverBudget.AS_BUDGET: BudgetPolicy.WARN,
    OverBudget.APPROVE: BudgetPolicy.APPROVE,
    OverBudget.BLOCK: BudgetPolicy.BLOCK,
}


def get_over_budget_policy(*, actor: Account, budget: Budget) -> str:
    """Return the policy for an order above the budget: the stricter of the budget's policy and
    the group's policy.
    """
    group_minimum = GROUP_MINIMUM[actor.group.over_budget] if actor.group else BudgetPolicy.WARN
    return max(str(budget.policy), str(group_minimum), key=lambda policy: STRICTNESS[policy])


def list_payment_kinds(actor: Account) -> list[str]:
    """Return the kinds of payment that the actor's group, roles and account allow."""
    kinds = actor.group.payments if actor.group else list(PaymentKind.values)
    allowed_kinds = actor.payment_kinds
    return [kind for kind in kinds if kind in allowed_kinds]


def get_default_payment_kind(actor: Account) -> str:
    """Return the default kind of payment: the first allowed one. 月结 counts only if the
    enterprise has a credit limit. Without an allowed one, return any: the checkout then refuses.
    """
    allowed_kinds = list_payment_kinds(actor) or list(PaymentKind.values)
    has_credit = actor.enterprise is None or actor.enterprise.credit_limit is not None
    selectable = [kind for kind in allowed_kinds if has_credit or kind != PaymentKind.CREDIT]
    return (selectable or allowed_kinds)[0]


def list_invoice_kinds(actor: Account) -> list[str]:
    """Return the kinds of invoice that the actor may choose."""
    return actor.group.invoices if actor.group else list(InvoiceKind.values)


def find_terms_problems(
    *, actor: Account, payment_kind: str, invoice_kind: str
) -> list[tuple[str, str]]:
    """Return (field, message) of each choice that the actor's company does not allow."""
    problems: list[tuple[str, str]] = []
    if actor.enterprise is not None and not actor.enterprise.is_active:
        problems.append(("", texts.enterprise_disabled(actor.enterprise.name)))
    label = PaymentKind(payment_kind).label
    if actor.group is not None and payment_kind not in actor.group.payments:
        problems.append(("PaymentKind", texts.payment_kind_not_offered(label)))
    elif payment_kind not in actor.payment_kinds:
        is_own = payment_kind not in (actor.own_payment_kinds or PaymentKind.values)
        text = texts.payment_kind_of_other_people if is_own else texts.payment_kind_of_other_roles
        problems.append(("PaymentKind", text(label)))
    if invoice_kind not in list_invoice_kinds(actor):
        problems.append(
            ("InvoiceKind", texts.invoice_kind_not_offered(InvoiceKind(invoice_kind).label))
        )
    return problems


@dataclass(frozen=True, slots=True)
class Credit:
    """The credit of an enterprise, in 元. `used` sums the orders on account that have not ended,
    from the submit until the payment.
    """

    limit: Decimal
    used: Decimal
    policy: str
    days: int

    @property
    def available(self) -> Decimal:
        """Return the amount that may still be ordered. Negative if the debt exceeds the limit."""
        return self.limit - self.used


@dataclass(frozen=True, slots=True)
class CreditCharge:
    """The credit before and after an order, in 元. `is_over`: the order takes more than is left."""

    credit: Credit
    after: Decimal

    @property
    def reason(self) -> SubjectReason:
        """Return why the order needs the approval of the staff."""
        text = texts.credit_needs_approval(
            limit=self.credit.limit,
            used=self.credit.used,
            amount=self.credit.available - self.after,
        )
        return SubjectReason(text, {"kind": ReasonKind.CREDIT, "limit": str(self.credit.limit)})

    @property
    def approval_reason(self) -> SubjectReason | None:
        """Return why the order needs the approval of the staff. None if it needs none."""
        return self.reason if self.is_over and self.credit.policy == CreditPolicy.APPROVE else None

    @property
    def is_over(self) -> bool:
        """Return whether the order exceeds the limit."""
        return self.credit.policy != CreditPolicy.NONE and self.after < ZERO


def find_credit(enterprise_id: int) -> Credit | None:
    """Return the credit of the enterprise. None if it may not order on account."""
    return get_credits([enterprise_id]).get(enterprise_id)


def get_credits(enterprise_ids: Collection[int]) -> dict[int, Credit]:
    """Return the credit by enterprise pk, for enterprises with a limit. Used credit is open
    orders less payments and returned goods.
    """
    rows = Enterprise.objects.filter(pk__in=enterprise_ids).order_by()
    credit_by_enterprise = {
        row["pk"]: read_credit(row)
        for row in rows.values("pk", *CREDIT_TERMS, **build_credit_sums())
    }
    return {pk: credit for pk, credit in credit_by_enterprise.items() if credit is not None}


def build_credit_sums(*, until: datetime | None = None) -> dict[str, Subquery]:
    """Return the columns of an enterprise that `read_credit` needs beside CREDIT_TERMS. With
    `until`, only the orders submitted before this moment count.
    """
    open_ones = Order.objects.filter(ON_CREDIT, enterprise=OuterRef("pk"))
    open_of = {f"order__{name}": value for name, value in ON_CREDIT.children}  # type: ignore[misc]
    if until is not None:
        open_ones = open_ones.filter(submitted_at__lt=until)
        open_of["order__submitted_at__lt"] = until
    payments = Payment.objects.filter(
        order__enterprise=OuterRef("pk"),
        status=PaymentStatus.PAID,
        **{**open_of, "order__settlement_status": SettlementStatus.PARTLY},
    )
    returned_lines = OrderLine.objects.filter(
        order__enterprise=OuterRef("pk"), returned_quantity__gt=0, **open_of
    )
    return {
        "ordered": _sum_by(open_ones, "enterprise", F("total_amount")),
        "paid": _sum_by(payments, "order__enterprise", F("amount") - F("refunded_amount")),
        "returned_amount": _sum_by(
            returned_lines.exclude(order__after_sales_status=AfterSalesStatus.NONE),
            "order__enterprise",
            RETURNED_AMOUNT,
        ),
    }


def read_credit(row: Mapping[str, Any]) -> Credit | None:
    """Return the credit of an enterprise from a row with CREDIT_TERMS and `build_credit_sums`. None
    if the enterprise may not order on account.
    """
    if row["credit_limit"] is None:
        return None
    return Credit(
        limit=row["credit_limit"],
        used=compute_used_credit(row),
        policy=row["credit_policy"],
        days=row["credit_days"],
    )


def compute_used_credit(row: Mapping[str, Any]) -> Decimal:
    """Return the used credit in 元 from a row with `build_credit_sums`."""
    used: Decimal = (row["ordered"] or ZERO) - (row["paid"] or ZERO)
    return used - (row["returned_amount"] or ZERO)


def _sum_by(rows: Any, by: str, amount: Any) -> Subquery:
    """Return the subquery of one sum in 元 of the rows that share the value of the column `by`."""
    return Subquery(
        rows.order_by()
        .values(by)
        .annotate(total=Sum(amount, output_field=MoneyField()))
        .values("total")
    )
