"""A naive oracle for the search engine. It checks every product for a customer one by one, in
Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.catalog.enums import ProductStatus
from apps.catalog.indexing.text import (
    RUN,
    build_model_key,
    build_sound_key,
    build_suggest_keys,
    encode_character_tokens,
    encode_query_tokens,
    normalise,
)
from apps.catalog.models import Product
from apps.pricing.models import AssortmentRule, PriceListItem
from apps.pricing.selectors.base_unit_prices import (
    compute_exact_base_unit_price,
    compute_shown_base_unit_price,
)
from apps.search.enums import ProductSort
from apps.search.keyword import (
    Concept,
    Lexicon,
    find_category_head,
    find_concepts_by_sound,
    find_named_categories,
    format_concepts,
    parse_concepts,
)
from apps.search.query import PRICE_BOUNDS, CatalogQuery
from apps.search.units import is_description

Said = Callable[[Product], bool]
# The test for a product, the concepts it must have, and the concepts that were left out.
Read = tuple[Said, tuple[Concept, ...], tuple[Concept, ...]]


@dataclass(frozen=True)
class Terms:
    """A valid agreement of a customer for the oracle: rules and prices as plain rows."""

    rules: tuple[AssortmentRule, ...]
    prices: dict[int, PriceListItem]


def get_card(product: Product) -> int:
    """Return a key that only the products of one family share."""
    return product.family_id or -product.pk


def get_key_of_row(product: Product, query: CatalogQuery) -> int:
    """Return the key of the product's row in the list."""
    return get_card(product) if query.by_family else product.pk


def count_distinct(pairs: Iterable[tuple[Any, int]]) -> Counter[Any]:
    """Return the number of rows for each value. A row counts once for a value."""
    return Counter(value for value, _ in set(pairs))


def list_tokens(product: Product) -> set[str]:
    return set(product.search_tokens.split())


def sounds(product: Product, sound: str) -> bool:
    keys = build_suggest_keys(name=product.name, model_code=product.model_code, code=product.code)
    return bool(sound) and any(key.startswith(sound) for key in keys)


class Oracle:
    """A search that checks every product one by one."""

    def __init__(self, products: list[Product], terms: list[Terms], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.terms, self.every = terms, products
        self.rows = [
            product
            for product in products
            if product.status == ProductStatus.ON_SALE and self.sees(product)
        ]

    def sees(self, product: Product) -> bool:
        return (
            any(self.lets(product, term.rules) for term in self.terms)
            if self.terms
            else product.is_public
        )

    @staticmethod
    def lets(product: Product, rules: tuple[AssortmentRule, ...]) -> bool:
        def hit(rule: AssortmentRule) -> bool:
            path = (product.l1_id, product.l2_id, product.l3_id)
            return {
                "all": True,
                "category": rule.category_id in path,
                "brand": rule.brand_id == product.brand_id,
                "product": rule.product_id == product.pk,
            }[rule.kind]

        included = any(hit(rule) for rule in rules if rule.mode == "include")
        return included and not any(hit(rule) for rule in rules if rule.mode == "exclude")

    def agreed(self, product: Product) -> Decimal | None:
        result = (term.prices[product.pk].price for term in self.terms if product.pk in term.prices)
        return next((price for price in result if price is not None), None)

    def price(self, product: Product) -> Decimal:
        agreed = self.agreed(product)
        return product.market_price if agreed is None else agreed

    def get_price_for(self, product: Product, quantity: int) -> Decimal:
        """Return the price of a unit at a quantity: the row that decides the price, and of its
        tiers the last one that the quantity reaches.
        """
        rows = (term.prices[product.pk] for term in self.terms if product.pk in term.prices)
        row = next((row for row in rows if row.price is not None), None)
        if row is None:
            return product.market_price
        steps = [
            (1, row.price),
            (row.tier1_quantity, row.tier1_price),
            (row.tier2_quantity, row.tier2_price),
            (row.tier3_quantity, row.tier3_price),
        ]
        return [price for first, price in steps if first is not None and quantity >= first][-1]

    def is_exact(self, product: Product, keyword: str) -> bool:
        words = [normalise(keyword), format_concepts(parse_concepts(keyword, self.lexicon))]
        models = {build_model_key(word) for word in words} - {""}
        form_values = {
            cased
            for word in (keyword, words[1], *models)
            for cased in (word, word.upper(), word.lower())
        }
        own = [
            value
            for term in self.terms
            if (item := term.prices.get(product.pk))
            for value in (item.customer_code, item.customer_name)
        ]
        named = product.code in words or product.name_key in words or product.model_key in models
        return named or any(value and value in form_values for value in own)

    def fits(
        self,
        product: Product,
        query: CatalogQuery,
        said: Said,
        *,
        but: str = "",
        attribute: str = "",
    ) -> bool:
        if not said(product):
            return False
        if any(self.says(product, parse_concepts(text, self.lexicon)) for text in query.excluded):
            return False
        price = self.price(product)
        checks = {
            "stock": not query.in_stock or product.stock > product.reserved,
            "agreed": not query.agreed_only or self.agreed(product) is not None,
            "category": query.category is None
            or query.category.id in (product.l1_id, product.l2_id, product.l3_id),
            "brand": not query.brands
            or str(product.brand_id) in query.brands
            or product.brand.name in query.brands,
            "price": (query.min_price is None or price >= query.min_price)
            and (query.max_price is None or price <= query.max_price),
        }
        each = compute_shown_base_unit_price(price=price, product=product)
        checks["base unit"] = not query.base_unit or product.base_unit == query.base_unit
        checks["base unit price"] = not query.has_base_unit_price_range or (
            each is not None
            and (query.min_base_unit_price is None or each >= query.min_base_unit_price)
            and (query.max_base_unit_price is None or each <= query.max_base_unit_price)
        )
        others = [(name, values) for name, values in query.attributes if name != attribute]
        return all(held for name, held in checks.items() if name != but) and all(
            product.attributes.get(name) in values for name, values in others
        )

    def said(self, query: CatalogQuery) -> Said:
        """Return the test that a product must pass for the keyword of the query."""
        if not query.keyword:
            return lambda _product: True
        return self.read(query.keyword)[0]

    def read(self, keyword: str) -> Read:
        """Return the first reading of the keyword that matches a product on sale, with its
        concepts. If no reading matches, return the first one.
        """
        ways = self.ways(keyword)
        return next((read for read in ways if any(map(read[0], self.rows))), ways[0])

    def ways(self, keyword: str) -> list[Read]:
        """Return the readings of the keyword in order: by its words, as part of a name, by
        words of the same sound, by sound, and without some of its words.
        """
        concepts, heard, parts = (
            parse_concepts(keyword, self.lexicon),
            find_concepts_by_sound(keyword, self.lexicon),
            normalise(keyword).split(),
        )
        meant = format_concepts(concepts)
        runs, characters = RUN.findall(meant), set(encode_character_tokens(meant))
        rows: list[Read] = [
            (lambda p: self.says(p, concepts) or self.is_exact(p, keyword), concepts, ()),
            (
                lambda p: (
                    bool(runs)
                    and characters <= list_tokens(p)
                    and all(run in p.name_key for run in runs)
                ),
                (),
                (),
            ),
            (lambda p: bool(heard) and self.says(p, heard), heard, ()),
            (lambda p: sounds(p, build_sound_key(keyword)), (), ()),
            (
                lambda p: (
                    len(parts) > 1
                    and all(
                        sounds(p, build_sound_key(part))
                        or set(encode_query_tokens(part)) <= list_tokens(p)
                        for part in parts
                    )
                ),
                (),
                (),
            ),
        ]
        return [*rows, *self.fewer(concepts)]

    def says(self, product: Product, concepts: tuple[Concept, ...]) -> bool:
        query = [concept.spelling_tokens for concept in concepts if concept.spelling_tokens]
        return bool(query) and all(
            any(set(way) <= list_tokens(product) for way in ways) for ways in query
        )

    def fewer(self, concepts: tuple[Concept, ...]) -> list[Read]:
        """Return the readings without some words: the head word with all colours, sizes and named
        words, then without one of them, then with one other word, then alone.
        """
        if len(concepts) < 2:
            return []
        head = find_category_head(concepts, self.lexicon) or concepts[-1]
        if len(head.text) < 2:
            return []
        others = [concept for concept in concepts if concept != head]
        strong = {concept for concept in others if self.is_strong(concept)}
        stored = [strong]
        stored += [strong - {concept} for concept in others if concept in strong]
        stored += [{concept} for concept in reversed(others) if concept in strong]
        stored += [{concept} for concept in reversed(others) if concept not in strong]
        stored += [set()]
        reads: list[Read] = []
        for some in stored:
            chosen = tuple(one for one in concepts if one == head or one in some)
            left_out = tuple(one for one in concepts if one not in chosen)
            if left_out:
                reads.append((lambda p, chosen=chosen: self.says(p, chosen), chosen, left_out))
        return reads

    def is_strong(self, concept: Concept) -> bool:
        return any(
            is_description(way) or way in self.lexicon.brands or way in self.lexicon.categories
            for way in (concept.text, *concept.spellings)
        )

    def has_in_name(self, product: Product, concept: Concept) -> bool:
        return any(all(word in product.name_key for word in way) for way in concept.spelling_words)

    def rank(self, product: Product, query: CatalogQuery) -> int:
        if self.is_exact(product, query.keyword):
            return 0
        concepts = self.read(query.keyword)[1]
        if query.sort != ProductSort.DEFAULT or not concepts:
            return 4
        in_name = all(self.has_in_name(product, concept) for concept in concepts)
        path = {category.id for category in find_named_categories(concepts, self.lexicon)} & {
            product.l1_id,
            product.l2_id,
            product.l3_id,
        }
        return {(True, True): 1, (True, False): 2, (False, True): 3}.get((bool(path), in_name), 4)

    def order(self, product: Product, query: CatalogQuery) -> tuple[Any, ...]:
        rank = self.rank(product, query) if query.keyword else 0
        left_out = self.read(query.keyword)[2] if query.keyword else ()
        missing = sum(
            not self.has_in_name(product, concept)
            for concept in left_out
            if query.sort == ProductSort.DEFAULT
        )
        price = self.price(product)
        each = compute_exact_base_unit_price(price=price, product=product)
        key: Any = {
            ProductSort.PRICE: price,
            ProductSort.PRICE_DESC: -price,
            ProductSort.NEW: -product.listed_at.toordinal(),
            ProductSort.BASE_UNIT_PRICE: (each is None, each or 0),
            ProductSort.BASE_UNIT_PRICE_DESC: (each is None, -(each or 0)),
        }.get(query.sort, 0)
        sales = 0 if query.sort == ProductSort.NEW else -product.sales_count
        return (rank, missing, key, sales, product.pk)

    def found(self, query: CatalogQuery) -> list[Product]:
        text = self.said(query)
        return sorted(
            (p for p in self.rows if self.fits(p, query, text)), key=lambda p: self.order(p, query)
        )

    def rows_of_list(self, query: CatalogQuery) -> list[Product]:
        """Return the products that the list shows in order: all, or one for each card. If the
        highest price comes first, the cheapest product stands for its family.
        """
        result = self.found(query)
        if not query.by_family:
            return result
        ascending = {
            ProductSort.PRICE_DESC: ProductSort.PRICE,
            ProductSort.BASE_UNIT_PRICE_DESC: ProductSort.BASE_UNIT_PRICE,
        }.get(query.sort)
        if ascending is not None:
            cheapest_first = replace(query, sort=ascending)
            result = sorted(result, key=lambda p: self.order(p, cheapest_first))
        cards: dict[int, Product] = {}
        for product in result:
            cards.setdefault(get_card(product), product)
        return sorted(cards.values(), key=lambda p: self.order(p, query))

    def categories(self, query: CatalogQuery, said: Said) -> Counter[int]:
        """Count the rows of the list for the children of the query's category, or for its siblings
        if no child has a product. Without a category, count the first level.
        """
        fitting = [p for p in self.rows if self.fits(p, query, said, but="category")]
        paths = [(p.l1_id, p.l2_id, p.l3_id, get_key_of_row(p, query)) for p in fitting]
        if query.category is None:
            return count_distinct((path[0], path[3]) for path in paths)
        level, chosen = query.category.level, query.category.id
        parents = {
            path[level - 2]
            for path in ((p.l1_id, p.l2_id, p.l3_id) for p in self.every)
            if path[level - 1] == chosen
        }
        children = count_distinct(
            (path[level], path[3]) for path in paths if level < 3 and path[level - 1] == chosen
        )
        return children or count_distinct(
            (path[level - 1], path[3]) for path in paths if level == 1 or path[level - 2] in parents
        )

    def facets(self, query: CatalogQuery) -> dict[str, Any]:
        text = self.said(query)
        brands, prices, attributes = set[Any](), set[Any](), set[Any]()
        for product in self.rows:
            row = get_key_of_row(product, query)
            if self.fits(product, query, text, but="brand"):
                brands.add((product.brand_id, row))
            if self.fits(product, query, text, but="price"):
                band = sum(self.price(product) >= bound for bound in PRICE_BOUNDS) - 1
                prices.add((band, row))
            for name, value in product.attributes.items():
                if self.fits(product, query, text, attribute=name):
                    attributes.add(((name, value), row))
        return {
            "categories": self.categories(query, text),
            "brands": count_distinct(brands),
            "prices": count_distinct(prices),
            "attributes": count_distinct(attributes),
        }
