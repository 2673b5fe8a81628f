"""Submit a checkout: write order, approval, budget, stock and event in one transaction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from django.db import transaction

from apps.approvals.services.approval_flow import approval_start
from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import budgets_usable
from apps.budgets.services.budget_moves import budget_reserve
from apps.cart.locks import lock_cart
from apps.cart.selectors.cart import CartLine
from apps.cart.selectors.problems import ERRORS as LINE_ERRORS
from apps.cart.services.cart_change import cart_remove
from apps.catalog.services.stock import stock_lock, stock_reserve
from apps.common.errors import DomainError, Stale, ValidationFailed
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentKind
from apps.orders.errors import CreditExceeded, PriceMoved
from apps.orders.models import Order, OrderLine, pieces_by_product
from apps.orders.selectors.checkout import Checkout, CheckoutForm, budget_chosen, checkout_of
from apps.orders.selectors.checkout_problems import CheckoutProblem, moved_prices
from apps.orders.selectors.credit import Credit, credit_of
from apps.orders.selectors.scope import SUBJECT_TYPE
from apps.orders.services.moves import order_record
from apps.orders.services.order_write import order_write
from apps.orders.services.ordered_names import ordered_names_write
from apps.orders.services.payment_open import payment_open
from apps.org.enums import CreditPolicy
from apps.org.locks import lock_enterprises
from apps.requisitions.services.requisition_order import Take, requisitions_order

if TYPE_CHECKING:
    from apps.org.models import Account

ERRORS: dict[str, type[DomainError]] = {
    **LINE_ERRORS,
    **{error.code: error for error in (BudgetExceeded, CreditExceeded, Stale)},
}


def order_submit(*, actor: Account, form: CheckoutForm) -> Order:
    """Submit the cart and return the first order. See `orders_submit`."""
    return orders_submit(actor=actor, form=form)[0]


@transaction.atomic
def orders_submit(*, actor: Account, form: CheckoutForm) -> list[Order]:
    """Return the new orders of the chosen cart lines, one for each delivery. Either all orders
    are written or none. Ordered lines leave the cart; lines that cannot be bought stay in
    it.

    Approval and budget are checked against the sum of all orders, so a split cannot bypass a rule.

    Raises:
        PriceMoved: a price differs from the price that the buyer saw; the body has the differences.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort, BudgetExceeded, CreditExceeded,
            Stale, ValidationFailed: as in the preview.
    """
    lock_cart(actor=actor)
    credit = _credit(actor, form)
    checkout = checkout_of(actor=actor, form=form, budgets=_budgets(actor, form), credit=credit)
    if checkout.problems:
        _refuse(checkout, form)
    written = [
        order_write(actor=actor, form=form, checkout=checkout, delivery=delivery)
        for delivery in checkout.deliveries
    ]
    orders = [order for order, _ in written]
    # Keep the lock order across all orders: order → approval → budget → stock.
    for order in orders:
        order.batch = orders[0] if len(orders) > 1 else None
        subject = replace(checkout.subject, amount=order.total_amount)
        approval_start(
            subject_type=SUBJECT_TYPE,
            subject_id=order.pk,
            subject_no=order.order_no,
            subject=subject,
            plan=checkout.plan,
        )
    for order in orders:
        if checkout.budget is not None:
            order.budget_reservation = budget_reserve(
                actor=actor,
                budget=checkout.budget,
                amount=order.total_amount,
                reference=order.order_no,
            )
        order.save(
            update_fields=["order_no", "budget_reservation", *(["batch"] if order.batch_id else [])]
        )
    _stock_reserve(written)
    ordered_names_write(line for _, lines in written for line in lines)
    for order in orders:
        if order.payment_kind == PaymentKind.ONLINE and order.status == OrderStatus.PENDING_CONFIRM:
            payment_open(order=order)
        order_record(
            order, actor=actor, kind=OrderEventKind.SUBMITTED, before="", reason=form.remark
        )
    # The requisition is the last lock: order → approval → budget → stock → requisition.
    requisitions_order(actor=actor, takes=_takes(orders, checkout))
    cart_remove(actor=actor, item_ids=[line.item_id for line in checkout.lines])
    return orders


def _takes(orders: list[Order], checkout: Checkout) -> list[Take]:
    return [
        Take(piece.asked.line_id, order.order_no, piece.quantity)
        for order, delivery in zip(orders, checkout.deliveries, strict=True)
        for piece in delivery.pieces
        if piece.asked is not None
    ]


def _stock_reserve(written: list[tuple[Order, list[OrderLine]]]) -> None:
    if len(written) > 1:
        stock_lock(product_ids={line.product_id for _, lines in written for line in lines})
    for order, lines in written:
        stock_reserve(lines=pieces_by_product(lines), reference=order.order_no)


def _credit(actor: Account, form: CheckoutForm) -> Credit | None:
    """Return the credit of the enterprise for an order on account. Locks the enterprise row if
    the credit is limited, always before any budget (`org/locks.py`).

    If two orders each fit but not both, the lock makes the second one exceed the limit. Payments,
    cancellations and returns only free credit, so only a submit needs the lock.
    """
    if form.payment_kind != PaymentKind.CREDIT or actor.enterprise_id is None:
        return None
    if actor.enterprise is None or actor.enterprise.credit_policy != CreditPolicy.NONE:
        lock_enterprises(actor.enterprise_id)
    return credit_of(actor.enterprise_id)


def _budgets(actor: Account, form: CheckoutForm) -> list[Budget]:
    """Return the usable budgets. Locks the chosen one before the check if its policy does not
    block.

    If two orders each fit but not both, the lock makes the second one exceed the budget.
    """
    budgets = list(budgets_usable(actor=actor))
    judged = budget_chosen(budgets=budgets, budget_id=form.budget_id)
    if judged is not None and judged.policy != BudgetPolicy.BLOCK:
        judged.refresh_from_db(from_queryset=Budget.objects.select_for_update())
    return budgets


def _refuse(checkout: Checkout, form: CheckoutForm) -> NoReturn:
    """Raise the error of the checkout. Moved prices come first, so that a buyer always sees a
    new price before payment.
    """
    others = [problem for problem in checkout.problems if problem.code != PriceMoved.code]
    moved = moved_prices(form=form, lines=checkout.lines)
    if moved:
        differences = [_difference(line, str(seen)) for line, seen in moved]
        raise PriceMoved(
            body={"Lines": differences, "Problems": [_wire(problem) for problem in others]}
        )
    first = checkout.problems[0]
    if first.code == ValidationFailed.code:
        raise ValidationFailed({first.field or "non_field_errors": [first.message]})
    raise ERRORS[first.code](
        first.message, body={"Problems": [_wire(problem) for problem in checkout.problems]}
    )


def _difference(line: CartLine, seen: str) -> dict[str, str]:
    return {
        "CartItemId": str(line.item_id),
        "ProductCode": line.offer.product.code,
        "Name": line.offer.name,
        "SeenPrice": seen,
        "CustomerPrice": str(line.price),
    }


def _wire(problem: CheckoutProblem) -> dict[str, str | None]:
    pk = problem.cart_item_id
    return {
        "CartItemId": None if pk is None else str(pk),
        "Code": problem.code,
        "Message": problem.message,
    }
