"""Submit a checkout: write order, approval, budget, stock and event in one transaction. The lock
order is in docs/architecture.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn, cast

from django.db import transaction
from django.db.models import Exists
from django.utils import timezone

from apps.approvals.selectors.rules import list_rules_with_shared_sums
from apps.approvals.services.approval_flow import approval_start
from apps.budgets.errors import BudgetExceeded
from apps.budgets.locks import lock_budget_paths
from apps.budgets.services.budget_moves import budgets_reserve
from apps.cart.locks import lock_cart
from apps.cart.selectors.cart import CartLine
from apps.cart.selectors.problems import ERRORS as LINE_ERRORS
from apps.cart.services.cart_change import cart_remove
from apps.catalog.services.stock import stock_lock, stock_reserve
from apps.common.background.outbox import outbox_gathered
from apps.common.errors import DomainError, Stale, ValidationFailed
from apps.common.numbers import format_document_number
from apps.dimensions.errors import DimensionRefused
from apps.orders.enums import OrderApprovalStatus, OrderEventKind, OrderStatus, PaymentKind
from apps.orders.errors import CreditExceeded, PriceMoved, PurchaseLimitExceeded
from apps.orders.models import EarmarkedAmount, Order, OrderedName, OrderLine, sum_pieces_by_product
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.allocations import OrderShares, Shares, format_order_cost_center
from apps.orders.selectors.checkout import Checkout, CheckoutForm, get_checkout
from apps.orders.selectors.checkout_problems import CheckoutProblem, list_changed_prices
from apps.orders.selectors.deliveries import Delivery, DeliveryLine
from apps.orders.selectors.earmarks import Use, sum_uses
from apps.orders.selectors.purchase_limits import Usage, get_usage
from apps.orders.services.allocations import allocations_write
from apps.orders.services.payments import payment_open
from apps.orders.services.transitions import order_record
from apps.orders.snapshots import (
    build_address_key,
    build_address_snapshot,
    build_invoice_snapshot,
)
from apps.org.enums import CreditPolicy, PurchasingRight
from apps.org.locks import lock_enterprises
from apps.org.selectors.purchasing import require_purchasing
from apps.quotations.services import lock_quotation, quotation_mark_ordered
from apps.requisitions.selectors import Gathered
from apps.requisitions.services.requisition_order import Take, requisitions_order

if TYPE_CHECKING:
    from apps.budgets.models import Budget
    from apps.org.models import Account, Address, InvoiceTitle

ERRORS: dict[str, type[DomainError]] = {
    **LINE_ERRORS,
    **{
        error.code: error
        for error in (
            BudgetExceeded,
            CreditExceeded,
            DimensionRefused,
            PurchaseLimitExceeded,
            Stale,
        )
    },
}


def order_submit(*, actor: Account, form: CheckoutForm) -> Order:
    """Submit the cart and return the first order. See `orders_submit`."""
    return orders_submit(actor=actor, form=form)[0]


@transaction.atomic
@outbox_gathered()
def orders_submit(*, actor: Account, form: CheckoutForm) -> list[Order]:
    """Return the new orders of the chosen cart lines, one for each delivery. Either all orders
    are written or none. Ordered lines leave the cart; lines that cannot be bought stay in
    it.

    Approval and budget are checked against the sum of all orders, so a split cannot bypass a rule.

    Raises:
        PriceMoved: a price differs from the price that the buyer saw; the body has the differences.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort, BudgetExceeded, CreditExceeded,
            PurchaseLimitExceeded, Stale, ValidationFailed: as in the preview.
        QuotationNotFound, QuotationRefused: the quotation is not the enterprise's, or is not valid.
        PurchasingRefused: the actor may not order.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    lock_cart(actor=actor)
    quotation = (
        lock_quotation(actor=actor, quotation_no=form.quotation_no) if form.quotation_no else None
    )
    checkout = get_checkout(
        actor=actor,
        form=form,
        lock_usage=partial(_lock_usage, actor, form),
        lock_budgets=_lock_with_parents,
    )
    if checkout.problems:
        _refuse_checkout(checkout, form)
    orders_with_lines = [
        order_write(actor=actor, form=form, checkout=checkout, delivery=delivery, shares=shares)
        for delivery, shares in zip(checkout.deliveries, checkout.allocations.orders, strict=True)
    ]
    orders = [order for order, _ in orders_with_lines]
    allocations_write(orders_with_lines, checkout.allocations.orders)
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
    earmarked: list[EarmarkedAmount] = []
    for (order, lines), uses in zip(orders_with_lines, checkout.earmarks.uses, strict=True):
        earmarked += _reserve_budgets(order, lines, uses, actor=actor, checkout=checkout)
        order.save(
            update_fields=[
                "order_no",
                "budget_reservation",
                "is_earmarked",
                *(["batch"] if order.batch_id else []),
            ]
        )
    if earmarked:
        EarmarkedAmount.objects.bulk_create(earmarked)
    _reserve_stock(orders_with_lines)
    ordered_names_write(line for _, lines in orders_with_lines for line in lines)
    for order in orders:
        if order.payment_kind == PaymentKind.ONLINE and order.status == OrderStatus.PENDING_CONFIRM:
            payment_open(order=order)
        order_record(
            order, actor=actor, kind=OrderEventKind.SUBMITTED, before="", reason=form.remark
        )
    # The requisition is the last lock: order → approval → budget → stock → requisition.
    requisitions_order(actor=actor, takes=_list_requisition_takes(orders, checkout))
    if quotation is not None:
        quotation_mark_ordered(quotation=quotation, actor=actor, order_no=orders[0].order_no)
    elif form.basket is None:
        cart_remove(actor=actor, item_ids=[line.item_id for line in checkout.lines])
    return orders


def _reserve_budgets(
    order: Order,
    lines: Sequence[OrderLine],
    uses: Sequence[Sequence[Use]],
    *,
    actor: Account,
    checkout: Checkout,
) -> list[EarmarkedAmount]:
    """Reserve the order in its budget and its lines in the earmarked budgets. Return the amounts of
    the lines, unsaved.
    """
    order_use = [] if checkout.budget is None else [(checkout.budget, order.total_amount)]
    earmarks = sum_uses(uses)
    if not order_use and not earmarks:
        return []
    reservations = budgets_reserve(
        actor=actor,
        uses=[*order_use, *earmarks],
        reference=order.order_no,
        locked_budgets=checkout.locked_budgets or None,
    )
    if order_use:
        order.budget_reservation = reservations[0]
    by_budget = {row.budget_id: row for row in reservations[len(order_use) :]}
    order.is_earmarked = bool(by_budget)
    return [
        EarmarkedAmount(
            group_id=order.group_id,
            order=order,
            line=line,
            reservation=by_budget[use.budget.pk],
            amount=use.amount,
        )
        for line, line_uses in zip(lines, uses, strict=True)
        for use in line_uses
    ]


def _list_requisition_takes(orders: list[Order], checkout: Checkout) -> list[Take]:
    """Return which requisition line gives how many pieces to which order."""
    return [
        Take(line.gathered.line_id, order.order_no, line.quantity)
        for order, delivery in zip(orders, checkout.deliveries, strict=True)
        for line in delivery.lines
        if line.gathered is not None
    ]


def _reserve_stock(orders_with_lines: list[tuple[Order, list[OrderLine]]]) -> None:
    """Reserve the pieces of all orders of the submit. The rows of the stock are locked in one
    order first, so that two submits do not deadlock.
    """
    if len(orders_with_lines) > 1:
        stock_lock(
            product_ids={line.product_id for _, lines in orders_with_lines for line in lines}
        )
    for order, lines in orders_with_lines:
        stock_reserve(lines=sum_pieces_by_product(lines), reference=order.order_no)


def _lock_usage(actor: Account, form: CheckoutForm) -> Usage:
    """Return what earlier orders have used of the credit and of the actor's limits. Locks the
    enterprise row if an order on account has a limited credit or a rule sums up orders of several
    people, always before any budget (`org/locks.py`).

    If two orders each fit but not both, the lock makes the second one exceed the limit. Payments,
    cancellations and returns only free credit, so only a submit needs the lock.
    """
    is_on_credit = form.payment_kind == PaymentKind.CREDIT
    if actor.enterprise_id is None:
        return get_usage(actor=actor, is_on_credit=is_on_credit)
    if is_on_credit and (
        actor.enterprise is None or actor.enterprise.credit_policy != CreditPolicy.NONE
    ):
        lock_enterprises(actor.enterprise_id)
    else:
        # Rules that sum up the orders of several people judge one submit after the other.
        lock_enterprises(actor.enterprise_id, only_if=Exists(list_rules_with_shared_sums()))
    return get_usage(actor=actor, is_on_credit=is_on_credit)


def _lock_with_parents(budget_ids: set[int]) -> Mapping[int, Budget]:
    """Lock the budgets and all budgets above them. The `BudgetLock` of a submit."""
    return lock_budget_paths(budget_ids=budget_ids)


def _refuse_checkout(checkout: Checkout, form: CheckoutForm) -> NoReturn:
    """Raise the error of the checkout. Moved prices come first, so that a buyer always sees a
    new price before payment.
    """
    others = [problem for problem in checkout.problems if problem.code != PriceMoved.code]
    changed_prices = list_changed_prices(form=form, lines=checkout.lines)
    if changed_prices:
        differences = [
            _describe_price_change(line, str(seen_price)) for line, seen_price in changed_prices
        ]
        raise PriceMoved(
            body={
                "Lines": differences,
                "Problems": [_serialize_problem(problem) for problem in others],
            }
        )
    first = checkout.problems[0]
    if first.code == ValidationFailed.code:
        raise ValidationFailed({first.field or "non_field_errors": [first.message]})
    raise ERRORS[first.code](
        first.message,
        body={"Problems": [_serialize_problem(problem) for problem in checkout.problems]},
    )


def _describe_price_change(line: CartLine, seen_price: str) -> dict[str, str]:
    """Return a changed price as JSON. Prices are in 元."""
    return {
        "CartItemId": str(line.item_id),
        "ProductCode": line.offer.product.code,
        "Name": line.offer.name,
        "Brand": line.offer.product.brand.name,
        "SeenPrice": seen_price,
        "CustomerPrice": str(line.price),
    }


def _serialize_problem(problem: CheckoutProblem) -> dict[str, str | None]:
    """Return the problem as JSON. Without a cart line it concerns the whole order."""
    pk = problem.cart_item_id
    return {
        "CartItemId": None if pk is None else str(pk),
        "Code": problem.code,
        "Message": problem.message,
    }


def order_write(
    *,
    actor: Account,
    form: CheckoutForm,
    checkout: Checkout,
    delivery: Delivery,
    shares: OrderShares,
) -> tuple[Order, list[OrderLine]]:
    """Return (new order of a delivery, its lines). The order number is set but not saved: the
    caller saves it together with the budget reservation.
    """
    order = _create_order(
        actor=actor, form=form, checkout=checkout, delivery=delivery, shares=shares
    )
    return order, OrderLine.objects.bulk_create(
        [
            _build_order_line(order, number, line, line_shares)
            for number, (line, line_shares) in enumerate(
                zip(delivery.lines, shares.lines, strict=True), start=1
            )
        ]
    )


def _create_order(
    actor: Account,
    form: CheckoutForm,
    checkout: Checkout,
    delivery: Delivery,
    shares: OrderShares,
) -> Order:
    """Create the order of one delivery. Its number is final only after the caller has saved it."""
    needs_approval, now, amounts = checkout.plan.is_needed, timezone.now(), delivery.amounts
    department = delivery.department or actor.department
    snapshot = build_address_snapshot(cast("Address", delivery.address))
    order: Order = Order.objects.create(
        group_id=actor.group_id,
        order_no=secrets.token_hex(12),
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department=department,
        status=OrderStatus.PENDING_APPROVAL if needs_approval else OrderStatus.PENDING_CONFIRM,
        approval_status=OrderApprovalStatus.PENDING
        if needs_approval
        else OrderApprovalStatus.NOT_NEEDED,
        goods_amount=amounts.goods,
        freight_amount=amounts.freight,
        tax_amount=amounts.tax,
        total_amount=amounts.total,
        payment_kind=form.payment_kind,
        delivery_wish=form.delivery_wish,
        invoice_kind=form.invoice_kind,
        address_snapshot=snapshot,
        address_key=build_address_key(snapshot),
        invoice_snapshot=build_invoice_snapshot(cast("InvoiceTitle", checkout.title)),
        promised_days=delivery.promised_days,
        cost_center=format_order_cost_center(actor=actor, delivery=delivery, shares=shares),
        is_allocated=bool(shares.dimensions),
        purchase_order_no=form.purchase_order_no,
        remark=form.remark,
        submitted_at=now,
    )
    # The number contains the key. The caller saves it with the reservation, in one UPDATE.
    order.order_no = format_document_number("SO", pk=order.pk, at=now)
    return order


def _build_order_line(order: Order, number: int, line: DeliveryLine, shares: Shares) -> OrderLine:
    """Return the unsaved line with the product's data of today."""
    offer = line.cart_line.offer
    product = offer.product
    return OrderLine(
        group_id=order.group_id,
        order=order,
        product=product,
        no=number,
        product_code=product.code,
        name=product.name,
        customer_name=offer.customer_name,
        customer_code=offer.customer_code,
        brand=product.brand.name,
        brand_key=product.brand_id,
        enterprise_key=order.enterprise_id or 0,
        ordered_at=order.submitted_at,
        is_off_agreement=offer.price_source is None,
        model_code=product.model_code,
        unit=product.unit,
        image=product.image,
        category_id_l1=product.l1_id,
        category_id_l2=product.l2_id,
        category_id_l3=product.category_id,
        quantity=line.quantity,
        tax_rate=product.tax_rate,
        tax_code=product.tax_code,
        unit_price_incl_tax=line.cart_line.price,
        price_tiers=line.cart_line.tiers_snapshot,
        market_price=offer.market_price,
        amount_incl_tax=line.amount,
        tax_amount=line.tax,
        allocation_count=sum(map(len, shares.values())),
        **_get_requisition_fields(line.gathered),
    )


def _get_requisition_fields(gathered: Gathered | None) -> dict[str, str]:
    """Return the columns of an order line that name its requisition. Empty without one."""
    if gathered is None:
        return {}
    return {
        "requisition_no": gathered.requisition_no,
        "asked_by": gathered.requester[:60],
        "cost_center": gathered.cost_center,
    }


def ordered_names_write(lines: Iterable[OrderLine]) -> None:
    """Save an OrderedName (for the search of orders) for each name and customer code of the lines
    that has none yet. Call it after the stock of the lines is locked, so that two submits do not
    deadlock.
    """
    rows = {
        (line.product_id, line.name, line.customer_name, line.customer_code): OrderedName(
            group_id=line.group_id,
            product_id=line.product_id,
            product_code=line.product_code,
            name=line.name,
            customer_name=line.customer_name,
            customer_code=line.customer_code,
        )
        for line in lines
    }
    OrderedName.objects.bulk_create((rows[key] for key in sorted(rows)), ignore_conflicts=True)
