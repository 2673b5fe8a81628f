"""The facts that an answer must contain, computed from the data when the question is asked.
bench/assistant/README.md lists the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.approvals.selectors.approvals import approvals_in_box
from apps.assistant.answers import Turn
from apps.budgets.selectors.budgets import budgets_usable
from apps.cart.models import CartItem
from apps.catalog.enums import ProductStatus
from apps.common.tenancy import platform_scope
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, Shipment
from apps.org.models import Account
from apps.pricing.selectors.context import catalogue_context
from apps.pricing.selectors.offers import Offer, offers_by_code, offers_for

MAX_NAMES = 3
ENOUGH = 0.8


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to judge, the previous answer, and the account."""

    actor: Account
    turn: Turn
    before: Turn | None
    cart_before: dict[int, int]


def plain(text: str) -> str:
    """Return the text without thousands separators and punctuation, for finding numbers."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("*", "").replace("¥", ""))


def holds(case: Case, fact: str) -> bool:
    """Whether the answer contains the fact."""
    verb, _, rest = fact.partition(" ")
    return FACTS[verb](case, rest.strip())


def _offer(case: Case, name: str) -> Offer:
    """Return the account's offer for a code, or for the @n-th card of the previous answer."""
    if name.startswith("@"):
        codes = case.before.codes if case.before else []
        name = codes[-1] if name == "@last" else codes[int(name[1:]) - 1]
    return offers_by_code(context=catalogue_context(actor=case.actor), codes=[name])[name]


def _says_figure(case: Case, figure: Decimal | int) -> bool:
    text = plain(case.turn.text)
    shown = {str(figure)} | (
        {f"{figure:.2f}", f"{figure.normalize():f}"} if isinstance(figure, Decimal) else set()
    )
    return any(re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d|\.\d)", text) for figure in shown)


def _says(case: Case, rest: str) -> bool:
    return any(word.strip() in case.turn.text for word in rest.split("|"))


def _never(case: Case, rest: str) -> bool:
    return not FACTS[rest.partition(" ")[0]](case, rest.partition(" ")[2])


def _cards(case: Case, rest: str) -> bool:
    """Whether nearly all cards, and at least one, have the property."""
    known = offers_by_code(context=catalogue_context(actor=case.actor), codes=case.turn.codes)
    offers = [known[code] for code in case.turn.codes]
    name, _, value = rest.partition("=")
    if name == "count":
        return len(offers) >= int(value)
    if name == "code":
        return value in case.turn.codes
    if name == "ascending":
        prices = [offer.price for offer in offers]
        return bool(prices) and prices == sorted(prices)
    if name == "cheapest":
        return bool(offers) and offers[0].price == _cheapest(case, value)
    fits = CARDS[name]
    return bool(offers) and sum(fits(offer, value) for offer in offers) >= ENOUGH * len(offers)


def _has_attribute(offer: Offer, value: str) -> bool:
    return any(
        value.casefold() in str(one).casefold()
        for one in [offer.product.name, *offer.product.attributes.values()]
    )


CARDS: dict[str, Callable[[Offer, str], bool]] = {
    "category": lambda offer, value: offer.product.l3.name in value.split("|"),
    "brand": lambda offer, value: offer.product.brand.name == value,
    "max": lambda offer, value: offer.price <= Decimal(value),
    "min": lambda offer, value: offer.price >= Decimal(value),
    "attribute": _has_attribute,
    "stock": lambda offer, _: offer.available > 0,
}


def _cheapest(case: Case, category: str) -> Decimal:
    from apps.catalog.models import Product

    ids = Product.objects.filter(l3__name=category, status=ProductStatus.ON_SALE).values_list(
        "pk", flat=True
    )
    offers = offers_for(context=catalogue_context(actor=case.actor), product_ids=ids).values()
    return min(offer.price for offer in offers if offer.visible)


def _no(case: Case, rest: str) -> bool:
    return not (case.turn.codes if rest == "cards" else case.turn.proposed)


def _proposal(case: Case, rest: str) -> bool:
    name, _, value = rest.partition("=")
    proposed = case.turn.proposed
    if name == "lines":
        return len(proposed) >= int(value)
    if name == "total":
        offers = offers_by_code(context=catalogue_context(actor=case.actor), codes=proposed)
        total = sum(
            (offers[code].price * quantity for code, quantity in proposed.items()), Decimal()
        )
        return bool(proposed) and total <= Decimal(value)
    code = _offer(case, name).product.code
    return code in proposed and (not value or proposed[code] == int(value))


def _cart(case: Case, rest: str) -> bool:
    held = dict(CartItem.objects.filter(account=case.actor).values_list("product_id", "quantity"))
    if rest == "unchanged":
        return held == case.cart_before
    return _says_figure(case, len(held))


def _link(case: Case, rest: str) -> bool:
    return any(
        link.path.startswith(path.strip()) for link in case.turn.links for path in rest.split("|")
    )


def _orders_of(case: Case, which: str) -> list[Order]:
    """Return the account's newest orders in a state; `latest` and `shipped` are allowed too."""
    states = {
        "latest": list(OrderStatus.values),
        "shipped": [OrderStatus.PARTLY_SHIPPED, OrderStatus.PENDING_RECEIPT],
    }
    mine = Order.objects.filter(
        requester=case.actor, status__in=states.get(which, [which])
    ).order_by("-submitted_at", "-id")
    return list(
        mine.prefetch_related("lines", "shipments")[: 1 if which == "latest" else MAX_NAMES]
    )


def _order(case: Case, rest: str) -> bool:
    if "|" in rest:
        first, _, other = rest.partition("|")
        return _order(case, first) or holds(case, other)
    *who, which, what = rest.split()
    if who:
        with platform_scope(reason="bench"):
            actor = Account.objects.get(username=who[0])
            found = _orders_of(Case(actor, case.turn, None, {}), which)
    else:
        found = _orders_of(case, which)
    shown: dict[str, Callable[[Order], bool]] = {
        "no": lambda order: order.order_no in case.turn.text,
        "status": lambda order: order.get_status_display() in case.turn.text,
        "total": lambda order: _says_figure(case, order.total_amount),
        "product": lambda order: any(
            line.name in case.turn.text or line.product_code in case.turn.codes
            for line in order.lines.all()
        ),
        "tracking": lambda order: all(
            row.tracking_no in case.turn.text for row in Shipment.objects.filter(order=order)
        ),
    }
    return bool(found) and all(
        shown[what](order) for order in (found if what == "no" else found[:1])
    )


def _count(case: Case, rest: str) -> bool:
    return _says_figure(case, Order.objects.filter(requester=case.actor, status=rest).count())


def _waiting(case: Case, _rest: str) -> bool:
    number = approvals_in_box(actor=case.actor, box="todo").count()
    return _says_figure(case, number) or (number == 0 and "没有" in case.turn.text)


def _budget(case: Case, rest: str) -> bool:
    budget: Any = budgets_usable(actor=case.actor).first()
    return budget is not None and _says_figure(case, getattr(budget, rest))


def _cheaper(case: Case, rest: str) -> bool:
    first, second = (_offer(case, code) for code in rest.split(","))
    better = first if first.price <= second.price else second
    sentence = next(
        (
            part
            for part in re.split(r"[。；;\n]", case.turn.text)
            if "便宜" in part or "更低" in part
        ),
        "",
    )
    return (
        better.product.code in sentence
        or better.name in sentence
        or str(better.product.model_code) in sentence
    )


FACTS: dict[str, Callable[[Case, str], bool]] = {
    "says": _says,
    "never": _never,
    "cards": _cards,
    "no": _no,
    "price": lambda case, name: _says_figure(case, _offer(case, name).price),
    "market": lambda case, name: _says_figure(case, _offer(case, name).market_price),
    "stock": lambda case, name: _says_figure(case, _offer(case, name).available),
    "lead": lambda case, name: _says_figure(case, _offer(case, name).product.lead_days),
    "minimum": lambda case, name: _says_figure(case, _offer(case, name).product.min_quantity),
    "cheaper": _cheaper,
    "proposal": _proposal,
    "cart": _cart,
    "link": _link,
    "order": _order,
    "count": _count,
    "waiting": _waiting,
    "budget": _budget,
}
