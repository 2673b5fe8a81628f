"""Set up and change recurring orders."""

from __future__ import annotations

import secrets
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.errors import StockShort
from apps.common.errors import ValidationFailed, refuse_stale
from apps.common.numbers import format_document_number
from apps.orders.selectors.checkout import Checkout, CheckoutForm, get_checkout
from apps.org.enums import PurchasingRight
from apps.org.locks import lock_account
from apps.org.selectors.purchasing import require_purchasing
from apps.recurring.enums import ApprovalMode, RecurringEventKind
from apps.recurring.errors import (
    CeilingMissing,
    ChoiceRefused,
    EndsTooEarly,
    LineRefused,
    NoEnterpriseToOrder,
    RhythmNumberIllegal,
    StartsInPast,
    TooManyRecurringOrders,
)
from apps.recurring.locks import lock_own_recurring_order
from apps.recurring.models import OPEN, RecurringLine, RecurringOrder
from apps.recurring.schedule import MAX_NUMBER
from apps.recurring.selectors.drafts import SHARED, RecurringForm, get_basket
from apps.recurring.selectors.recurring_orders import build_schedule
from apps.recurring.services.recurring_flow import RECURRING, get_first_open_day

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_RECURRING_ORDERS = 50


@transaction.atomic
def recurring_order_create(*, actor: Account, form: RecurringForm) -> RecurringOrder:
    """Return the new recurring order of the actor. Its lines are agreed at today's prices.

    Raises:
        PurchasingRefused: the actor may not order.
        ValidationFailed: a line cannot be bought (a lack of stock is accepted, because goods may
            arrive before the date), a choice of the order is not allowed, or the schedule is wrong.
        BudgetNotFound, BudgetNotNearest: the actor may not order on the budget.
        TooManyRecurringOrders: the actor has too many.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    if actor.enterprise_id is None or actor.group_id is None:
        raise NoEnterpriseToOrder
    lock_account(actor.pk)
    if (
        RecurringOrder.objects.filter(requester=actor, status__in=OPEN).count()
        >= MAX_RECURRING_ORDERS
    ):
        raise TooManyRecurringOrders
    checkout = _check_form(actor, form)
    row = RecurringOrder(
        group_id=actor.group_id,
        recurring_no=secrets.token_hex(12),
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department_id=actor.department_id,
    )
    _set_fields(row, form, checkout)
    _set_next_due(row, form, first_day=timezone.localdate())
    row.save()
    row.recurring_no = format_document_number("RO", pk=row.pk, at=timezone.now())
    row.save(update_fields=["recurring_no"])
    _write_lines(row, checkout)
    RECURRING.write_event(row, actor=actor, kind=RecurringEventKind.CREATED, before="")
    return row


@transaction.atomic
def recurring_order_change(
    *, actor: Account, recurring_no: str, form: RecurringForm, seen_at: datetime | None = None
) -> RecurringOrder:
    """Change a recurring order of the actor and return it. Its lines are agreed at today's prices
    again. A blocked one stays blocked: the owner decides how to go on.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder, OwnerDecides: it is not the actor's.
        Stale: it was changed after `seen_at`.
        WrongState: it has ended.
        ValidationFailed, PurchasingRefused, BudgetNotFound, BudgetNotNearest: as in the creation.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no, needs_owner=True)
    refuse_stale(row, seen_at=seen_at)
    if row.status not in OPEN:
        raise RECURRING.build_wrong_state(row, "修改")
    checkout = _check_form(actor, form)
    is_same_rhythm = (row.rhythm, row.number) == (form.rhythm, form.number)
    _set_fields(row, form, checkout)
    if form.starts_on is not None or not is_same_rhythm:
        _set_next_due(row, form, first_day=get_first_open_day(row, today=timezone.localdate()))
    elif row.ends_on is not None and row.ends_on < row.next_due:
        raise EndsTooEarly
    row.save()
    row.lines.all().delete()
    _write_lines(row, checkout)
    RECURRING.write_event(row, actor=actor, kind=RecurringEventKind.CHANGED, before=row.status)
    return row


def _check_form(actor: Account, form: RecurringForm) -> Checkout:
    """Return the checkout of the form today, and refuse lines and choices that cannot be ordered.
    Amounts (budget, credit, limits) are judged at each run.
    """
    checkout = get_checkout(
        actor=actor,
        form=CheckoutForm(
            address_id=form.address_id,
            delivery_wish=form.delivery_wish,
            invoice_title_id=form.invoice_title_id,
            invoice_kind=form.invoice_kind,
            payment_kind=form.payment_kind,
            budget_id=form.budget_id,
            cost_center=form.cost_center,
            purchase_order_no=form.purchase_order_no,
            remark=form.remark,
            basket=get_basket(quantities=form.quantities),
        ),
    )
    for line in checkout.lines:
        if line.problem and line.problem.code != StockShort.code:
            raise LineRefused(
                name=line.offer.name,
                problem=line.problem.message,
                suggestion=line.problem.suggestion,
            )
    for problem in checkout.problems:
        if problem.code == ValidationFailed.code:
            raise ChoiceRefused(problem.field, problem.message)
    return checkout


def _set_fields(row: RecurringOrder, form: RecurringForm, checkout: Checkout) -> None:
    """Copy the fields of the form and the checkout to the recurring order. Does not save it."""
    for name in SHARED:
        setattr(row, name, getattr(form, name))
    if row.approval_mode == ApprovalMode.ONCE and row.amount_ceiling is None:
        raise CeilingMissing
    row.terms_since = timezone.now()
    row.address = checkout.address
    row.invoice_title = checkout.title
    largest = MAX_NUMBER[form.rhythm]
    if not 1 <= form.number <= largest:
        raise RhythmNumberIllegal(largest)


def _set_next_due(row: RecurringOrder, form: RecurringForm, *, first_day: date) -> None:
    """Set the next due date from the form, not before `first_day`."""
    if form.starts_on is not None and form.starts_on < timezone.localdate():
        raise StartsInPast
    row.next_due = build_schedule(row).find_first(max(form.starts_on or first_day, first_day))
    if row.ends_on is not None and row.ends_on < row.next_due:
        raise EndsTooEarly


def _write_lines(row: RecurringOrder, checkout: Checkout) -> None:
    """Create the lines from the checkout, with today's price as the agreed one."""
    lines = []
    for line_no, cart_line in enumerate(checkout.lines, start=1):
        line = RecurringLine(
            group_id=row.group_id,
            recurring_order=row,
            no=line_no,
            product=cart_line.offer.product,
            quantity=cart_line.quantity,
        )
        line.agreed_price = cart_line.offer.get_price_for(cart_line.quantity)
        lines.append(line)
    RecurringLine.objects.bulk_create(lines)
