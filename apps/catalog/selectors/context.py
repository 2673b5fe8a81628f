"""Whose catalogue is asked for: the agreements that hold today, their price lists in the order they are asked, their assortments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.utils import timezone

from apps.catalog.enums import PriceListKind, RuleKind, RuleMode
from apps.common.hot_rows import hot_rows

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class PriceSource:
    """A price list that holds today, and the agreement that gives it; in one of quotes each row has its own last day."""

    price_list_id: int
    agreement_code: str
    agreement_name: str
    valid_to: date | None
    has_dated_rows: bool = False


@dataclass(frozen=True, slots=True)
class RuleSide:
    """The includes, or the excludes, of an assortment. Single products stay in the database: `products` only says that there are some."""

    everything: bool = False
    categories: tuple[tuple[int, int], ...] = ()
    brands: tuple[int, ...] = ()
    products: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True)
class AssortmentScope:
    """What one assortment lets through: its includes without its excludes; where `dated_on` is named, only rules that hold on that day."""

    assortment_id: int
    include: RuleSide
    exclude: RuleSide
    dated_on: date | None = None


@dataclass(frozen=True, slots=True)
class CatalogueContext:
    """A customer's catalogue on one day. Without agreements it is the public one at market price."""

    today: date
    change_id: int = 0
    agreements_token: str = ""
    group_id: int | None = None
    enterprise_id: int | None = None
    account_id: int | None = None
    sources: tuple[PriceSource, ...] = ()
    assortments: tuple[AssortmentScope, ...] = field(default=())

    @property
    def is_public(self) -> bool:
        """Whether no agreement holds."""
        return not self.assortments

    @property
    def version(self) -> str:
        """What X-Catalogue-Version carries: it moves with every change, and at midnight, when validity dates take effect."""
        return f"{self.change_id}-{self.today:%Y%m%d}"

    @property
    def price_list_ids(self) -> list[int]:
        """The price lists, the one that decides first."""
        return [source.price_list_id for source in self.sources]


PUBLIC = AssortmentScope(0, RuleSide(public=True), RuleSide())

# What moves with every change: the id of the last one, which dates the answer, and the token under which agreements are kept.
VERSIONS = "SELECT (SELECT COALESCE(MAX(id), 0) FROM catalog_catalogchange), (SELECT token FROM catalog_agreementsversion WHERE id = 1)"
KEPT_CUSTOMERS = 4096

# All in one query: the agreements in the order they are asked, and the rules of their assortments.
AGREEMENTS = """
SELECT a.code, a.name, a.valid_to, a.assortment_id, a.price_list_id,
  (pl.valid_from IS NULL OR pl.valid_from <= %(today)s) AND (pl.valid_to IS NULL OR pl.valid_to >= %(today)s),
  (SELECT {group_array}({array}(r.mode, r.kind, r.category_id, c.level, r.brand_id))
     FROM catalog_assortmentrule r LEFT JOIN catalog_category c ON c.id = r.category_id
     WHERE r.assortment_id = a.assortment_id AND r.kind <> 'product'),
  EXISTS (SELECT 1 FROM catalog_assortmentrule r WHERE r.assortment_id = a.assortment_id AND r.kind = 'product' AND r.mode = 'include'),
  EXISTS (SELECT 1 FROM catalog_assortmentrule r WHERE r.assortment_id = a.assortment_id AND r.kind = 'product' AND r.mode = 'exclude'),
  a.is_addition
FROM catalog_customeragreement ca
JOIN catalog_agreement a ON a.id = ca.agreement_id
JOIN catalog_pricelist pl ON pl.id = a.price_list_id
WHERE ca.group_id = %(group)s AND (ca.enterprise_id IS NULL OR ca.enterprise_id = %(enterprise)s)
  AND a.valid_from <= %(today)s AND (a.valid_to IS NULL OR a.valid_to >= %(today)s)
ORDER BY CASE WHEN a.is_addition THEN 0 ELSE 1 END, CASE pl.kind WHEN %(own)s THEN 0 ELSE 1 END, ca.priority,
  CASE WHEN ca.enterprise_id IS NULL THEN 1 ELSE 0 END, ca.id
"""
JSON_FUNCTIONS = {
    "postgresql": {"group_array": "json_agg", "array": "json_build_array"},
    "sqlite": {"group_array": "json_group_array", "array": "json_array"},
}
Rule = tuple[str, str, int | None, int | None, int | None]


def catalogue_context(*, actor: Account | None) -> CatalogueContext:
    """Return the actor's catalogue of today, in Asia/Shanghai; the public one for anonymous visitors and staff.

    One query, and a second where this process has not read the customer's agreements since they last changed.
    """
    if actor is None:
        return customer_context(group_id=None, enterprise_id=None)
    return customer_context(group_id=actor.group_id, enterprise_id=actor.enterprise_id, account_id=actor.pk)


def customer_context(*, group_id: int | None, enterprise_id: int | None, account_id: int | None = None) -> CatalogueContext:
    """Return the catalogue of today of an enterprise, or of a group's people without one; the public one without a group.

    One query, and a second where this process has not read the customer's agreements since they last changed.
    """
    today = timezone.localdate()
    change_id, token = hot_rows(VERSIONS, [])[0]
    read = _agreed if token else _agreed.__wrapped__
    sources, assortments = read(token, today, group_id, enterprise_id)
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


@lru_cache(maxsize=KEPT_CUSTOMERS)
def _agreed(
    _token: str | None, today: date, group_id: int | None, enterprise_id: int | None
) -> tuple[tuple[PriceSource, ...], tuple[AssortmentScope, ...]]:
    """Return what a customer has agreed, kept under the token: what is read after it is never older than it."""
    if group_id is None:
        return (), ()
    with connection.cursor() as cursor:
        cursor.execute(
            AGREEMENTS.format(**JSON_FUNCTIONS[connection.vendor]),
            {"today": today, "group": group_id, "enterprise": enterprise_id, "own": PriceListKind.CUSTOMER.value},
        )
        rows = cursor.fetchall()
    return _sources(rows), _assortments(rows, today)


def _sources(rows: Iterable[tuple[Any, ...]]) -> tuple[PriceSource, ...]:
    found: dict[int, PriceSource] = {}
    for code, name, valid_to, _, price_list_id, prices_hold, *_, is_addition in rows:
        if prices_hold and price_list_id not in found:
            until = date.fromisoformat(valid_to) if isinstance(valid_to, str) else valid_to
            found[price_list_id] = PriceSource(price_list_id, code, name, until, bool(is_addition))
    return tuple(found.values())


def _assortments(rows: Sequence[tuple[Any, ...]], today: date) -> tuple[AssortmentScope, ...]:
    found: dict[int, AssortmentScope] = {}
    if rows and all(is_addition for *_, is_addition in rows):
        # What was quoted comes on top of the public catalogue, it does not take its place.
        found[PUBLIC.assortment_id] = PUBLIC
    for *_, assortment_id, _, _, packed, includes_products, excludes_products, is_addition in rows:
        rules: list[Rule] = (json.loads(packed) if isinstance(packed, str) else packed) or []
        include = _side([rule for rule in rules if rule[0] == RuleMode.INCLUDE], products=bool(includes_products))
        exclude = _side([rule for rule in rules if rule[0] == RuleMode.EXCLUDE], products=bool(excludes_products))
        found[assortment_id] = AssortmentScope(assortment_id, include, exclude, today if is_addition else None)
    return tuple(found.values())


def _side(rules: list[Rule], *, products: bool) -> RuleSide:
    return RuleSide(
        everything=any(kind == RuleKind.ALL for _, kind, *_ in rules),
        categories=tuple((level, category) for _, _, category, level, _ in rules if category is not None and level is not None),
        brands=tuple(brand for *_, brand in rules if brand is not None),
        products=products,
    )
