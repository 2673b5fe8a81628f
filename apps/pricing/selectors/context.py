"""The catalogue context of a customer: valid agreements, their price lists in order of
priority, and their assortments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.utils import timezone

from apps.common.sql import fetch_prepared
from apps.pricing.enums import PriceListKind, RuleKind, RuleMode

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class PriceSource:
    """A valid price list and the agreement that gives it. With `has_dated_rows` (quotes) each
    row has its own last valid day.
    """

    price_list_id: int
    agreement_code: str
    agreement_name: str
    valid_to: date | None
    has_dated_rows: bool = False


@dataclass(frozen=True, slots=True)
class RuleSide:
    """The includes or the excludes of an assortment. `products` says whether rules on single
    products exist; their ids remain in the database.
    """

    everything: bool = False
    categories: tuple[tuple[int, int], ...] = ()
    brands: tuple[int, ...] = ()
    products: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True)
class AssortmentScope:
    """The products of one assortment: includes without excludes. If `dated_on` is set, rules on
    single products count only if they are valid on that day.
    """

    assortment_id: int
    include: RuleSide
    exclude: RuleSide
    dated_on: date | None = None


@dataclass(frozen=True, slots=True)
class CatalogueContext:
    """The catalogue of a customer on one day. Without agreements it is the public catalogue at
    market prices. With `hides_prices`, no price leaves the price engine (`product_rows`).
    """

    today: date
    change_id: int = 0
    agreements_token: str = ""
    group_id: int | None = None
    enterprise_id: int | None = None
    account_id: int | None = None
    hides_prices: bool = False
    sources: tuple[PriceSource, ...] = ()
    assortments: tuple[AssortmentScope, ...] = field(default=())

    @property
    def is_public(self) -> bool:
        """Return whether no agreement is valid."""
        return not self.assortments

    @property
    def version(self) -> str:
        """Return the value of X-Catalogue-Version. It changes with every CatalogChange and at
        midnight, when validity dates take effect.
        """
        return f"{self.change_id}-{self.today:%Y%m%d}"

    @property
    def price_list_ids(self) -> list[int]:
        """Return the ids of the price lists by priority. The first list with a price decides."""
        return [source.price_list_id for source in self.sources]


PUBLIC = AssortmentScope(0, RuleSide(public=True), RuleSide())

# The id of the last CatalogChange, which is the version of a response, and the token under which
# this process caches agreements.
VERSIONS = (
    "SELECT (SELECT COALESCE(MAX(id), 0) FROM catalog_catalogchange), "
    "(SELECT token FROM pricing_agreementsversion WHERE id = 1)"
)
CACHED_CUSTOMERS = 4096

# One query: the valid agreements by priority, with the rules of their assortments.
AGREEMENTS = """
SELECT a.code, a.name, a.valid_to, a.assortment_id, a.price_list_id,
  (pl.valid_from IS NULL OR pl.valid_from <= %(today)s) AND (pl.valid_to IS NULL
      OR pl.valid_to >= %(today)s),
  (SELECT {group_array}({array}(r.mode, r.kind, r.category_id, c.level, r.brand_id))
     FROM pricing_assortmentrule r LEFT JOIN catalog_category c ON c.id = r.category_id
     WHERE r.assortment_id = a.assortment_id AND r.kind <> 'product'),
  EXISTS (SELECT 1 FROM pricing_assortmentrule r WHERE r.assortment_id = a.assortment_id
      AND r.kind = 'product' AND r.mode = 'include'),
  EXISTS (SELECT 1 FROM pricing_assortmentrule r WHERE r.assortment_id = a.assortment_id
      AND r.kind = 'product' AND r.mode = 'exclude'),
  a.is_addition
FROM pricing_customeragreement ca
JOIN pricing_agreement a ON a.id = ca.agreement_id
JOIN pricing_pricelist pl ON pl.id = a.price_list_id
WHERE ca.group_id = %(group)s AND (ca.enterprise_id IS NULL OR ca.enterprise_id = %(enterprise)s)
  AND a.valid_from <= %(today)s AND (a.valid_to IS NULL OR a.valid_to >= %(today)s)
ORDER BY CASE WHEN a.is_addition THEN 0 ELSE 1 END, CASE pl.kind WHEN %(own)s THEN 0 ELSE 1 END,
    ca.priority,
  CASE WHEN ca.enterprise_id IS NULL THEN 1 ELSE 0 END, ca.id
"""
JSON_FUNCTIONS = {
    "postgresql": {"group_array": "json_agg", "array": "json_build_array"},
    "sqlite": {"group_array": "json_group_array", "array": "json_array"},
}
Rule = tuple[str, str, int | None, int | None, int | None]


def get_catalogue_context(*, actor: Account | None) -> CatalogueContext:
    """Return the actor's catalogue of today (Asia/Shanghai). Anonymous visitors and staff get
    the public catalogue. An actor whose role shows no prices gets the catalogue without prices.

    One query. A second query if this process has not read the customer's agreements since their
    last change, and another one for the roles if the actor is not the caller of the request.
    """
    if actor is None:
        return get_customer_context(group_id=None, enterprise_id=None)
    context = get_customer_context(
        group_id=actor.group_id, enterprise_id=actor.enterprise_id, account_id=actor.pk
    )
    return context if actor.sees_prices else replace(context, hides_prices=True)


def get_customer_context(
    *, group_id: int | None, enterprise_id: int | None, account_id: int | None = None
) -> CatalogueContext:
    """Return today's catalogue of an enterprise, or of a group for accounts without an
    enterprise. Without a group, return the public catalogue.

    One query. A second query if this process has not read the customer's agreements since their
    last change.
    """
    today = timezone.localdate()
    change_id, token = fetch_prepared(VERSIONS, [])[0]
    read_agreements = _read_agreements if token else _read_agreements.__wrapped__
    sources, assortments = read_agreements(token, today, group_id, enterprise_id)
    return CatalogueContext(
        today=today,
        change_id=change_id,
        agreements_token=token or "",
        group_id=group_id,
        enterprise_id=enterprise_id,
        account_id=account_id,
        sources=sources,
        assortments=assortments,
    )


@lru_cache(maxsize=CACHED_CUSTOMERS)
def _read_agreements(
    _token: str | None, today: date, group_id: int | None, enterprise_id: int | None
) -> tuple[tuple[PriceSource, ...], tuple[AssortmentScope, ...]]:
    """Return the customer's price sources and assortments, cached under the token.

    The token is read first, so cached data is never older than its token.
    """
    if group_id is None:
        return (), ()
    with connection.cursor() as cursor:
        cursor.execute(
            AGREEMENTS.format(**JSON_FUNCTIONS[connection.vendor]),
            {
                "today": today,
                "group": group_id,
                "enterprise": enterprise_id,
                "own": PriceListKind.CUSTOMER.value,
            },
        )
        rows = cursor.fetchall()
    return _build_sources(rows), _build_assortments(rows, today)


def _build_sources(rows: Iterable[tuple[Any, ...]]) -> tuple[PriceSource, ...]:
    """Return the price lists that hold today, once each, in the order of priority. `rows` are those
    of the statement AGREEMENTS.
    """
    sources: dict[int, PriceSource] = {}
    for code, name, valid_to, _, price_list_id, prices_hold, *_, is_addition in rows:
        if prices_hold and price_list_id not in sources:
            until = date.fromisoformat(valid_to) if isinstance(valid_to, str) else valid_to
            sources[price_list_id] = PriceSource(
                price_list_id, code, name, until, bool(is_addition)
            )
    return tuple(sources.values())


def _build_assortments(rows: Sequence[tuple[Any, ...]], today: date) -> tuple[AssortmentScope, ...]:
    """Return the assortments of the agreements with their rules. `rows` are those of the statement
    AGREEMENTS. Agreements that only add products leave the public catalogue visible.
    """
    scopes: dict[int, AssortmentScope] = {}
    if rows and all(is_addition for *_, is_addition in rows):
        # Quoted products extend the public catalogue; they do not replace it.
        scopes[PUBLIC.assortment_id] = PUBLIC
    for (
        *_,
        assortment_id,
        _,
        _,
        packed_rules,
        includes_products,
        excludes_products,
        is_addition,
    ) in rows:
        rules: list[Rule] = (
            json.loads(packed_rules) if isinstance(packed_rules, str) else packed_rules
        ) or []
        include = _build_side(
            [rule for rule in rules if rule[0] == RuleMode.INCLUDE],
            products=bool(includes_products),
        )
        exclude = _build_side(
            [rule for rule in rules if rule[0] == RuleMode.EXCLUDE],
            products=bool(excludes_products),
        )
        scopes[assortment_id] = AssortmentScope(
            assortment_id, include, exclude, today if is_addition else None
        )
    return tuple(scopes.values())


def _build_side(rules: list[Rule], *, products: bool) -> RuleSide:
    """Return the include or exclude side of an assortment from its packed rules."""
    return RuleSide(
        everything=any(kind == RuleKind.ALL for _, kind, *_ in rules),
        categories=tuple(
            (level, category)
            for _, _, category, level, _ in rules
            if category is not None and level is not None
        ),
        brands=tuple(brand for *_, brand in rules if brand is not None),
        products=products,
    )
