"""About 300 orders over 18 months in every state, written by the current services under a fixed
clock.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle, islice

from django.utils import timezone

from apps.catalog.models import Product
from apps.common.models import OutboxMessage
from apps.common.money import ZERO
from apps.common.tenancy import tenant_scope
from apps.orders.enums import PaymentKind
from apps.orders.models import Order
from apps.orders.services.industry_ranking import industry_rank_publish
from apps.org.models import Account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from demo.load.calendar import Calendar, choose_working_time
from demo.load.order_story import Fate, OrderStory, Staff

PAST_ORDERS = 275
DAYS = 535
SEED = 20240301
# The two main groups order most. A buyer has the weight of the group; `buyer` has a higher one.
GROUP_WEIGHTS = {"XL": 5, "YF": 4}
POOL = 260
RECENT = 12
DEAR_STAPLE = 60
PAST_FATES = (*[Fate.COMPLETED] * 17, Fate.CANCELLED, Fate.REJECTED, Fate.WITHDRAWN)
# (final state, days before the loading) of the newest orders, first for `buyer`, then for others.
OPEN_FATES = (
    (Fate.PENDING_APPROVAL, 0.4),
    (Fate.PENDING_CONFIRM, 0.6),
    (Fate.PENDING_SHIPMENT, 2),
    (Fate.PARTLY_SHIPPED, 4),
    (Fate.PENDING_RECEIPT, 5),
    (Fate.REJECTED, 6),
    (Fate.WITHDRAWN, 7),
    (Fate.CANCELLED, 8),
    (Fate.COMPLETED, 10),
)
# The parts that place orders after the history place them in this order, and later than all of
# it: lists show the newest first by key.
ORDERED_BEFORE = {
    "requisition": timedelta(hours=9),
    "quotation": timedelta(hours=8),
    "split": timedelta(hours=7),
}
NEEDS_APPROVAL = frozenset({Fate.PENDING_APPROVAL, Fate.REJECTED, Fate.WITHDRAWN})
NEEDS_HURRY = frozenset(
    {Fate.PENDING_CONFIRM, Fate.PENDING_SHIPMENT, Fate.PARTLY_SHIPPED, Fate.PENDING_RECEIPT}
)
# Months in which every group buys the staples; 1 is the last whole month. They give 行业排行 data
# for each period and for the period before it.
STAPLE_MONTHS = (1, 2, 4, 5)
STAPLES, STAPLES_EACH = 18, 15
PAYMENTS = (
    *[PaymentKind.CREDIT] * 7,
    PaymentKind.TRANSFER,
    PaymentKind.CASH_ON_DELIVERY,
    PaymentKind.ONLINE,
)


def load_history(*, now: datetime) -> str:
    """Write the order history. Return a summary in Chinese."""
    chance = random.Random(SEED)
    calendar = Calendar(now=now, chance=random.Random(SEED + 2))
    writer = _Writer(calendar, chance)
    writer.plan_past()
    writer.plan_present()
    writer.plan_staples()
    calendar.run()
    industry_rank_publish()
    forget_old_messages(now=now)
    return f"{Order.objects.count()} 笔订单"


def scale_to_floor(
    basket: dict[int, int], *, offers: Sequence[Offer], floor: int
) -> dict[int, int]:
    """Return the basket with all quantities times the smallest factor that makes it worth `floor`
    元 or more. Each line costs the price of its quantity (阶梯价).
    """

    def worth(factor: int) -> Decimal:
        quantities = [(offer, basket[offer.product.pk] * factor) for offer in offers]
        return sum(
            (offer.get_price_for(quantity) * quantity for offer, quantity in quantities), ZERO
        )

    single = worth(1)
    factor = 1 if single >= floor or not single else int(floor / single) + 1
    while single and worth(factor) < floor:
        factor += 1
    return {pk: quantity * factor for pk, quantity in basket.items()}


def forget_old_messages(*, now: datetime) -> None:
    """Mark outbox messages older than one day as delivered, so that nobody gets notices about
    old events.
    """
    OutboxMessage.objects.filter(
        delivered_at__isnull=True, available_at__lt=now - timedelta(days=1)
    ).update(delivered_at=now)


class _Writer:
    """Plans the orders: buyer, products and time. A fixed seed gives the same choices on every
    load. The calendar has its own random generator for the hours.
    """

    def __init__(self, calendar: Calendar, chance: random.Random) -> None:
        self.calendar = calendar
        self.chance = chance
        self.staff = Staff(
            service=Account.objects.get(username="ops.kefu"),
            finance=Account.objects.get(username="ops.caiwu"),
        )
        buyers = Account.objects.filter(roles__code__contains="BUY", is_active=True).select_related(
            "group", "enterprise", "department"
        )
        self.buyers = list(buyers.distinct().order_by("pk"))
        self.weights = [self._weight(buyer) for buyer in self.buyers]
        self._pools: dict[int, list[Offer]] = {}

    @staticmethod
    def _weight(buyer: Account) -> int:
        group = buyer.group
        return 14 if buyer.username == "buyer" else GROUP_WEIGHTS.get(group.code, 1) if group else 0

    def plan_past(self) -> None:
        """Plan past orders, which have all ended. They become more frequent towards today."""
        for number in range(PAST_ORDERS):
            age = RECENT + (DAYS - RECENT) * (1 - number / PAST_ORDERS) ** 1.25
            buyer = self.chance.choices(self.buyers, self.weights)[0]
            self._plan(buyer, age, self.chance.choice(PAST_FATES))

    def plan_present(self) -> None:
        """Plan orders of the last days in every state, for `buyer` and for other buyers."""
        first = next(buyer for buyer in self.buyers if buyer.username == "buyer")
        others = [
            buyer
            for buyer in self.buyers
            if buyer.group and buyer.group.code in GROUP_WEIGHTS and buyer is not first
        ]
        for fate, age in OPEN_FATES:
            self._plan(first, age, fate)
        for (fate, age), buyer in zip(
            islice(cycle(OPEN_FATES), 3 * len(OPEN_FATES)), cycle(others), strict=False
        ):
            self._plan(buyer, age + 0.3, fate)

    def plan_staples(self) -> None:
        """Plan orders of the same few products by every group."""
        chance = random.Random(SEED + 1)
        firsts = list({buyer.group_id: buyer for buyer in reversed(self.buyers)}.values())
        staples = self._staples(firsts)
        month = timezone.localtime(self.calendar.now).replace(day=1, hour=10)
        for back in range(1, max(STAPLE_MONTHS) + 1):
            month = (month - timedelta(days=1)).replace(day=1)
            for buyer in firsts if back in STAPLE_MONTHS else ():
                chosen = chance.sample(staples, min(STAPLES_EACH, len(staples)))
                basket = {
                    product.pk: product.min_quantity + chance.randrange(4) * product.step_quantity
                    for product in chosen
                }
                age = (
                    self.calendar.now - month - timedelta(days=chance.uniform(4, 22))
                ) / timedelta(days=1)
                self._plan(buyer, age, Fate.COMPLETED, basket)

    def _staples(self, buyers: Sequence[Account]) -> list[Product]:
        """Return cheap products that all of the buyers can see, with at most a third of them
        from one category.
        """
        best = list(
            Product.objects.filter(stock__gte=100, status="on")
            .order_by("-sales_count", "pk")
            .values_list("pk", flat=True)[:1500]
        )
        common: dict[int, Product] = {}
        for number, buyer in enumerate(buyers):
            with tenant_scope(group_id=buyer.group_id or 0):
                offers = get_offers(
                    context=get_catalogue_context(actor=buyer),
                    product_ids=best if number == 0 else common,
                )
            common = {
                pk: offer.product
                for pk, offer in offers.items()
                if offer.visible and offer.price < DEAR_STAPLE
            }
        taken: Counter[int] = Counter()
        chosen = []
        for product in common.values():
            taken[product.l1_id] += 1
            if taken[product.l1_id] <= STAPLES // 3:
                chosen.append(product)
        return chosen[:STAPLES]

    def _plan(
        self, buyer: Account, age: float, fate: Fate, basket: dict[int, int] | None = None
    ) -> None:
        moment = timezone.localtime(self.calendar.now) - timedelta(days=age)
        if age > RECENT:
            moment = choose_working_time(moment, self.calendar.chance)
        credit = buyer.enterprise is not None and buyer.enterprise.credit_limit is not None
        payment = self.chance.choice(PAYMENTS)
        if payment == PaymentKind.CREDIT and not credit:
            payment = PaymentKind.TRANSFER
        story = OrderStory(
            calendar=self.calendar,
            staff=self.staff,
            buyer=buyer,
            fate=fate,
            quantities=basket
            or self._basket(
                buyer, floor=self._floor(fate), kinds=2 if fate == Fate.PARTLY_SHIPPED else 1
            ),
            payment_kind=payment,
            is_hurried=fate in NEEDS_HURRY and age <= RECENT,
        )
        self.calendar.plan(moment, story.submit)

    def _floor(self, fate: Fate) -> int:
        """Return the minimum amount of an order in 元. Some orders are large; some are large
        enough to need an approval.
        """
        if fate in NEEDS_APPROVAL:
            return 5200
        return self.chance.choices((0, 800, 2500, 22_000), (60, 25, 12, 3))[0]

    def _basket(self, buyer: Account, *, floor: int, kinds: int) -> dict[int, int]:
        """Return product pk → legal quantity, with at least `kinds` products and about `floor`
        元 or more in total.
        """
        pool = self._pool(buyer)
        chosen = self.chance.sample(
            pool, min(len(pool), max(kinds, self.chance.choice((1, 2, 3, 3, 4, 5, 6, 8))))
        )
        basket = {offer.product.pk: self._quantity(offer) for offer in chosen}
        return scale_to_floor(basket, offers=chosen, floor=floor)

    def _quantity(self, offer: Offer) -> int:
        cheap = 1 + int(160 / max(float(offer.price), 1))
        steps = self.chance.randrange(0, min(30, 1 + cheap))
        return offer.product.min_quantity + steps * offer.product.step_quantity

    def _pool(self, buyer: Account) -> Sequence[Offer]:
        """Return the products that the buyer usually orders: a sample of the best-selling
        products that the buyer can see.
        """
        if buyer.pk not in self._pools:
            best = list(
                Product.objects.filter(stock__gte=100)
                .order_by("-sales_count", "pk")
                .values_list("pk", flat=True)[:1500]
            )
            wanted = self.chance.sample(best, min(POOL, len(best)))
            with tenant_scope(group_id=buyer.group_id or 0):
                offers = get_offers(context=get_catalogue_context(actor=buyer), product_ids=wanted)
            self._pools[buyer.pk] = [
                offer
                for offer in offers.values()
                if offer.visible and offer.product.status == "on" and offer.price < 900
            ]
        return self._pools[buyer.pk]
