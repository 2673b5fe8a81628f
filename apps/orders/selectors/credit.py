"""月结信用 of an enterprise: the amount owed on account and the amount still available."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import F, OuterRef, Subquery, Sum

from apps.common.money import ZERO, MoneyField
from apps.orders.enums import AfterSalesStatus, PaymentStatus, SettlementStatus
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.models.order import ON_CREDIT
from apps.orders.settlement import GONE_BACK
from apps.org.enums import CreditPolicy
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from collections.abc import Collection


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
    def is_over(self) -> bool:
        """Return whether the order exceeds the limit."""
        return self.credit.policy != CreditPolicy.NONE and self.after < ZERO


def credit_of(enterprise_id: int) -> Credit | None:
    """Return the credit of the enterprise. None if it may not order on account. One query."""
    return credits_of([enterprise_id]).get(enterprise_id)


def credits_of(enterprise_ids: Collection[int]) -> dict[int, Credit]:
    """Return the credit by enterprise pk, for enterprises with a limit. Used credit is open
    orders less payments and returned goods. One query.
    """
    open_ones = Order.objects.filter(ON_CREDIT, enterprise=OuterRef("pk"))
    open_of = {f"order__{name}": value for name, value in ON_CREDIT.children}  # type: ignore[misc]
    paid = Payment.objects.filter(
        order__enterprise=OuterRef("pk"),
        status=PaymentStatus.PAID,
        **{**open_of, "order__settlement_status": SettlementStatus.PARTLY},
    )
    gone = OrderLine.objects.filter(
        order__enterprise=OuterRef("pk"), returned_quantity__gt=0, **open_of
    )
    sums = {
        "ordered": _sum(open_ones, "enterprise", F("total_amount")),
        "paid": _sum(paid, "order__enterprise", F("amount") - F("refunded_amount")),
        "gone": _sum(
            gone.exclude(order__after_sales_status=AfterSalesStatus.NONE),
            "order__enterprise",
            GONE_BACK,
        ),
    }
    terms = ("pk", "credit_limit", "credit_policy", "credit_days")
    rows = (
        Enterprise.objects.filter(pk__in=enterprise_ids, credit_limit__isnull=False)
        .order_by()
        .annotate(**sums)
    )
    return {
        pk: Credit(limit, (ordered or ZERO) - (paid or ZERO) - (gone or ZERO), policy, days)
        for pk, limit, policy, days, ordered, paid, gone in rows.values_list(*terms, *sums)
    }


def _sum(rows: Any, by: str, amount: Any) -> Subquery:
    return Subquery(
        rows.order_by()
        .values(by)
        .annotate(total=Sum(amount, output_field=MoneyField()))
        .values("total")
    )
