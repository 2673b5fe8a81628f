"""The naive oracle: every product of a customer checked one by one, in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.catalog.enums import ProductSort, ProductStatus
from apps.catalog.models import AssortmentRule, PriceListItem, Product
from apps.catalog.search.query import PRICE_BOUNDS, CatalogQuery
from apps.catalog.search.text import character_tokens, model_key, normalised, query_tokens, query_words, sound_key, suggest_keys

Said = Callable[[Product], bool]


@dataclass(frozen=True)
class Terms:
    """A valid agreement of a customer, as the oracle reads it: rules and prices as plain rows."""

    rules: tuple[AssortmentRule, ...]
    prices: dict[int, PriceListItem]


class Oracle:
    """Every product checked one by one."""

    def __init__(self, products: list[Product], terms: list[Terms]) -> None:
        self.terms, self.every = terms, products
        self.rows = [product for product in products if product.status == ProductStatus.ON_SALE and self.sees(product)]

    def sees(self, product: Product) -> bool:
        return any(self.lets(product, term.rules) for term in self.terms) if self.terms else product.is_public

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
        found = (term.prices[product.pk].price for term in self.terms if product.pk in term.prices)
        return next((price for price in found if price is not None), None)

    def price(self, product: Product) -> Decimal:
        agreed = self.agreed(product)
        return product.market_price if agreed is None else agreed

    def is_exact(self, product: Product, keyword: str) -> bool:
        word = normalised(keyword)
        own = [value for term in self.terms if (item := term.prices.get(product.pk)) for value in (item.customer_code, item.customer_name)]
        return (
            product.code == word
            or product.name_key == word
            or (bool(model_key(word)) and product.model_key == model_key(word))
            or any(value and value in (keyword, keyword.upper(), keyword.lower()) for value in own)
        )

    def fits(self, product: Product, query: CatalogQuery, said: Said, *, but: str = "", attribute: str = "") -> bool:
        if not said(product):
            return False
        price = self.price(product)
        checks = {
            "stock": not query.in_stock or product.stock > product.reserved,
            "agreed": not query.agreed_only or self.agreed(product) is not None,
            "category": query.category is None or query.category.id in (product.l1_id, product.l2_id, product.l3_id),
            "brand": not query.brands or str(product.brand_id) in query.brands or product.brand.name in query.brands,
            "price": (query.min_price is None or price >= query.min_price) and (query.max_price is None or price <= query.max_price),
        }
        others = [(name, values) for name, values in query.attributes if name != attribute]
        return all(held for name, held in checks.items() if name != but) and all(
            product.attributes.get(name) in values for name, values in others
        )

    def said(self, query: CatalogQuery) -> Said:
        """How the keyword is read: by its words, else by its characters; by its sound where no product on sale has those."""

        def has(tokens: list[str]) -> Said:
            wanted = set(tokens)
            return lambda product: (bool(wanted) and wanted <= set(product.search_tokens.split())) or self.is_exact(product, query.keyword)

        if not query.keyword:
            return lambda _product: True
        words, characters, sound = has(query_tokens(query.keyword)), has(character_tokens(query.keyword)), sound_key(query.keyword)
        if any(self.fits(product, query, words) for product in self.rows):
            return words
        if not sound or any(characters(product) for product in self.rows):
            return characters
        return lambda product: any(
            key.startswith(sound) for key in suggest_keys(name=product.name, model_code=product.model_code, code=product.code)
        )

    def order(self, product: Product, query: CatalogQuery) -> tuple[Any, ...]:
        rank = 2
        words = query_words(query.keyword)
        if words and query.sort == ProductSort.DEFAULT and all(word in product.name_key for word in words):
            rank = 1
        if query.keyword and self.is_exact(product, query.keyword):
            rank = 0
        price = self.price(product)
        key = {ProductSort.PRICE: price, ProductSort.PRICE_DESC: -price, ProductSort.NEW: -product.listed_at.toordinal()}.get(query.sort, 0)
        sales = 0 if query.sort == ProductSort.NEW else -product.sales_count
        return (rank, key, sales, product.pk)

    def found(self, query: CatalogQuery) -> list[Product]:
        said = self.said(query)
        return sorted((p for p in self.rows if self.fits(p, query, said)), key=lambda p: self.order(p, query))

    def categories(self, query: CatalogQuery, said: Said) -> Counter[int]:
        """The children of the category asked for, else its siblings; without one the first level."""
        paths = [(p.l1_id, p.l2_id, p.l3_id) for p in self.rows if self.fits(p, query, said, but="category")]
        if query.category is None:
            return Counter(path[0] for path in paths)
        level, chosen = query.category.level, query.category.id
        parents = {path[level - 2] for path in ((p.l1_id, p.l2_id, p.l3_id) for p in self.every) if path[level - 1] == chosen}
        children = Counter(path[level] for path in paths if level < 3 and path[level - 1] == chosen)
        return children or Counter(path[level - 1] for path in paths if level == 1 or path[level - 2] in parents)

    def facets(self, query: CatalogQuery) -> dict[str, Any]:
        said = self.said(query)
        brands, prices, attributes = Counter[int](), Counter[int](), Counter[tuple[str, str]]()
        for product in self.rows:
            if self.fits(product, query, said, but="brand"):
                brands[product.brand_id] += 1
            if self.fits(product, query, said, but="price"):
                prices[sum(self.price(product) >= bound for bound in PRICE_BOUNDS) - 1] += 1
            for name, value in product.attributes.items():
                if self.fits(product, query, said, attribute=name):
                    attributes[name, value] += 1
        return {"categories": self.categories(query, said), "brands": brands, "prices": prices, "attributes": attributes}
