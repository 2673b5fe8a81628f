"""Explains to staff why a customer sees a product or not, and at which price. The decision
itself is in `offers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from django.db.models import Q

from apps.catalog.models import Product
from apps.common.sql import in_list
from apps.pricing.enums import RuleKind, RuleMode
from apps.pricing.models import AssortmentRule, CustomerAgreement, PriceListItem
from apps.pricing.models.tiers import PriceTier, format_tiers, get_tiers
from apps.pricing.selectors.context import PUBLIC, AssortmentScope, CatalogueContext
from apps.pricing.selectors.offers import ListRow, Offer, build_offers, find_deciding_row, list_rows
from apps.pricing.sql.products import fetch_product_rows

MAX_EXPLAINED = 100
RULE_TARGETS = ("category", "brand", "product")


@dataclass(frozen=True, slots=True)
class PriceReason:
    """The part of one price list in the price. `place` is its priority among the valid lists,
    None if it is not used.
    """

    customer_agreement: CustomerAgreement
    place: int | None
    price: Decimal | None
    tiers: tuple[PriceTier, ...]
    valid_to: date | None
    is_winner: bool
    verdict: str

    @property
    def tiers_text(self) -> str:
        """Return the tiers of the price as text. Empty without tiers."""
        return format_tiers(self.tiers)


@dataclass(frozen=True, slots=True)
class VisibilityReason:
    """Whether one assortment contains the product, and the rules of it that match the product."""

    title: str
    agreements: tuple[str, ...]
    lets_through: bool
    includes: tuple[str, ...]
    excludes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PriceExplanation:
    """The offer of a product with the reasons for its price and visibility."""

    offer: Offer
    prices: tuple[PriceReason, ...]
    visibility_reasons: tuple[VisibilityReason, ...]


def explain_prices(
    *, context: CatalogueContext, product_ids: Iterable[int]
) -> list[PriceExplanation]:
    """Return at most MAX_EXPLAINED products in the order of `product_ids`, each with its offer
    and the reasons.

    A fixed number of queries, plus one for each assortment of the customer. Call it in the tenant
    scope of the customer or in the platform scope.
    """
    ids = list(dict.fromkeys(product_ids))[:MAX_EXPLAINED]
    products_by_id = (
        {product.pk: product for product in fetch_product_rows(context, in_list("p.id", ids))}
        if ids
        else {}
    )
    products = [products_by_id[pk] for pk in ids if pk in products_by_id]
    offers = build_offers(context=context, products=products)
    agreements = _list_agreements(context)
    items = _map_items(agreements, products)
    reader = _VisibilityReader(context, agreements, products)
    return [
        PriceExplanation(
            offer=offers[product.pk],
            prices=tuple(
                _list_price_reasons(
                    context, list_rows(context, product), agreements, items, product.pk
                )
            ),
            visibility_reasons=tuple(reader.list_reasons(product)),
        )
        for product in products
    ]


def _list_agreements(context: CatalogueContext) -> list[CustomerAgreement]:
    """Return all agreements of the customer, valid or not."""
    if context.group_id is None:
        return []
    of_customer = Q(enterprise__isnull=True) | Q(enterprise=context.enterprise_id)
    rows = CustomerAgreement.objects.filter(of_customer, group=context.group_id)
    return list(
        rows.select_related(
            "agreement__price_list", "agreement__assortment", "enterprise"
        ).order_by("priority", "pk")
    )


def _map_items(
    customer_agreements: Sequence[CustomerAgreement], products: Sequence[Product]
) -> dict[tuple[int, int], PriceListItem]:
    """Return the price list items of the products, by price list id and product id."""
    price_list_ids = {row.agreement.price_list_id for row in customer_agreements}
    rows = PriceListItem.objects.filter(
        price_list__in=price_list_ids, product__in=[product.pk for product in products]
    )
    return {(item.price_list_id, item.product_id): item for item in rows}


def _list_price_reasons(
    context: CatalogueContext,
    rows_of_product: list[ListRow],
    customer_agreements: Sequence[CustomerAgreement],
    items: dict[tuple[int, int], PriceListItem],
    product_id: int,
) -> list[PriceReason]:
    """Return the price lists that contain the product: the valid ones by priority, then the
    others with the reason.
    """
    winner = find_deciding_row(rows_of_product)
    prices_used = {
        (list_row.source.price_list_id, list_row.source.agreement_code): (place, list_row)
        for place, list_row in enumerate(rows_of_product, start=1)
    }
    reasons = []
    for row in customer_agreements:
        agreement = row.agreement
        item = items.get((agreement.price_list_id, product_id))
        if item is None:
            continue
        place, list_row = prices_used.pop((agreement.price_list_id, agreement.code), (None, None))
        if list_row is None:
            until = item.valid_to or agreement.valid_to
            reason = PriceReason(
                customer_agreement=row,
                place=None,
                price=item.price,
                tiers=get_tiers(item),
                valid_to=until,
                is_winner=False,
                verdict=_explain_unused(context, row, item),
            )
        else:
            reason = PriceReason(
                customer_agreement=row,
                place=place,
                price=list_row.price,
                tiers=list_row.tiers,
                valid_to=list_row.source.valid_to,
                is_winner=list_row is winner,
                verdict=_explain_row_use(list_row, winner),
            )
        reasons.append(reason)
    return sorted(reasons, key=lambda reason: (reason.place is None, reason.place or 0))


def _explain_row_use(list_row: ListRow, winner: ListRow | None) -> str:
    """Return in Chinese whether the row gives the price, and why not."""
    if list_row is winner:
        return "采用"
    if list_row.price is None:
        return "未采用：没有价格，只有客户品名或物料编码"
    return "未采用：顺位在后"


def _explain_unused(context: CatalogueContext, row: CustomerAgreement, item: PriceListItem) -> str:
    """Return why a price list with the product is not used today."""
    today, agreement, prices = context.today, row.agreement, row.agreement.price_list
    reasons = (
        (agreement.valid_from > today, f"协议 {agreement.valid_from} 起生效"),
        (
            agreement.valid_to is not None and agreement.valid_to < today,
            f"协议 {agreement.valid_to} 已到期",
        ),
        (
            prices.valid_from is not None and prices.valid_from > today,
            f"价目表 {prices.valid_from} 起生效",
        ),
        (
            prices.valid_to is not None and prices.valid_to < today,
            f"价目表 {prices.valid_to} 已到期",
        ),
        (item.valid_to is not None and item.valid_to < today, f"该报价 {item.valid_to} 已到期"),
        (prices.pk in context.price_list_ids, "同一价目表已由顺位更前的协议引用"),
    )
    return "未采用：" + next((text for holds, text in reasons if holds), "该行没有价格")


class _VisibilityReader:
    """Which assortments contain which products, decided by the same SQL as the search, and the
    rules that match the products.
    """

    def __init__(
        self,
        context: CatalogueContext,
        customer_agreements: Sequence[CustomerAgreement],
        products: Sequence[Product],
    ) -> None:
        self.scopes = context.assortments or (PUBLIC,)
        ids = [product.pk for product in products]
        self.let_through = {
            scope.assortment_id: self._list_let_through(context, scope, ids)
            for scope in self.scopes
        }
        self.rules = self._list_rules(products)
        self.names: dict[int, str] = {}
        self.agreements: dict[int, list[str]] = {}
        for row in customer_agreements:
            agreement = row.agreement
            if agreement.valid_from <= context.today and (
                agreement.valid_to is None or agreement.valid_to >= context.today
            ):
                self.names[agreement.assortment_id] = agreement.assortment.name
                self.agreements.setdefault(agreement.assortment_id, []).append(agreement.name)

    @staticmethod
    def _list_let_through(
        context: CatalogueContext, scope: AssortmentScope, ids: list[int]
    ) -> set[int]:
        alone = replace(context, assortments=(scope,), sources=())
        rows = fetch_product_rows(alone, in_list("p.id", ids)) if ids else []
        return {product.pk for product in rows if product.is_visible}

    def _list_rules(self, products: Sequence[Product]) -> list[AssortmentRule]:
        """Return the rules of the customer's assortments that name one of the products, its brand
        or category.
        """
        category_ids = {
            pk for product in products for pk in (product.l1_id, product.l2_id, product.l3_id)
        }
        is_of_products = (
            Q(kind=RuleKind.ALL)
            | Q(category__in=category_ids)
            | Q(brand__in={product.brand_id for product in products})
            | Q(product__in=[product.pk for product in products])
        )
        rules = AssortmentRule.objects.filter(
            is_of_products, assortment__in=[scope.assortment_id for scope in self.scopes]
        )
        return list(rules.select_related(*RULE_TARGETS).order_by("kind", "pk"))

    def list_reasons(self, product: Product) -> list[VisibilityReason]:
        """Return the reason of each assortment for the product."""
        return [self._build_visibility_reason(scope, product) for scope in self.scopes]

    def _build_visibility_reason(
        self, scope: AssortmentScope, product: Product
    ) -> VisibilityReason:
        """Return whether the assortment shows the product, and the rules that include or exclude
        it.
        """
        lets_through = product.pk in self.let_through[scope.assortment_id]
        if scope is PUBLIC:
            list_row = ("商品标记为公开",) if product.is_public else ()
            return VisibilityReason("公开商品目录", (), lets_through, list_row, ())
        rules = [
            rule
            for rule in self.rules
            if rule.assortment_id == scope.assortment_id and _rule_matches(rule, product, scope)
        ]
        return VisibilityReason(
            title=self.names.get(scope.assortment_id, ""),
            agreements=tuple(self.agreements.get(scope.assortment_id, ())),
            lets_through=lets_through,
            includes=tuple(_describe_rule(rule) for rule in rules if rule.mode == RuleMode.INCLUDE),
            excludes=tuple(_describe_rule(rule) for rule in rules if rule.mode == RuleMode.EXCLUDE),
        )


def _rule_matches(rule: AssortmentRule, product: Product, scope: AssortmentScope) -> bool:
    """Return whether the rule is in force and concerns the product."""
    if scope.dated_on is not None and rule.valid_to is not None and rule.valid_to < scope.dated_on:
        return False
    return bool(
        rule.kind == RuleKind.ALL
        or rule.category_id in (product.l1_id, product.l2_id, product.l3_id)
        or rule.brand_id == product.brand_id
        or rule.product_id == product.pk
    )


def _describe_rule(rule: AssortmentRule) -> str:
    """Return the rule as staff read it: 全部商品, 该商品, or its kind and target."""
    if rule.kind == RuleKind.ALL:
        return "全部商品"
    if rule.kind == RuleKind.PRODUCT:
        return "该商品"
    target = rule.category or rule.brand
    return f"{rule.get_kind_display()} {target.name if target else ''}"
