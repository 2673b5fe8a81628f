"""Submit what checkout showed: order, approval, budget, stock and event in one transaction (domain.md, Cart → order)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, NoReturn, cast

from django.db import transaction
from django.utils import timezone

from apps.approvals.services.approval_start import approval_start
from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import budgets_usable
from apps.budgets.services.budget_moves import budget_reserve
from apps.cart.locks import lock_cart
from apps.cart.selectors.cart import CartLine
from apps.cart.selectors.problems import ERRORS as LINE_ERRORS
from apps.cart.services.cart_change import cart_remove
from apps.catalog.services.stock import stock_reserve
from apps.common.errors import DomainError, Stale, ValidationFailed
from apps.common.money import ZERO, tax_of
from apps.orders.enums import OrderApprovalStatus, OrderEventKind, OrderStatus, PaymentKind
from apps.orders.errors import CreditExceeded, PriceMoved
from apps.orders.models import Order, OrderLine
from apps.orders.numbers import order_number
from apps.orders.selectors.checkout import Checkout, CheckoutForm, budget_chosen, checkout_of
from apps.orders.selectors.checkout_problems import CheckoutProblem, moved_prices
from apps.orders.selectors.scope import SUBJECT_TYPE
from apps.orders.services.moves import order_record
from apps.orders.services.payment_open import payment_open
from apps.orders.snapshots import address_snapshot, invoice_snapshot

if TYPE_CHECKING:
    from apps.org.models import Account, Address, InvoiceTitle

ERRORS: dict[str, type[DomainError]] = {**LINE_ERRORS, **{error.code: error for error in (BudgetExceeded, CreditExceeded, Stale)}}


@transaction.atomic
def order_submit(*, actor: Account, form: CheckoutForm) -> Order:
    """Return the new order of the chosen cart lines, which leave the cart; what could not be bought stays in it.

    Raises:
        PriceMoved: a price is no longer the one the buyer saw; the body has the differences.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort, BudgetExceeded, CreditExceeded, Stale, ValidationFailed: as the preview said.
    """
    lock_cart(actor=actor)
    checkout = checkout_of(actor=actor, form=form, budgets=_budgets(actor, form))
    if checkout.problems:
        _refuse(checkout, form)
    order = _order_create(actor, form, checkout)
    lines = OrderLine.objects.bulk_create([_line(order, number, line) for number, line in enumerate(checkout.lines, start=1)])
    approval_start(subject_type=SUBJECT_TYPE, subject_id=order.pk, subject_no=order.order_no, subject=checkout.subject, plan=checkout.plan)
    if checkout.budget is not None:
        order.budget_reservation = budget_reserve(actor=actor, budget=checkout.budget, amount=order.total_amount, reference=order.order_no)
    order.save(update_fields=["order_no", "budget_reservation"])
    stock_reserve(lines={line.product_id: line.quantity for line in lines}, reference=order.order_no)
    if order.payment_kind == PaymentKind.ONLINE and order.status == OrderStatus.PENDING_CONFIRM:
        payment_open(order=order)
    order_record(order, actor=actor, kind=OrderEventKind.SUBMITTED, before="", reason=form.remark)
    cart_remove(actor=actor, item_ids=[line.item_id for line in checkout.lines])
    return order


def _budgets(actor: Account, form: CheckoutForm) -> list[Budget]:
    """Return the budgets to choose from, and lock the chosen one where it may be exceeded before it is judged.

    Of two orders that each just fit, the second must be seen to exceed it.
    """
    budgets = list(budgets_usable(actor=actor))
    judged = budget_chosen(budgets=budgets, budget_id=form.budget_id)
    if judged is not None and judged.policy != BudgetPolicy.BLOCK:
        judged.refresh_from_db(from_queryset=Budget.objects.select_for_update())
    return budgets


def _refuse(checkout: Checkout, form: CheckoutForm) -> NoReturn:
    """Moved prices are told before anything else: the buyer must never learn of them by paying them."""
    others = [problem for problem in checkout.problems if problem.code != PriceMoved.code]
    moved = moved_prices(form=form, lines=checkout.lines)
    if moved:
        differences = [_difference(line, str(seen)) for line, seen in moved]
        raise PriceMoved(body={"Lines": differences, "Problems": [_wire(problem) for problem in others]})
    first = checkout.problems[0]
    if first.code == ValidationFailed.code:
        raise ValidationFailed({first.field or "non_field_errors": [first.message]})
    raise ERRORS[first.code](first.message, body={"Problems": [_wire(problem) for problem in checkout.problems]})


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
    return {"CartItemId": None if pk is None else str(pk), "Code": problem.code, "Message": problem.message}


def _order_create(actor: Account, form: CheckoutForm, checkout: Checkout) -> Order:
    needed, now = checkout.plan.needed, timezone.now()
    order: Order = Order.objects.create(
        group_id=actor.group_id,
        order_no=secrets.token_hex(12),
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department_id=actor.department_id,
        status=OrderStatus.PENDING_APPROVAL if needed else OrderStatus.PENDING_CONFIRM,
        approval_status=OrderApprovalStatus.PENDING if needed else OrderApprovalStatus.NOT_NEEDED,
        goods_amount=checkout.amounts.goods,
        freight_amount=checkout.amounts.freight,
        tax_amount=checkout.amounts.tax,
        total_amount=checkout.amounts.total,
        payment_kind=form.payment_kind,
        delivery_wish=form.delivery_wish,
        invoice_kind=form.invoice_kind,
        address_snapshot=address_snapshot(cast("Address", checkout.address)),
        invoice_snapshot=invoice_snapshot(cast("InvoiceTitle", checkout.title)),
        promised_days=checkout.promised_days,
        cost_center=form.cost_center or (actor.department.cost_center if actor.department else ""),
        purchase_order_no=form.purchase_order_no,
        remark=form.remark,
        submitted_at=now,
    )
    # The number comes from the key; it is written with the reservation below, in one UPDATE.
    order.order_no = order_number(pk=order.pk, at=now)
    return order


def _line(order: Order, number: int, line: CartLine) -> OrderLine:
    product, offer, amount = line.offer.product, line.offer, line.amount or ZERO
    money: dict[str, Any] = {
        "unit_price_incl_tax": offer.price,
        "market_price": offer.market_price,
        "amount_incl_tax": amount,
        "tax_amount": tax_of(amount, product.tax_rate),
    }
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
        model_code=product.model_code,
        unit=product.unit,
        image=product.image,
        category_id_l1=product.l1_id,
        quantity=line.quantity,
        tax_rate=product.tax_rate,
        tax_code=product.tax_code,
        **money,
    )
