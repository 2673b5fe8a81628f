"""Write an order and its lines as a snapshot of the checkout."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, cast

from django.utils import timezone

from apps.orders.enums import OrderApprovalStatus, OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.numbers import order_number
from apps.orders.selectors.checkout import Checkout, CheckoutForm
from apps.orders.selectors.deliveries import Delivery, Piece
from apps.orders.snapshots import address_snapshot, invoice_snapshot
from apps.requisitions.selectors import Gathered

if TYPE_CHECKING:
    from apps.org.models import Account, Address, InvoiceTitle


def order_write(
    *, actor: Account, form: CheckoutForm, checkout: Checkout, delivery: Delivery
) -> tuple[Order, list[OrderLine]]:
    """Return the new order of a delivery and its lines. The order number is set but not saved:
    the caller saves it together with the budget reservation.
    """
    order = _order_create(actor, form, checkout, delivery)
    return order, OrderLine.objects.bulk_create(
        [_line(order, number, piece) for number, piece in enumerate(delivery.pieces, start=1)]
    )


def _order_create(
    actor: Account, form: CheckoutForm, checkout: Checkout, delivery: Delivery
) -> Order:
    needed, now, amounts = checkout.plan.needed, timezone.now(), delivery.amounts
    department = delivery.department or actor.department
    order: Order = Order.objects.create(
        group_id=actor.group_id,
        order_no=secrets.token_hex(12),
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department=department,
        status=OrderStatus.PENDING_APPROVAL if needed else OrderStatus.PENDING_CONFIRM,
        approval_status=OrderApprovalStatus.PENDING if needed else OrderApprovalStatus.NOT_NEEDED,
        goods_amount=amounts.goods,
        freight_amount=amounts.freight,
        tax_amount=amounts.tax,
        total_amount=amounts.total,
        payment_kind=form.payment_kind,
        delivery_wish=form.delivery_wish,
        invoice_kind=form.invoice_kind,
        address_snapshot=address_snapshot(cast("Address", delivery.address)),
        invoice_snapshot=invoice_snapshot(cast("InvoiceTitle", checkout.title)),
        promised_days=delivery.promised_days,
        cost_center=delivery.cost_center or (department.cost_center if department else ""),
        purchase_order_no=form.purchase_order_no,
        remark=form.remark,
        submitted_at=now,
    )
    # The number contains the key. The caller saves it with the reservation, in one UPDATE.
    order.order_no = order_number(pk=order.pk, at=now)
    return order


def _line(order: Order, number: int, piece: Piece) -> OrderLine:
    offer = piece.line.offer
    product = offer.product
    money: dict[str, Any] = {
        "unit_price_incl_tax": offer.price,
        "market_price": offer.market_price,
        "amount_incl_tax": piece.amount,
        "tax_amount": piece.tax,
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
        category_id_l2=product.l2_id,
        category_id_l3=product.category_id,
        quantity=piece.quantity,
        tax_rate=product.tax_rate,
        tax_code=product.tax_code,
        **money,
        **_asked(piece.asked),
    )


def _asked(asked: Gathered | None) -> dict[str, str]:
    if asked is None:
        return {}
    return {
        "requisition_no": asked.requisition_no,
        "asked_by": asked.requester[:60],
        "cost_center": asked.cost_center,
    }
