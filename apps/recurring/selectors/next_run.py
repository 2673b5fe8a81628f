"""The next order of a recurring order at today's prices, and everything that would stop it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from apps.approvals.selectors.standing import (
    STANDING_DAYS,
    StandingApproval,
    find_standing_approval,
)
from apps.budgets.errors import BudgetExceeded, BudgetNotFound, BudgetNotNearest
from apps.cart.selectors.cart import BasketLine, CartLine
from apps.catalog.errors import NotInCatalogue, OffSale, QuantityIllegal, StockShort
from apps.common.errors import DomainError, ValidationFailed
from apps.dimensions.errors import DimensionRefused
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.errors import CreditExceeded, PriceMoved, PurchaseLimitExceeded
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.checkout import Checkout, CheckoutForm, SeenLine, get_checkout
from apps.orders.snapshots import build_address_key, build_address_snapshot
from apps.org.errors import PurchasingRefused
from apps.recurring.enums import ApprovalMode, BlockReason
from apps.recurring.errors import ChoiceGone, LastLineDropped, OverCeiling, OwnerInactive, PriceRose
from apps.recurring.models import RecurringLine, RecurringOrder, RecurringRun

if TYPE_CHECKING:
    from apps.org.models import Account

R = BlockReason
REASONS: dict[str, BlockReason] = {
    PriceRose.code: R.PRICE_ROSE,
    PriceMoved.code: R.PRICE_ROSE,
    OverCeiling.code: R.OVER_CEILING,
    NotInCatalogue.code: R.UNAVAILABLE,
    OffSale.code: R.UNAVAILABLE,
    StockShort.code: R.STOCK,
    QuantityIllegal.code: R.QUANTITY,
    BudgetExceeded.code: R.BUDGET,
    BudgetNotNearest.code: R.BUDGET,
    CreditExceeded.code: R.CREDIT,
    PurchaseLimitExceeded.code: R.LIMIT,
    PurchasingRefused.code: R.RIGHTS,
    OwnerInactive.code: R.RIGHTS,
    DimensionRefused.code: R.CHOICE,
    ValidationFailed.code: R.CHOICE,
    ChoiceGone.code: R.CHOICE,
}


@dataclass(frozen=True, slots=True)
class Blocker:
    """Why the next order cannot be placed as it is. `line_id` None: the whole order.

    `is_own_rule`: a limit of the recurring order itself (price or amount), which the owner may
    accept for once.
    """

    reason: BlockReason
    message: str
    line_id: int | None = None
    is_own_rule: bool = False


@dataclass(frozen=True)
class NextRun:
    """The next order. `checkout` is None if it cannot even be computed; `blockers` say why."""

    lines: list[RecurringLine]
    checkout: Checkout | None = None
    blockers: list[Blocker] = field(default_factory=list)

    @cached_property
    def by_line(self) -> dict[int, CartLine]:
        """Return today's lines by the key of the recurring line."""
        return {line.item_id: line for line in self.checkout.lines} if self.checkout else {}

    @property
    def total(self) -> Decimal | None:
        """Return the amount with freight in 元, 含税."""
        return self.checkout.amounts.total if self.checkout else None

    @property
    def seen_lines(self) -> tuple[SeenLine, ...]:
        """Return today's prices, so that the submit refuses a price that moves meanwhile."""
        return tuple(SeenLine(pk, line.price) for pk, line in self.by_line.items())


def get_next_run(
    *, row: RecurringOrder, owner: Account, drop_line_ids: Collection[int] = ()
) -> NextRun:
    """Return the next order of the recurring order for its owner, with the owner's present rights,
    limits, budgets and prices, as if the dropped lines were removed. About fourteen queries.
    """
    lines = [line for line in row.lines.order_by("no") if line.pk not in drop_line_ids]
    try:
        if not lines:
            raise LastLineDropped
        _refuse_missing(row, owner)
        checkout = get_checkout(actor=owner, form=build_checkout_form(row, lines, owner=owner))
    except DomainError as error:
        return NextRun(lines, None, [build_blocker(error)])
    blockers = [
        Blocker(REASONS.get(problem.code, R.OTHER), problem.message, problem.cart_item_id)
        for problem in checkout.problems
    ]
    return NextRun(lines, checkout, [*blockers, *_check_own_rules(row, lines, checkout)])


def build_checkout_form(
    row: RecurringOrder,
    lines: list[RecurringLine],
    *,
    owner: Account,
    seen_lines: tuple[SeenLine, ...] | None = None,
) -> CheckoutForm:
    """Return the choices of the recurring order as those of a checkout. A price that differs from
    `seen_lines` is then a problem.
    """
    return CheckoutForm(
        address_id=row.address_id,
        delivery_wish=row.delivery_wish,
        invoice_title_id=row.invoice_title_id,
        invoice_kind=row.invoice_kind,
        payment_kind=row.payment_kind,
        budget_id=row.budget_id,
        cost_center=row.cost_center,
        purchase_order_no=row.purchase_order_no,
        remark=row.order_remark,
        lines=seen_lines,
        basket=tuple(BasketLine(line.pk, line.product_id, line.quantity) for line in lines),
        standing=get_standing_approval(row, owner=owner),
    )


def get_standing_approval(row: RecurringOrder, *, owner: Account) -> StandingApproval | None:
    """Return the standing approval of a recurring order, None if each order is approved. An order
    counts if it was placed after the last change, for the owner's present department, to the place
    that the address states now, and was not cancelled.
    """
    if row.approval_mode != ApprovalMode.ONCE or row.amount_ceiling is None:
        return None
    approval = None
    if row.terms_since and row.address:
        # Whoever edits the address or moves the owner does not touch the recurring order.
        orders = RecurringRun.objects.filter(
            recurring_order=row,
            order__enterprise=owner.enterprise_id,
            order__department=owner.department_id,
            order__address_key=build_address_key(build_address_snapshot(row.address)),
        ).exclude(order__status__in=ENDED_UNSHIPPED)
        approval = find_standing_approval(
            subject_type=SUBJECT_TYPE,
            subject_ids=orders.values_list("order", flat=True),
            since=row.terms_since,
        )
    return StandingApproval(
        limit=row.amount_ceiling,
        notice=(
            f"定期采购 {row.recurring_no}：通过后 {STANDING_DAYS} 天内，同样商品每次不超过 "
            f"¥{row.amount_ceiling:,.2f} 的订单不再审批"
        ),
        approval=approval,
    )


def build_blocker(error: DomainError) -> Blocker:
    """Return the reason for which an error stops the run."""
    if isinstance(error, BudgetNotFound):
        return Blocker(R.BUDGET, error.text)
    return Blocker(REASONS.get(error.code, R.OTHER), error.text)


def _refuse_missing(row: RecurringOrder, owner: Account) -> None:
    """Refuse an owner who may no longer sign in, and choices that were deleted: a checkout would
    use the default instead.
    """
    if not owner.is_active or owner.group is None or not owner.group.is_active:
        raise OwnerInactive
    if row.address_id is None or row.invoice_title_id is None:
        raise ChoiceGone


def _check_own_rules(
    row: RecurringOrder, lines: list[RecurringLine], checkout: Checkout
) -> list[Blocker]:
    """Return the blockers of the ceiling and of the permitted rise of prices."""
    errors: list[tuple[DomainError, int | None]] = []
    today = {line.item_id: line for line in checkout.lines}
    for line in lines:
        price = today[line.pk].price
        if row.rise_percent is None or price is None:
            continue
        if price > line.compute_limit_price(row.rise_percent):
            error = PriceRose(
                name=today[line.pk].offer.name,
                agreed=line.agreed_price,
                price=price,
                percent=row.rise_percent,
            )
            errors.append((error, line.pk))
    total = checkout.amounts.total
    if row.amount_ceiling is not None and total > row.amount_ceiling:
        errors.append((OverCeiling(total=total, ceiling=row.amount_ceiling), None))
    return [
        Blocker(REASONS[error.code], error.text, line_id, is_own_rule=True)
        for error, line_id in errors
    ]
