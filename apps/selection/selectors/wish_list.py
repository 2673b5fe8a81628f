"""清单选品: candidates for every line of a wish list, the best one selected, with few queries for
many lines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.catalog.indexing.text import build_sound_key, find_first_spoken_words, split_query_words
from apps.org.selectors.purchasing import require_prices
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.search.keyword import Concept, Lexicon, find_head, get_lexicon
from apps.search.selectors.named import find_products_by_name
from apps.search.sql.on_sale import list_best_ids
from apps.selection.selectors.products import (
    MAX_CANDIDATES,
    NEAR_QUERIES,
    Candidate,
    PriceAndSalesRange,
    SelectionProduct,
    build_all_words_query,
    build_near_queries,
    get_price_and_sales_range,
    get_selection_products,
    limit_candidates,
    parse_words,
    score_inputs_of,
)
from apps.selection.selectors.sources import get_purchases
from apps.selection.solver.packs import PIECES
from apps.selection.solver.scoring import Fit, compute_wish_score
from apps.selection.solver.wishes import Wish

if TYPE_CHECKING:
    from apps.catalog.models import Product
    from apps.org.models import Account

# Candidates to read for a line. Only the best are shown.
CANDIDATES_PER_LINE = 12
# Minimum share of the words, weighted by length, that a product must contain to be selected.
MIN_WORD_SHARE = 0.5
MAX_SIMILAR_WORDS = 5


@dataclass(frozen=True, slots=True)
class WishAnswer:
    """A line with its candidates, best first. `status` is matched, partial, none or problem.
    `near` are words that find something.
    """

    wish: Wish
    status: str
    message: str
    candidates: tuple[Candidate, ...] = ()
    chosen: Candidate | None = None
    near: tuple[str, ...] = ()


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


def wish_list(*, actor: Account, wishes: Sequence[Wish]) -> WishList:
    """Return an answer for each wish.

    Four queries, one more with agreements, one more for every fifty lines, and one more for every
    twelve lines that find nothing.

    Raises:
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    context = get_catalogue_context(actor=actor)
    dictionary_refresh()
    lexicon = get_lexicon(context.agreements_token)
    purchases = get_purchases(actor)
    matches = _find_matches(context, wishes, lexicon)
    ids = [pk for match in matches for pk in match.ids]
    products = get_selection_products(context, [*ids, *purchases], purchases)
    bought_products = [product for pk, product in products.items() if pk in purchases]
    lines = [
        _Line(wish=wish, matches=match, products=products, bought=bought_products, lexicon=lexicon)
        for wish, match in zip(wishes, matches, strict=True)
    ]
    return WishList(context, tuple(_answer_wish(line) for line in lines))


@dataclass(frozen=True, slots=True)
class _Matches:
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


def _find_matches(
    context: CatalogueContext, wishes: Sequence[Wish], lexicon: Lexicon
) -> list[_Matches]:
    """Return the products of each line. Weaker queries run only for lines that neither name a
    product nor find one with all words.
    """
    words_by_line = ["" if wish.problem else wish.words for wish in wishes]
    ids_by_name = find_products_by_name(context=context, words=words_by_line)
    searched_lines = [
        index for index, words in enumerate(words_by_line) if words and split_query_words(words)
    ]
    queries = [build_all_words_query(words_by_line[index], lexicon) for index in searched_lines]
    ids_by_query = list_best_ids(context, queries, limit=CANDIDATES_PER_LINE)
    all_words_ids = dict(zip(searched_lines, ids_by_query, strict=True))
    unmatched_lines = [
        index
        for index in searched_lines
        if not ids_by_name.get(words_by_line[index]) and not all_words_ids[index]
    ]
    near_matches = _find_near_matches(
        context, [words_by_line[index] for index in unmatched_lines], lexicon
    )
    near_matches_by_line = dict(zip(unmatched_lines, near_matches, strict=True))
    return [
        replace(
            near_matches_by_line.get(index, _Matches()),
            exact=tuple(ids_by_name.get(words, ())),
            all_words=tuple(all_words_ids.get(index, ())),
        )
        for index, words in enumerate(words_by_line)
    ]


def _find_near_matches(
    context: CatalogueContext, words_by_line: Sequence[str], lexicon: Lexicon
) -> list[_Matches]:
    """Return the products of the weaker queries of each text. The closest query that finds
    products gives `most_words`; the last query, by sound, gives `alike`.
    """
    queries = [query for words in words_by_line for query in build_near_queries(words, lexicon)]
    ids_by_query = list_best_ids(context, queries, limit=CANDIDATES_PER_LINE)
    matches = []
    for start in range(0, len(ids_by_query), NEAR_QUERIES):
        *word_matches, sound_matches = ids_by_query[start : start + NEAR_QUERIES]
        most_words = next((ids for ids in word_matches if ids), [])
        matches.append(_Matches(most_words=tuple(most_words), alike=tuple(sound_matches)))
    return matches


class _Line:
    """A wish with the products to compare for it."""

    def __init__(
        self,
        *,
        wish: Wish,
        matches: _Matches,
        products: Mapping[int, SelectionProduct],
        bought: Sequence[SelectionProduct],
        lexicon: Lexicon,
    ) -> None:
        self.wish = wish
        self.matches = matches
        self.products = products
        self.bought = bought
        self.words = [] if wish.problem else parse_words(wish.words, lexicon)
        self.noun = find_head(self.words, lexicon)

    def list_products(self) -> list[SelectionProduct]:
        """Return the found products, then the products that the enterprise has bought and that
        match all words.
        """
        ordered_ids = [*self.matches.exact, *self.matches.all_words, *self.matches.most_words]
        products = {pk: self.products[pk] for pk in ordered_ids if pk in self.products}
        if self.words:
            for product in self.bought:
                if all(product.matches(word) for word in self.words):
                    products.setdefault(product.pk, product)
        return list(products.values())

    def is_wanted_kind(self, product: SelectionProduct) -> bool:
        """Return whether the product is of the kind that the noun of the line names."""
        if product.pk in self.matches.exact or self.noun is None:
            return True
        return product.is_kind(self.noun)

    def has_most_words(self, product: SelectionProduct) -> bool:
        """Return whether the product contains enough of the words to be selected."""
        return (
            product.pk in self.matches.exact or _word_share(product, self.words) >= MIN_WORD_SHARE
        )

    def get_product(self, candidate: Candidate) -> SelectionProduct:
        return self.products[candidate.offer.product.pk]


def _answer_wish(line: _Line) -> WishAnswer:
    """Return the answer of a line: the best product that surely fits and can be bought, and all
    candidates.
    """
    wish = line.wish
    if wish.problem:
        return WishAnswer(wish=wish, status="problem", message=wish.problem)
    products = line.list_products()
    ids_of_kind = {product.pk for product in products if line.is_wanted_kind(product)}
    ids_with_most_words = {product.pk for product in products if line.has_most_words(product)}
    compared_products = [
        product for product in products if product.pk in ids_of_kind | ids_with_most_words
    ]
    ranked_candidates = _rank_candidates(
        line, compared_products, words=line.words, wanted_kind=ids_of_kind
    )
    sure_candidates = [
        candidate
        for candidate in ranked_candidates
        if candidate.offer.product.pk in ids_of_kind & ids_with_most_words
    ]
    if not sure_candidates:
        return _answer_without_match(line, ranked_candidates)
    # A product below the price limit but of another kind (笔芯 for 中性笔) must not be selected.
    category_id = line.get_product(sure_candidates[0]).category_id
    same_category = [
        candidate
        for candidate in sure_candidates
        if line.get_product(candidate).category_id == category_id
    ]
    if wish.max_price is None:
        affordable_candidates = sure_candidates
    else:
        affordable_candidates = [
            candidate for candidate in same_category if _costs_within(candidate, wish)
        ]
    candidates = limit_candidates(
        [
            *affordable_candidates,
            *(
                candidate
                for candidate in ranked_candidates
                if candidate not in affordable_candidates
            ),
        ]
    )
    best = next((candidate for candidate in affordable_candidates if candidate.buyable), None)
    if best is None:
        message = _explain_no_choice(
            wish, [candidate for candidate in same_category if candidate.buyable]
        )
        return WishAnswer(wish=wish, status="none", message=message, candidates=candidates)
    missing_words = _list_missing_words(line.get_product(best), line.words)
    if not missing_words or any(reason.code == "exact" for reason in best.reasons):
        status, message = "matched", ""
    else:
        status = "partial"
        message = f"没有同时符合“{'”“'.join(missing_words)}”的商品，已按其余描述选择"
    return WishAnswer(wish=wish, status=status, message=message, candidates=candidates, chosen=best)


def _rank_candidates(
    line: _Line,
    products: Sequence[SelectionProduct],
    *,
    words: Sequence[Concept],
    wanted_kind: Collection[int],
) -> list[Candidate]:
    """Return the products as candidates, the best first: the wanted kind, then products that
    can be bought, then the score.
    """
    if not products:
        return []
    ranges = get_price_and_sales_range(products)
    candidates = [
        _build_candidate(line, product, words=words, ranges=ranges) for product in products
    ]

    def order(candidate: Candidate) -> tuple[bool, bool, int, Decimal, int]:
        pk = int(candidate.offer.product.pk)
        is_other_kind = pk not in wanted_kind
        return (is_other_kind, not candidate.buyable, -candidate.score, candidate.amount, pk)

    return sorted(candidates, key=order)


def _costs_within(candidate: Candidate, wish: Wish) -> bool:
    """Return whether the price per wanted unit is within the limit: 20 元以内 applies to each 包,
    also for a 箱 of five.
    """
    return wish.max_price is None or candidate.unit_price <= wish.max_price * candidate.pieces


def _explain_no_choice(wish: Wish, buyable: Sequence[Candidate]) -> str:
    """Return why no candidate is selected: all are out of stock, or above the price limit."""
    if wish.max_price is None or not buyable:
        return "找到的商品都缺货，可从候选中收藏待补货，或换一种描述"
    cheapest = min(candidate.unit_price / candidate.pieces for candidate in buyable)
    unit = f"/{wish.unit}" if any(candidate.pieces > 1 for candidate in buyable) else ""
    return (
        f"没有不超过 {wish.max_price.normalize():f} 元的商品，同类最低 {cheapest:.2f} 元{unit}，"
        "可提高限价或从候选中选择"
    )


def _answer_without_match(line: _Line, ranked: Sequence[Candidate]) -> WishAnswer:
    """Return an answer without a selection. A product without the noun, or without most of the
    words, is only a candidate that the customer can confirm.
    """
    wish = line.wish
    similar_products = [line.products[pk] for pk in line.matches.alike if pk in line.products]
    sound = build_sound_key(wish.words)
    words = (
        [find_first_spoken_words(product.offer.product.name, sound) for product in similar_products]
        if sound
        else []
    )
    categories = [line.get_product(product).category for product in ranked]
    near = tuple(dict.fromkeys(word for word in [*words, *categories] if word))[:MAX_SIMILAR_WORDS]
    candidates = limit_candidates(ranked)
    if not candidates:
        candidates = tuple(
            _rank_candidates(line, similar_products, words=(), wanted_kind=())[:MAX_CANDIDATES]
        )
    suggestions = []
    if near:
        suggestions.append("试试下面的词")
    if candidates:
        suggestions.append("从候选中确认")
    advice = "，或".join(suggestions) or "请换一种说法，或发起意向商品询价"
    message = f"没有找到“{wish.words}”，{advice}"
    return WishAnswer(wish=wish, status="none", message=message, candidates=candidates, near=near)


def _build_candidate(
    line: _Line, product: SelectionProduct, *, words: Sequence[Concept], ranges: PriceAndSalesRange
) -> Candidate:
    """Return the product as a candidate of the line: quantity, score from 0 to 100, reasons and
    note.
    """
    wish = line.wish
    option = product.build_option(kind=0, wanted_unit=wish.unit)
    counted_option = option or product.build_option_by_unit(kind=0)
    catalogue_product = product.offer.product
    # Two hundred cups are not two hundred boxes. If the pack size is unknown, propose the minimum
    # quantity.
    is_uncertain = option is None and wish.unit in PIECES and catalogue_product.unit not in PIECES
    quantity = counted_option.find_enough_quantity(1 if is_uncertain else wish.quantity)
    supplied_pieces = quantity * counted_option.pieces
    waste = 0.0
    if supplied_pieces and option is not None:
        waste = max(0.0, 1 - wish.quantity / supplied_pieces)
    names_category = product.category in wish.words or any(
        synonym in product.category
        for word in words
        for synonym in word.spellings
        if len(synonym) > 1
    )
    fit = Fit(
        word_share=_word_share(product, words),
        missing=tuple(_list_missing_words(product, words)),
        kind=names_category,
        exact=product.pk in line.matches.exact,
        alike=not words,
        is_pack_known=option is not None,
        waste=waste,
    )
    stock_share = min(1.0, supplied_pieces / wish.quantity)
    score = compute_wish_score(
        score_inputs_of(product, ranges=ranges, stock_share=stock_share), fit
    )
    note = _write_quantity_note(
        wish,
        catalogue_product,
        quantity=quantity,
        supplied_pieces=supplied_pieces,
        is_counted=option is not None,
    )
    if wish.max_price is not None and counted_option.pieces > 1:
        unit_price = product.offer.get_price_for(quantity) / counted_option.pieces
        note += f"，合 {unit_price:.2f} 元/{wish.unit}"
    return Candidate(
        offer=product.offer,
        score=round(score.points),
        reasons=score.reasons,
        quantity=quantity,
        pieces=counted_option.pieces,
        note=note,
    )


def _write_quantity_note(
    wish: Wish, product: Product, *, quantity: int, supplied_pieces: int, is_counted: bool
) -> str:
    """Return how the quantity of the candidate covers the wish, as a Chinese note. "" if it does
    exactly.
    """
    if not quantity:
        return "暂时缺货"
    if not is_counted:
        return f"按{product.unit}销售（{product.pack or product.unit}），请核对数量"
    if supplied_pieces < wish.quantity:
        return f"库存只够 {quantity} {product.unit}"
    if supplied_pieces == wish.quantity and (not wish.unit or wish.unit == product.unit):
        return ""
    total_text = (
        f"，共 {supplied_pieces} {wish.unit}" if wish.unit and wish.unit != product.unit else ""
    )
    rounding_text = "，按起订量与包装凑整" if supplied_pieces != wish.quantity else ""
    return f"{quantity} {product.unit}{total_text}{rounding_text}"


def _list_missing_words(product: SelectionProduct, words: Sequence[Concept]) -> list[str]:
    return [word.text for word in words if not product.matches(word)]


def _word_share(product: SelectionProduct, words: Sequence[Concept]) -> float:
    """Return the share of the words that the product contains, weighted by length. A word in
    the name counts in full, a word elsewhere a little less.
    """
    total_length = sum(len(word.text) for word in words)
    if not total_length:
        return 0.0
    found_length = sum(
        len(word.text) * (1.0 if product.names(word) else 0.85)
        for word in words
        if product.matches(word)
    )
    return found_length / total_length
