"""清单选品: candidates for every line of a wish list, the best one selected, with few queries for
many lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import first_spoken_words, query_words, sound_key
from apps.pricing.selectors.context import CatalogueContext, catalogue_context
from apps.search.keyword import Concept, Lexicon, head_of
from apps.search.lexicon import lexicon_of
from apps.search.selectors.named import products_named
from apps.search.sql.on_sale import list_best_ids
from apps.selection.selectors.selection_products import (
    MAX_CANDIDATES,
    Candidate,
    Field,
    Weighed,
    facts_of,
    field_of,
    varied,
    weighed,
)
from apps.selection.selectors.selection_sources import bought_by
from apps.selection.selectors.wish_questions import NEAR_WAYS, all_words, nearly, words_of
from apps.selection.solver.lines import Wish
from apps.selection.solver.packs import PIECES
from apps.selection.solver.scoring import Fit, wish_score

if TYPE_CHECKING:
    from apps.catalog.models import Product
    from apps.org.models import Account

# Candidates to read for a line. Only the best are shown.
READ_EACH = 12
# Minimum share of the words, weighted by length, that a product must contain to be selected.
ENOUGH = 0.5
MAX_NEAR = 5


@dataclass(frozen=True, slots=True)
class WishAnswer:
    """A line with its candidates, best first. `status` is matched, partial, none or problem.
    `near` are words that find something.
    """

    wish: Wish
    status: str
    message: str
    candidates: tuple[Candidate, ...]
    chosen: Candidate | None
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WishList:
    """All lines in the typed order."""

    context: CatalogueContext
    answers: tuple[WishAnswer, ...]

    @property
    def amount(self) -> Decimal:
        """Sum of the selected candidates, in 元 含税."""
        return sum(
            (answer.chosen.amount for answer in self.answers if answer.chosen), Decimal("0.00")
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """Product pks for a line: exact names, products with all words, products with most words,
    products that sound alike.
    """

    exact: tuple[int, ...] = ()
    all_words: tuple[int, ...] = ()
    most_words: tuple[int, ...] = ()
    alike: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        return (*self.exact, *self.all_words, *self.most_words, *self.alike)


def wish_list(*, actor: Account, wishes: Sequence[Wish]) -> WishList:
    """Return an answer for each wish.

    Four queries, one more with agreements, one more for every fifty lines, and one more for every
    twelve lines that find nothing.
    """
    context = catalogue_context(actor=actor)
    dictionary_refresh()
    lexicon = lexicon_of(context.agreements_token)
    bought = bought_by(actor)
    found = _found(context, wishes, lexicon)
    products = weighed(context, [*(pk for one in found for pk in one.ids), *bought], bought)
    own = [product for pk, product in products.items() if pk in bought]
    return WishList(
        context,
        tuple(
            _answer(wish, one, products, own, lexicon)
            for wish, one in zip(wishes, found, strict=True)
        ),
    )


def _found(context: CatalogueContext, wishes: Sequence[Wish], lexicon: Lexicon) -> list[_Found]:
    typed = ["" if wish.problem else wish.words for wish in wishes]
    named = products_named(context=context, words=typed)
    exact = [named.get(words, ()) for words in typed]
    asked = [place for place, words in enumerate(typed) if words and query_words(words)]
    best = dict(
        zip(
            asked,
            list_best_ids(
                context, [all_words(typed[place], lexicon) for place in asked], limit=READ_EACH
            ),
            strict=True,
        )
    )
    lost = [place for place in asked if not exact[place] and not best[place]]
    near = list_best_ids(
        context,
        [question for place in lost for question in nearly(typed[place], lexicon)],
        limit=READ_EACH,
    )
    ways = {place: near[at * NEAR_WAYS : (at + 1) * NEAR_WAYS] for at, place in enumerate(lost)}
    found = []
    for place in range(len(wishes)):
        *most, alike = ways.get(place, [[]])
        found.append(
            _Found(
                tuple(exact[place]),
                tuple(best.get(place, ())),
                tuple(next(filter(None, most), ())),
                tuple(alike),
            )
        )
    return found


def _answer(
    wish: Wish,
    found: _Found,
    products: Mapping[int, Weighed],
    own: Sequence[Weighed],
    lexicon: Lexicon,
) -> WishAnswer:
    if wish.problem:
        return WishAnswer(wish, "problem", wish.problem, (), None, ())
    words = words_of(wish.words, lexicon)
    matching = [product for product in own if words and all(map(product.says, words))]
    rivals = [
        products[pk]
        for pk in dict.fromkeys([*found.exact, *found.all_words, *found.most_words])
        if pk in products
    ]
    rivals = list({product.pk: product for product in [*rivals, *matching]}.values())
    head = head_of(words, lexicon)
    kin = {
        product.pk
        for product in rivals
        if product.pk in found.exact or head is None or product.is_kind(head)
    }
    near = {
        product.pk
        for product in rivals
        if product.pk in found.exact or _share(product, words) >= ENOUGH
    }
    rivals = [product for product in rivals if product.pk in kin | near]
    field = field_of(rivals) if rivals else Field(0, 0, 0)
    ranked = sorted(
        (_candidate(wish, words, product, field, found) for product in rivals),
        key=lambda one: _order(one, kin),
    )
    sure = [one for one in ranked if one.offer.product.pk in kin & near]
    if not sure:
        return _nothing(wish, found, products, ranked)
    # A product below the price limit but of another kind (笔芯 for 中性笔) must not be selected.
    kind = products[sure[0].offer.product.pk].category_id
    within = [
        one
        for one in sure
        if _costs_within(one, wish)
        and (wish.max_price is None or products[one.offer.product.pk].category_id == kind)
    ]
    chosen = next((one for one in within if one.buyable), None)
    shown = varied([*within, *(one for one in ranked if one not in within)])
    if chosen is None:
        same = [
            one
            for one in sure
            if one.buyable and products[one.offer.product.pk].category_id == kind
        ]
        return WishAnswer(wish, "none", _too_dear(wish, same), shown, None, ())
    status, message = _verdict(chosen, _missing(products[chosen.offer.product.pk], words))
    return WishAnswer(wish, status, message, shown, chosen, ())


def _order(candidate: Candidate, kin: Collection[int] = ()) -> tuple[bool, bool, int, Decimal, int]:
    """Return the sort key: the wanted kind first, then products that can be bought, then the
    score.
    """
    pk = int(candidate.offer.product.pk)
    return (pk not in kin, not candidate.buyable, -candidate.score, candidate.amount, pk)


def _costs_within(candidate: Candidate, wish: Wish) -> bool:
    """Return whether the price per wanted unit is within the limit: 20 元以内 applies to each 包,
    also for a 箱 of five.
    """
    return wish.max_price is None or candidate.offer.price <= wish.max_price * candidate.pieces


def _too_dear(wish: Wish, same: Sequence[Candidate]) -> str:
    if wish.max_price is None or not same:
        return "找到的商品都缺货，可从候选中收藏待补货，或换一种描述"
    cheapest = min(one.offer.price / one.pieces for one in same)
    unit = f"/{wish.unit}" if any(one.pieces > 1 for one in same) else ""
    return (
        f"没有不超过 {wish.max_price.normalize():f} 元的商品，同类最低 {cheapest:.2f} 元{unit}，"
        "可提高限价或从候选中选择"
    )


def _verdict(chosen: Candidate, missing: Sequence[str]) -> tuple[str, str]:
    if not missing or any(reason.code == "exact" for reason in chosen.reasons):
        return "matched", ""
    return "partial", f"没有同时符合“{'”“'.join(missing)}”的商品，已按其余描述选择"


def _nothing(
    wish: Wish, found: _Found, products: Mapping[int, Weighed], ranked: Sequence[Candidate]
) -> WishAnswer:
    """Return an answer without a selection. A product without the noun, or without most of the
    words, is only a candidate that the customer can confirm.
    """
    alike = [products[pk] for pk in found.alike if pk in products]
    sound = sound_key(wish.words)
    words = (
        [first_spoken_words(product.offer.product.name, sound) for product in alike]
        if sound
        else []
    )
    weak = [products[one.offer.product.pk].category for one in ranked]
    near = tuple(dict.fromkeys(word for word in [*words, *weak] if word))[:MAX_NEAR]
    like = varied(ranked) or tuple(
        sorted(
            (_candidate(wish, [], product, field_of(alike), found) for product in alike), key=_order
        )[:MAX_CANDIDATES]
    )
    ways = [*(["试试下面的词"] if near else []), *(["从候选中确认"] if like else [])]
    said = f"没有找到“{wish.words}”，{'，或'.join(ways) or '请换一种说法，或发起意向商品询价'}"
    return WishAnswer(wish, "none", said, like, None, near)


def _candidate(
    wish: Wish, words: Sequence[Concept], product: Weighed, field: Field, found: _Found
) -> Candidate:
    option = product.option(kind=0, wanted_unit=wish.unit)
    counted = option or product.by_unit(kind=0)
    sold = product.offer.product
    # Two hundred cups are not two hundred boxes. If the pack size is unknown, propose the minimum
    # quantity.
    unknown = option is None and wish.unit in PIECES and sold.unit not in PIECES
    quantity = counted.enough_for(1 if unknown else wish.quantity)
    supplied = quantity * counted.pieces
    fit = Fit(
        word_share=_share(product, words),
        missing=tuple(_missing(product, words)),
        kind=product.category in wish.words
        or any(way in product.category for word in words for way in word.ways if len(way) > 1),
        exact=product.pk in found.exact,
        alike=not words,
        counted=option is not None,
        waste=max(0.0, 1 - wish.quantity / supplied) if supplied and option is not None else 0.0,
    )
    score = wish_score(
        facts_of(product, field=field, stock_share=min(1.0, supplied / wish.quantity)), fit
    )
    note = _note(wish, sold, quantity, supplied, is_counted=option is not None)
    if wish.max_price is not None and counted.pieces > 1:
        note += f"，合 {product.offer.price / counted.pieces:.2f} 元/{wish.unit}"
    return Candidate(
        product.offer, round(score.points), score.reasons, quantity, counted.pieces, note
    )


def _note(wish: Wish, sold: Product, quantity: int, supplied: int, *, is_counted: bool) -> str:
    if not quantity:
        return "暂时缺货"
    if not is_counted:
        return f"按{sold.unit}销售（{sold.pack or sold.unit}），请核对数量"
    if supplied < wish.quantity:
        return f"库存只够 {quantity} {sold.unit}"
    if supplied == wish.quantity and (not wish.unit or wish.unit == sold.unit):
        return ""
    total = f"，共 {supplied} {wish.unit}" if wish.unit and wish.unit != sold.unit else ""
    rounded = "，按起订量与包装凑整" if supplied != wish.quantity else ""
    return f"{quantity} {sold.unit}{total}{rounded}"


def _missing(product: Weighed, words: Sequence[Concept]) -> list[str]:
    return [word.text for word in words if not product.says(word)]


def _share(product: Weighed, words: Sequence[Concept]) -> float:
    """Return the share of the words that the product contains, weighted by length. A word in
    the name counts in full, a word elsewhere a little less.
    """
    whole = sum(len(word.text) for word in words)
    if not whole:
        return 0.0
    had = sum(
        len(word.text) * (1.0 if product.names(word) else 0.85)
        for word in words
        if product.says(word)
    )
    return had / whole
