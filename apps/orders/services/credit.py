"""Set the credit (月结信用) of an enterprise. Each change records a reason."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from apps.common.events import event_record
from apps.common.money import ZERO
from apps.common.tenancy import tenant_scope
from apps.orders.errors import CreditLimitNegative, CreditTermsUnchanged
from apps.org.enums import CreditPolicy
from apps.org.locks import lock_enterprises
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from apps.org.models import Account

CREDIT_SET = "credit.set"


def credit_set(
    *,
    actor: Account,
    enterprise_id: int,
    limit: Decimal | None,
    policy: str,
    days: int,
    reason: str,
) -> Enterprise:
    """Set the credit limit of an enterprise in 元. None forbids new orders on account; existing
    orders stay valid.

    Raises:
        ValidationFailed: the limit is below zero, or nothing changes.
    """
    if limit is not None and limit < ZERO:
        raise CreditLimitNegative
    stored = Enterprise.objects.only("group_id").get(pk=enterprise_id)
    with tenant_scope(group_id=stored.group_id), transaction.atomic():
        lock_enterprises(enterprise_id)
        enterprise: Enterprise = Enterprise.objects.get(pk=enterprise_id)
        before = _format_terms(enterprise)
        enterprise.credit_limit, enterprise.credit_policy, enterprise.credit_days = (
            limit,
            policy,
            days,
        )
        after = _format_terms(enterprise)
        if before == after:
            raise CreditTermsUnchanged
        enterprise.save(
            update_fields=["credit_limit", "credit_policy", "credit_days", "updated_at"]
        )
        event_record(
            enterprise, actor=actor, kind=CREDIT_SET, reason=f"{before} → {after}；{reason}"
        )
    return enterprise


def format_credit(limit: Decimal | None, policy: str, days: int) -> str:
    """Return the terms of a credit as text; the limit in 元."""
    if limit is None:
        return f"不可月结，账期 {days} 天"
    return f"额度 ¥{limit:,.2f}，超出时{CreditPolicy(policy).label}，账期 {days} 天"


def _format_terms(enterprise: Enterprise) -> str:
    return format_credit(enterprise.credit_limit, enterprise.credit_policy, enterprise.credit_days)
