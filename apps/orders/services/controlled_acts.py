"""The acts of this app under dual control: 登记收款 and 调整月结信用."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from apps.common.money import ZERO, format_yuan
from apps.dual_control.controlled import ActPreview, ControlledAct, JobLimit, Parameters
from apps.dual_control.selectors.proposals import get_last_release
from apps.orders.locks import locked_order
from apps.orders.models import CreditAccount, Payment
from apps.orders.selectors.payments import get_left_to_pay, get_recorded_since
from apps.orders.services.credit import credit_set, format_credit
from apps.orders.services.payments import payment_record
from apps.org.enums import CreditPolicy
from apps.org.locks import lock_enterprises
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from apps.org.models import Account

RECORD_PAYMENT, SET_CREDIT = "orders.record_payment", "orders.set_credit"
# From strict to lax.
POLICIES = (CreditPolicy.BLOCK, CreditPolicy.APPROVE, CreditPolicy.NONE)


def build_payment_parameters(
    *, order_id: int, amount: Decimal, reference: str = "", left_seen: Decimal | None = None
) -> Parameters:
    """Return the parameters of 登记收款; amounts in 元."""
    return {
        "order_id": order_id,
        "amount": str(amount),
        "reference": reference,
        "left_seen": None if left_seen is None else str(left_seen),
    }


def _preview_payment(parameters: Parameters) -> ActPreview:
    """Return what a second person checks before the payment is recorded. The amount (元)
    includes what one person alone has recorded since the last release.
    """
    amount = Decimal(parameters["amount"])
    with locked_order(order_id=parameters["order_id"]) as order:
        since = get_last_release(kind=RECORD_PAYMENT, subject=order)
        earlier = get_recorded_since(order, since)
        facts = [
            ("企业", order.enterprise.name),
            ("付款方式", order.get_payment_kind_display()),
            ("未结金额", format_yuan(get_left_to_pay(order))),
            ("收款金额", format_yuan(amount)),
            ("凭证号", parameters["reference"] or "—"),
        ]
    if earlier:
        facts.append(("此前单人登记", format_yuan(earlier)))
    subject = f"订单 {order.order_no}"
    return ActPreview(order, subject, amount + earlier, tuple(facts), earlier=earlier)


def _record_payment(actor: Account, parameters: Parameters) -> Payment:
    left_seen = parameters["left_seen"]
    return payment_record(
        actor=actor,
        order_id=parameters["order_id"],
        amount=Decimal(parameters["amount"]),
        reference=parameters["reference"],
        left_seen=None if left_seen is None else Decimal(left_seen),
    )


def build_credit_parameters(
    *, enterprise_id: int, limit: Decimal | None, policy: str, days: int, reason: str
) -> Parameters:
    """Return the parameters of 调整月结信用; the limit in 元."""
    return {
        "enterprise_id": enterprise_id,
        "limit": None if limit is None else str(limit),
        "policy": policy,
        "days": days,
        "reason": reason,
    }


def _read_credit_arguments(parameters: Parameters) -> tuple[Decimal | None, str, int]:
    """Return (credit limit in 元 or None for no limit, policy, days until payment is due)."""
    limit = parameters["limit"]
    return None if limit is None else Decimal(limit), parameters["policy"], parameters["days"]


def _preview_credit(parameters: Parameters) -> ActPreview:
    """Return what a second person checks before the credit changes. The amount (元) is the new
    limit; None: unlimited; 0: the credit gets no wider.
    """
    # Whether the new terms are wider depends on the present ones.
    lock_enterprises(parameters["enterprise_id"])
    enterprise = Enterprise.objects.get(pk=parameters["enterprise_id"])
    limit, policy, days = _read_credit_arguments(parameters)
    facts = (
        (
            "现在",
            format_credit(
                enterprise.credit_limit, enterprise.credit_policy, enterprise.credit_days
            ),
        ),
        ("调整为", format_credit(limit, policy, days)),
        ("调整原因", parameters["reason"]),
    )
    amount: Decimal | None = ZERO
    if limit is not None and _is_wider(enterprise, limit, policy, days):
        # Without a limit that refuses, the credit has no bound.
        amount = None if policy == CreditPolicy.NONE else limit
    # The proxy has the page that changes the credit.
    subject = CreditAccount(pk=enterprise.pk)
    return ActPreview(subject, enterprise.name, amount, facts)


def _is_wider(enterprise: Enterprise, limit: Decimal, policy: str, days: int) -> bool:
    """Return whether the customer gets more credit, a laxer policy or more days."""
    before = ZERO if enterprise.credit_limit is None else enterprise.credit_limit
    laxness = [str(choice) for choice in POLICIES]
    return (
        limit > before
        or days > enterprise.credit_days
        or laxness.index(policy) > laxness.index(enterprise.credit_policy)
    )


def _set_credit(actor: Account, parameters: Parameters) -> Enterprise:
    limit, policy, days = _read_credit_arguments(parameters)
    return credit_set(
        actor=actor,
        enterprise_id=parameters["enterprise_id"],
        limit=limit,
        policy=policy,
        days=days,
        reason=parameters["reason"],
    )


CONTROLLED_ACTS = (
    ControlledAct(
        kind=RECORD_PAYMENT,
        title="登记收款",
        permission="orders.settle_order",
        limits={"财务": JobLimit(alone=Decimal(50_000), release=None)},
        preview=_preview_payment,
        run=_record_payment,
    ),
    ControlledAct(
        kind=SET_CREDIT,
        title="调整月结信用",
        permission="orders.change_creditaccount",
        limits={"财务": JobLimit(alone=Decimal(100_000), release=None)},
        preview=_preview_credit,
        run=_set_credit,
    ),
)
