"""Searches, favorites, browsing history and a filled cart of some demo accounts."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from decimal import Decimal

from apps.cart.services.cart_add import cart_refill
from apps.common.money import round_yuan
from apps.common.tenancy import tenant_scope
from apps.orders.models import OrderLine
from apps.org.models import Account
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.search.enums import FavoriteType
from apps.search.models import Favorite
from apps.search.services.favorites import favorite_add
from apps.search.services.search_log import search_log_record
from demo.load.clock import clock_at

SEED = 20240302
PEOPLE = ("buyer", "ga", "xl.qian", "xl.shen", "other", "yf.zhu", "yf.he")
# Index modulo 7 → factor of the stored price: one favorite of seven was dearer, one cheaper.
KEPT_AT = {1: Decimal("1.08"), 4: Decimal("0.95")}
SEARCHES = (
    ("A4复印纸", 24), ("中性笔", 20), ("硒鼓", 16), ("文件夹", 13), ("抽纸", 12),
    ("垃圾袋", 10), ("劳保手套", 9), ("电池", 8), ("档案盒", 7), ("洗手液", 6),
    ("订书机", 6), ("白板笔", 5), ("插座", 5), ("矿泉水", 5), ("口罩", 4),
    ("便利贴", 4),
)  # fmt: skip


def load_traces(*, now: datetime) -> str:
    """Write the traces of the last three months. Return a summary in Chinese."""
    chance = random.Random(SEED)
    people = list(Account.objects.filter(username__in=PEOPLE).order_by("pk"))
    searches = sum(_create_searches(person, now, chance) for person in people)
    stored = sum(_create_favorites(person, now, chance) for person in people)
    return f"{searches} 次搜索，{stored} 条收藏与浏览"


def _create_searches(person: Account, now: datetime, chance: random.Random) -> int:
    words, weights = zip(*SEARCHES, strict=True)
    count = 30
    with tenant_scope(group_id=person.group_id or 0):
        for word in chance.choices(words, weights, k=count):
            with clock_at(now - timedelta(days=chance.uniform(0.2, 88))):
                search_log_record(actor=person, keyword=word, results=chance.randrange(8, 120))
    return count


def _create_favorites(person: Account, now: datetime, chance: random.Random) -> int:
    with tenant_scope(group_id=person.group_id or 0):
        bought = list(
            OrderLine.objects.order_by("product_id").values_list("product_id", flat=True).distinct()
        )
        wanted = chance.sample(bought, min(18, len(bought)))
        offers = get_offers(context=get_catalogue_context(actor=person), product_ids=wanted)
        usable = [offer for offer in offers.values() if offer.visible and offer.is_on_sale]
        for number, offer in enumerate(usable):
            kind = FavoriteType.FAVORITE if number % 3 == 0 else FavoriteType.BROWSE
            with clock_at(now - timedelta(hours=chance.uniform(1, 24 * 20))):
                favorite_add(actor=person, code=offer.product.code, kind=kind)
        _change_prices(person)
        if person.username == PEOPLE[0]:
            _fill_cart(person, usable[:6])
    return len(usable)


def _change_prices(person: Account) -> None:
    """Change the stored price of some favorites, because prices of the demo do not change."""
    for number, row in enumerate(Favorite.objects.filter(account=person).order_by("pk")):
        factor = KEPT_AT.get(number % len(PEOPLE))
        if factor and row.added_price:
            Favorite.objects.filter(pk=row.pk).update(
                added_price=round_yuan(row.added_price * factor)
            )


def _fill_cart(person: Account, offers: list[Offer]) -> None:
    cart_refill(
        actor=person,
        quantities={offer.product.pk: offer.product.min_quantity * 2 for offer in offers},
    )
