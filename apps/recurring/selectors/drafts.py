"""The form of a recurring order: filled from the cart, an order, a list or itself, with today's
lines and the choices that the person has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.cart.selectors.cart import BasketLine, list_cart_lines
from apps.cart.selectors.quick_lists import get_quick_list
from apps.catalog.models import Product
from apps.orders.enums import DeliveryWish, InvoiceKind, PaymentKind
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.checkout import Checkout, CheckoutForm, get_checkout
from apps.orders.selectors.customer_terms import get_default_payment_kind, list_invoice_kinds
from apps.org.enums import PurchasingRight
from apps.org.models import Address
from apps.org.selectors.addresses import list_usable_addresses
from apps.org.selectors.purchasing import require_purchasing
from apps.recurring.enums import ApprovalMode, Rhythm
from apps.recurring.errors import NothingToRepeat, ProductUnknown
from apps.recurring.models import MAX_REMARK, RecurringOrder
from apps.recurring.selectors.recurring_orders import get_recurring_order

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringForm:
    """What a person sets. `quantities` is by product code. `starts_on` None keeps the present next
    due date of a change whose rhythm stays, and means today otherwise.
    """

    name: str
    quantities: Mapping[str, int]
    rhythm: str = Rhythm.MONTHLY
    number: int = 1
    starts_on: date | None = None
    ends_on: date | None = None
    remind_days: int = 1
    amount_ceiling: Decimal | None = None
    rise_percent: Decimal | None = None
    approval_mode: str = ApprovalMode.EACH
    address_id: int | None = None
    invoice_title_id: int | None = None
    budget_id: int | None = None
    delivery_wish: str = DeliveryWish.ANY
    invoice_kind: str = InvoiceKind.E_NORMAL
    payment_kind: str = PaymentKind.CREDIT
    cost_center: str = ""
    purchase_order_no: str = ""
    remark: str = ""


# The columns that a form and a recurring order share.
SHARED = (
    "name",
    "rhythm",
    "number",
    "ends_on",
    "remind_days",
    "amount_ceiling",
    "rise_percent",
    "approval_mode",
    "budget_id",
    "delivery_wish",
    "invoice_kind",
    "payment_kind",
    "cost_center",
    "purchase_order_no",
    "remark",
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A filled form, with today's checkout of its lines and the usable addresses. Ids of rows that
    the person may no longer use are None.
    """

    form: RecurringForm
    checkout: Checkout
    addresses: list[Address]


def get_draft(
    *, actor: Account, order_no: str = "", list_id: int | None = None, recurring_no: str = ""
) -> Draft:
    """Return the form filled from the named order, list or recurring order, otherwise from the
    selected lines of the cart.

    Raises:
        PurchasingRefused: the actor may not order.
        OrderNotFound, QuickListNotFound, RecurringOrderNotFound: the actor cannot see the source.
        NothingToRepeat: the source has no line that still is a product.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    if order_no:
        form = _build_form_of_order(actor, order_no)
    elif recurring_no:
        form = _build_form_of_recurring(get_recurring_order(actor=actor, recurring_no=recurring_no))
    elif list_id is not None:
        quick_list = get_quick_list(actor=actor, pk=list_id)
        form = _build_new_form(
            actor,
            name=quick_list.name,
            quantities={line["code"]: line["quantity"] for line in quick_list.lines},
        )
    else:
        lines = list_cart_lines(actor=actor)
        form = _build_new_form(
            actor,
            name="",
            quantities={line.offer.product.code: line.quantity for line in reversed(lines)},
        )
    products = _get_products_by_code(form.quantities)
    basket = _build_basket(
        {code: pieces for code, pieces in form.quantities.items() if code in products}, products
    )
    checkout = get_checkout(
        actor=actor,
        form=CheckoutForm(
            invoice_kind=form.invoice_kind, payment_kind=form.payment_kind, basket=basket
        ),
    )
    addresses = list(list_usable_addresses(actor=actor))
    return Draft(_drop_unusable_choices(form, checkout, addresses), checkout, addresses)


def get_basket(*, quantities: Mapping[str, int]) -> tuple[BasketLine, ...]:
    """Return the products as lines of a checkout, keyed by their product. One query.

    Raises:
        NothingToRepeat: there is none.
        ProductUnknown: a code is not that of a product.
    """
    products = _get_products_by_code(quantities)
    for code in quantities:
        if code not in products:
            raise ProductUnknown(code)
    return _build_basket(quantities, products)


def _build_basket(
    quantities: Mapping[str, int], product_ids: Mapping[str, int]
) -> tuple[BasketLine, ...]:
    """Return the basket of quantities by product code. `product_ids` are by code."""
    if not quantities:
        raise NothingToRepeat
    return tuple(
        BasketLine(product_ids[code], product_ids[code], quantity)
        for code, quantity in quantities.items()
    )


def _get_products_by_code(codes: Collection[str]) -> dict[str, int]:
    """Return {code: pk} of the products that exist. One query."""
    return dict(Product.objects.filter(code__in=codes).values_list("code", "pk"))


def _build_new_form(actor: Account, *, name: str, quantities: Mapping[str, int]) -> RecurringForm:
    """Return a draft with the default kinds of invoice and payment."""
    return RecurringForm(
        name=name[:MAX_NAME],
        quantities=quantities,
        invoice_kind=list_invoice_kinds(actor)[0],
        payment_kind=get_default_payment_kind(actor),
    )


def _build_form_of_order(actor: Account, order_no: str) -> RecurringForm:
    """Return the draft with products and choices of an order that the actor may see."""
    order: Order | None = (
        list_visible_orders(actor=actor)
        .select_related("budget_reservation")
        .filter(order_no=order_no)
        .first()
    )
    if order is None:
        raise OrderNotFound
    quantities: dict[str, int] = {}
    for line in order.lines.order_by("no"):
        # Cancelled pieces count, because the buyer ordered them.
        pieces = line.quantity + line.cancelled_quantity
        quantities[line.product_code] = quantities.get(line.product_code, 0) + pieces
    reservation = order.budget_reservation
    return RecurringForm(
        name="",
        quantities=quantities,
        address_id=_get_id_in_snapshot(order.address_snapshot),
        invoice_title_id=_get_id_in_snapshot(order.invoice_snapshot),
        budget_id=reservation.budget_id if reservation else None,
        delivery_wish=order.delivery_wish,
        invoice_kind=order.invoice_kind,
        payment_kind=order.payment_kind,
        cost_center=order.cost_center,
        remark=order.remark[:MAX_REMARK],
    )


def _get_id_in_snapshot(snapshot: Mapping[str, str]) -> int | None:
    """Return the id of the row that the order copied, None if it had none."""
    return int(snapshot["Id"]) if snapshot.get("Id") else None


def _build_form_of_recurring(row: RecurringOrder) -> RecurringForm:
    """Return the draft with products and choices of a recurring order."""
    return RecurringForm(
        quantities={
            line.product.code: line.quantity
            for line in row.lines.select_related("product").order_by("no")
        },
        address_id=row.address_id,
        invoice_title_id=row.invoice_title_id,
        **{name: getattr(row, name) for name in SHARED},
    )


def _drop_unusable_choices(
    form: RecurringForm, checkout: Checkout, addresses: list[Address]
) -> RecurringForm:
    """Return the form without the choices that the person no longer has."""

    def keep_if_offered(pk: int | None, rows: list[int]) -> int | None:
        return pk if pk in rows else None

    return replace(
        form,
        address_id=keep_if_offered(form.address_id, [row.pk for row in addresses]),
        invoice_title_id=keep_if_offered(
            form.invoice_title_id, [row.pk for row in checkout.titles]
        ),
        budget_id=keep_if_offered(form.budget_id, [row.pk for row in checkout.budgets]),
        payment_kind=form.payment_kind
        if form.payment_kind in checkout.payment_kinds
        else next(iter(checkout.payment_kinds), form.payment_kind),
        invoice_kind=form.invoice_kind
        if form.invoice_kind in checkout.invoice_kinds
        else checkout.invoice_kinds[0],
    )
