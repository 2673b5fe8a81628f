"""Helpers that create a received order and write reviews through the services."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from apps.catalog.tests.factories import ProductFactory
from apps.common.files import ANY_KIND, file_take
from apps.common.models import StoredFile
from apps.common.services.files import file_store
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.reviews.models import OrderReview, PublishedReview
from apps.reviews.services import ReviewInput, reviews_write


def receive_order(buyer: Account, staff: Account, *wishes: tuple[Any, int]) -> Order:
    """Return a fully received order of the products. Without products: two pieces of a new
    product.
    """
    order = place_order(buyer, *(wishes or ((ProductFactory(stock=100), 2),)))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    return order_receive(actor=buyer, order_no=order.order_no).order


def review(
    order: Order,
    stars: int = 5,
    text: str = "很好用",
    *,
    is_anonymous: bool = False,
    by: Account | None = None,
    **fields: Any,
) -> OrderReview:
    """Create a review of the order's first line by its requester, and return it."""
    line = order.lines.order_by("no")[0]
    [written] = reviews_write(
        actor=by or order.requester,
        order_no=order.order_no,
        lines=[ReviewInput(line.pk, stars, text=text, **fields)],
        is_anonymous=is_anonymous,
    )
    return written


def store_picture(owner: Account) -> StoredFile:
    """Return a picture that the account has uploaded."""
    content = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(content, "PNG")
    content.name = "办公室.png"
    return file_store(actor=owner, file=file_take(content, kinds=ANY_KIND, max_mb=1))


def get_published(order: Order) -> PublishedReview:
    """Return the public view of the order's only review."""
    return PublishedReview.objects.get(review__order=order)
