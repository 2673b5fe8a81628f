"""Controls of the demo at work: one purchase in two orders within minutes, which a rule on sums
(防拆单) sends to an approver.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from apps.cart.services.cart_add import cart_refill
from apps.cart.services.cart_change import cart_clear
from apps.common.tenancy import tenant_scope
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.org.models import Account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code
from demo.load.clock import clock_at
from demo.load.history import ORDERED_BEFORE
from demo.load.requisitions import list_usual_codes

if TYPE_CHECKING:
    import random

WHO = "xl.wang"
# Each order is worth a little less than 元 1,950. Alone it needs no approval.
WORTH = 1950
BETWEEN = timedelta(minutes=7)


def load_controls(now: datetime, _chance: random.Random) -> str:
    """Submit the two orders. Return a summary in Chinese."""
    person = Account.objects.get(username=WHO)
    with tenant_scope(group_id=person.group_id or 0):
        usual = get_offers_by_code(
            context=get_catalogue_context(actor=person), codes=list_usual_codes(person)
        )
        agreed = [offer for offer in usual.values() if offer.visible and offer.price_source]
        first = now - ORDERED_BEFORE["split"]
        orders = [
            _submit(person, offer, at=at)
            for offer, at in zip(agreed, (first, first + BETWEEN), strict=False)
        ]
    return f"{len(orders)} 笔拆分的订单"


def _submit(person: Account, offer: Offer, *, at: datetime) -> Order:
    step = offer.product.step_quantity
    steps = max(int((WORTH / float(offer.price) - offer.product.min_quantity) / step), 0)
    with clock_at(at):
        cart_clear(actor=person)
        cart_refill(
            actor=person,
            quantities={offer.product.pk: offer.product.min_quantity + steps * step},
        )
        return order_submit(actor=person, form=CheckoutForm(remark="会议室与接待用品"))
