"""The products that the selection compares: offers with words, category and purchase history, and
the catalogue queries for the words of a line. The number of queries is fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from apps.catalog.indexing.text import (
    build_sound_key,
    encode_character_tokens,
    encode_token,
    normalise,
    split_query_words,
)
from apps.common.sql import NEVER, Fragment, any_of, in_list
from apps.pricing.selectors.base_unit_prices import compute_exact_base_unit_price
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.selectors.offers import Offer, build_offers
from apps.pricing.sql.products import UNREAD, fetch_product_rows
from apps.search.keyword import Concept, Lexicon, find_head, format_concepts, parse_concepts
from apps.search.sql.conditions import (
    build_keyword_condition,
    build_sound_condition,
    build_token_groups,
)
from apps.search.sql.on_sale import ProductQuery
from apps.selection.selectors.sources import Purchases
from apps.selection.solver.model import Option
from apps.selection.solver.packs import count_pieces_in
from apps.selection.solver.scoring import Reason, ScoreInputs, scale_sales

MAX_CANDIDATES = 8
UNREAD_FIELDS = tuple(
    name for name in UNREAD if name not in ("search_tokens", "name_key", "attributes")
)
CATEGORY = Fragment("JOIN catalog_category c3 ON c3.id = p.l3_id")
NEVER_BOUGHT = Purchases(0, 0)
CACHED_CONCEPTS = 2048
token_of = lru_cache(maxsize=CACHED_CONCEPTS)(encode_token)
# Number of queries of `build_near_queries`: characters, one word less, the noun alone, sound.
NEAR_QUERIES = 4
MAX_NEAR_WORDS = 8
# Maximum number of words of a line. A line with more words names several products.
READ_WORDS = 12


@lru_cache(maxsize=CACHED_CONCEPTS)
def list_spelling_words(concept: Concept) -> tuple[tuple[str, ...], ...]:
    """Return the words of each synonym of a concept. Cached, because a line checks hundreds of
    products.
    """
    return tuple(tuple(split_query_words(synonym)) for synonym in concept.spellings)


@dataclass(frozen=True, slots=True)
class SelectionProduct:
    """An offer with its searchable data: encoded tokens, normalised name, category."""

    offer: Offer
    tokens: frozenset[str]
    name_key: str
    category_id: int
    category: str
    bought: Purchases

    @property
    def pk(self) -> int:
        return int(self.offer.product.pk)

    def matches(self, concept: Concept) -> bool:
        """Return whether the product contains a synonym of the concept."""
        return any(all(map(self.has, words)) for words in list_spelling_words(concept))

    def names(self, concept: Concept) -> bool:
        """Return whether the product's name contains a synonym of the concept."""
        return any(
            all(word in self.name_key for word in words) for words in list_spelling_words(concept)
        )

    def is_kind(self, concept: Concept) -> bool:
        """Return whether the product is of the kind that a noun names. For a noun of one character
        (笔), the category or a word of the name must end with it, because 笔记本 is not a pen.
        """
        if any(
            len(synonym) > 1 and all(map(self.has, words))
            for synonym, words in zip(concept.spellings, list_spelling_words(concept), strict=True)
        ):
            return True
        return any(
            name.endswith(synonym)
            for synonym in concept.spellings
            if len(synonym) == 1
            for name in (self.category, *split_query_words(self.name_key))
        )

    def has(self, word: str) -> bool:
        """Return whether the product contains a word of a query. A measure, a format or a model
        must be in its name, attributes or codes.
        """
        if len(word) > 1 and word.isascii() and any(char.isdigit() for char in word):
            return self.is_specified(word) or word in (
                self.offer.product.code,
                self.offer.product.model_code.lower(),
            )
        return word in self.name_key or token_of(word) in self.tokens

    def is_specified(self, word: str) -> bool:
        """Return whether the name or an attribute contains the word. Measures and formats (70g,
        a4) are read from these only, never from keywords.
        """
        return word in self.name_key or any(
            word in normalise(str(value))
            for value in (self.offer.product.attributes or {}).values()
        )

    def build_option(
        self, *, kind: int, wanted_unit: str, score: float = 0.0, fame: float = 0.0
    ) -> Option | None:
        """Return the product as an option for a need, counted in the wanted unit. None if the
        pack size is unknown.
        """
        product = self.offer.product
        pieces = count_pieces_in(
            unit=product.unit,
            pack=product.pack,
            piece_unit=wanted_unit,
            base_unit=product.base_unit,
            contents=product.contents,
        )
        return (
            None
            if pieces is None
            else self.build_option_by_unit(kind=kind, pieces=pieces, score=score, fame=fame)
        )

    def build_option_by_unit(
        self, *, kind: int, pieces: int = 1, score: float = 0.0, fame: float = 0.0
    ) -> Option:
        """Return the product as an option with a given number of pieces per unit of sale."""
        product = self.offer.product
        return Option(
            key=self.pk,
            kind=kind,
            price=int(self.offer.price * 100),
            pieces=pieces,
            minimum=product.min_quantity,
            step=product.step_quantity,
            stock=self.offer.available,
            brand=product.brand_id,
            score=score,
            fame=fame,
            tiers=tuple((tier.quantity, int(tier.price * 100)) for tier in self.offer.tiers),
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A product for a line: score, reasons, legal quantity to buy, and a note."""

    offer: Offer
    score: int
    reasons: tuple[Reason, ...]
    quantity: int
    pieces: int
    note: str = ""

    @property
    def buyable(self) -> bool:
        """Whether the product can be bought now."""
        return self.quantity > 0

    @property
    def unit_price(self) -> Decimal:
        """Price of a unit at the quantity, in 元 含税."""
        return self.offer.get_price_for(self.quantity)

    @property
    def amount(self) -> Decimal:
        """Price of the quantity, in 元 含税."""
        return self.unit_price * self.quantity


def limit_candidates(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return at most MAX_CANDIDATES candidates in their order. The best product of every model
    is preferred to further colours and packs of the same model.
    """
    models: set[tuple[int, str]] = set()
    best_of_models: list[Candidate] = []
    for candidate in candidates:
        product = candidate.offer.product
        model = (product.brand_id, product.model_code or product.code)
        if model not in models:
            models.add(model)
            best_of_models.append(candidate)
    chosen_ids = {
        id(candidate)
        for candidate in [
            *best_of_models,
            *(candidate for candidate in candidates if candidate not in best_of_models),
        ][:MAX_CANDIDATES]
    }
    return tuple(candidate for candidate in candidates if id(candidate) in chosen_ids)


def get_selection_products(
    context: CatalogueContext, ids: Iterable[int], purchases: Mapping[int, Purchases]
) -> dict[int, SelectionProduct]:
    """Return the products that are on sale and visible to the customer, by product id in the given
    order. One query, none without ids.
    """
    distinct_ids = list(dict.fromkeys(ids))
    if not distinct_ids:
        return {}
    products = {
        row.pk: row
        for row in fetch_product_rows(
            context,
            in_list("p.id", distinct_ids),
            joins=CATEGORY,
            extra_columns={"category_name": "c3.name"},
            without=UNREAD_FIELDS,
        )
    }
    products_by_id = {}
    for pk, offer in build_offers(
        context=context, products=[products[pk] for pk in distinct_ids if pk in products]
    ).items():
        row = products[pk]
        if offer.visible and offer.is_on_sale:
            words = frozenset(row.search_tokens.split())
            products_by_id[pk] = SelectionProduct(
                offer,
                words,
                row.name_key,
                row.l3_id,
                row.category_name,
                purchases.get(pk, NEVER_BOUGHT),
            )
    return products_by_id


@dataclass(frozen=True, slots=True)
class PriceAndSalesRange:
    """Range of the candidates of one line: lowest and highest price, highest sales. The prices are
    per base unit (折合单价) if all candidates have contents in the same base unit, otherwise per
    unit of sale.
    """

    low: Fraction
    high: Fraction
    most_sales: int
    is_per_base_unit: bool

    def compute_compared_price(self, product: SelectionProduct) -> Fraction:
        """Return the price that is compared, in 元 含税."""
        offer = product.offer
        each = compute_exact_base_unit_price(price=offer.price, product=offer.product)
        return each if self.is_per_base_unit and each is not None else Fraction(offer.price)


def get_price_and_sales_range(products: Sequence[SelectionProduct]) -> PriceAndSalesRange:
    """Return the lowest and highest price and the highest sales of the products, at least one.
    Prices are per base unit if all products have the same one, otherwise per unit of sale.
    """
    rows = [product.offer.product for product in products]
    base_unit_prices = [
        compute_exact_base_unit_price(price=product.offer.price, product=product.offer.product)
        for product in products
    ]
    known_prices = [price for price in base_unit_prices if price is not None]
    is_per_base_unit = len(known_prices) == len(rows) and len({row.base_unit for row in rows}) == 1
    prices = (
        known_prices
        if is_per_base_unit
        else [Fraction(product.offer.price) for product in products]
    )
    return PriceAndSalesRange(
        min(prices), max(prices), max(row.sales_count for row in rows), is_per_base_unit
    )


def score_inputs_of(
    product: SelectionProduct, *, ranges: PriceAndSalesRange, stock_share: float
) -> ScoreInputs:
    """Return the scoring facts of a product, relative to the other candidates of its line."""
    offer, low, high = product.offer, ranges.low, ranges.high
    saving = (
        1 - offer.price / offer.market_price if offer.market_price > offer.price else Decimal(0)
    )
    return ScoreInputs(
        own_orders=product.bought.own,
        house_orders=product.bought.house,
        agreed=offer.price_source is not None,
        saving=saving,
        stock_share=stock_share,
        sales=offer.product.sales_count,
        sales_level=scale_sales(offer.product.sales_count, ranges.most_sales),
        price_share=float(1 - (ranges.compute_compared_price(product) - low) / (high - low))
        if high > low
        else 0.5,
        reviews=offer.product.rating_count,
        stars=offer.product.rating_stars,
    )


def parse_words(typed: str, lexicon: Lexicon) -> list[Concept]:
    """Return the distinct concepts of a line, at most READ_WORDS."""
    return list(dict.fromkeys(parse_concepts(typed, lexicon)))[:READ_WORDS]


def build_all_words_query(typed: str, lexicon: Lexicon) -> ProductQuery:
    """Return the query for products that contain every concept or a synonym of it. Products
    whose name contains all words rank first.
    """
    concepts = parse_words(typed, lexicon)
    return ProductQuery(
        _build_concepts_condition(concepts),
        tuple(word for concept in concepts for word in split_query_words(concept.text)),
    )


def build_near_queries(typed: str, lexicon: Lexicon) -> list[ProductQuery]:
    """Return NEAR_QUERIES queries, the closest first: by single characters, without any one word
    except the noun, by the noun alone, by sound.
    """
    concepts = parse_words(typed, lexicon)[:MAX_NEAR_WORDS]
    characters = encode_character_tokens(format_concepts(concepts))
    sound = build_sound_key(typed)
    head = find_head(concepts, lexicon)
    head_words = tuple(split_query_words(head.text)) if head else ()
    other_concepts = [concept for concept in concepts if concept != head]
    conditions_without_one = [
        _build_concepts_condition([concept for concept in concepts if concept != omitted_concept])
        for omitted_concept in other_concepts
    ]
    return [
        ProductQuery(build_keyword_condition([[[token]] for token in characters], ())),
        ProductQuery(any_of(conditions_without_one), head_words),
        ProductQuery(_build_concepts_condition([head]) if head else NEVER, head_words),
        ProductQuery(build_sound_condition(sound) if sound else NEVER),
    ]


def _build_concepts_condition(concepts: Sequence[Concept]) -> Fragment:
    return build_keyword_condition(build_token_groups(concepts), ())
