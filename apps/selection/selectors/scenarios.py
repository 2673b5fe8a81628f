"""选品场景 for the form, and the resolution of the kinds in a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

from apps.catalog.indexing.text import normalise
from apps.catalog.models import Category
from apps.common.sql import Fragment, all_of, in_list
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.search.keyword import Lexicon, get_lexicon, parse_concepts
from apps.search.sql.on_sale import ProductQuery, list_best_ids
from apps.selection.models import ScenarioKind, SelectionScenario
from apps.selection.selectors.products import SelectionProduct, build_all_words_query

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class KindRequest:
    """A kind in a request. None means that the scenario's own figure applies."""

    name: str
    per_head: Decimal | None = None
    fixed: int | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind with its unit, its quantities and the rule for its products."""

    name: str
    unit: str
    per_head: Decimal
    fixed: int
    categories: frozenset[int]
    words: str
    avoid: tuple[str, ...]

    def count_pieces(self, heads: int) -> int:
        """Return the number of pieces for a number of people, at least one."""
        return max(1, int((self.per_head * heads).to_integral_value(ROUND_CEILING)) + self.fixed)

    def build_query(self, lexicon: Lexicon) -> ProductQuery:
        """Return the catalogue query for the products of the kind: by its categories, by its words,
        or both.
        """
        if not self.categories:
            return build_all_words_query(self.words or self.name, lexicon)
        is_in_categories = in_list("p.l3_id", sorted(self.categories))
        words_query = (
            build_all_words_query(self.words, lexicon)
            if self.words
            else ProductQuery(Fragment("TRUE"))
        )
        return ProductQuery(all_of([is_in_categories, words_query.where]), words_query.first_words)

    def holds(self, product: SelectionProduct, lexicon: Lexicon) -> bool:
        """Return whether a product belongs to the kind: it is in its categories, contains its
        words, and contains none of the words to avoid.
        """
        if any(word in product.name_key for word in self.avoid):
            return False
        if self.categories and product.category_id not in self.categories:
            return False
        concepts = parse_concepts(
            self.words if self.categories else self.words or self.name, lexicon
        )
        return all(product.matches(concept) for concept in concepts)


@dataclass(frozen=True, slots=True)
class OfferedKind:
    """A kind of a scenario, and whether the customer's catalogue has products of it."""

    row: ScenarioKind
    available: bool


@dataclass(frozen=True, slots=True)
class OfferedScenario:
    """A scenario of the form."""

    row: SelectionScenario
    kinds: tuple[OfferedKind, ...]


def list_offered_scenarios(*, actor: Account) -> tuple[CatalogueContext, list[OfferedScenario]]:
    """Return the actor's catalogue, and the active scenarios with their kinds. One or two queries
    for the catalogue, three for the scenarios, and one for every fifty kinds.
    """
    context = get_catalogue_context(actor=actor)
    lexicon = get_lexicon(context.agreements_token)
    rows = list_active_scenarios()
    kinds = [(scenario, row) for scenario in rows for row in scenario.kinds.all()]
    ids_by_kind = list_best_ids(
        context, [build_kind(row).build_query(lexicon) for _, row in kinds], limit=1
    )
    kind_by_id = {
        row.pk: OfferedKind(row, bool(ids))
        for (_, row), ids in zip(kinds, ids_by_kind, strict=True)
    }
    return context, [
        OfferedScenario(scenario, tuple(kind_by_id[row.pk] for row in scenario.kinds.all()))
        for scenario in rows
    ]


def list_active_scenarios() -> list[SelectionScenario]:
    """Return the active scenarios with kinds and categories. Three queries, one if there are
    none.
    """
    return list(
        SelectionScenario.objects.filter(is_active=True).prefetch_related("kinds__categories")
    )


def build_kind(row: ScenarioKind) -> Kind:
    """Return a kind of product as the solver needs it, from the stored row of a scenario."""
    return Kind(
        name=row.name,
        unit=row.unit,
        per_head=row.per_head,
        fixed=row.fixed,
        categories=frozenset(category.pk for category in row.categories.all()),
        words=row.keyword,
        avoid=tuple(
            normalise(word) for word in row.avoid.replace("；", ";").split(";") if word.strip()
        ),
    )


def resolve_kinds(
    *,
    scenario: SelectionScenario | None,
    scenarios: Sequence[SelectionScenario],
    requested: Sequence[KindRequest],
) -> list[Kind]:
    """Return the kinds of a request in its order, or the scenario's default kinds if the
    request names none.

    A name is resolved in this order: a kind of the scenario, a kind of any scenario, a third-level
    category, words to search for. At most one query.
    """
    own_kinds = {row.name: build_kind(row) for row in scenario.kinds.all()} if scenario else {}
    if scenario and not requested:
        return [own_kinds[row.name] for row in scenario.kinds.all() if row.is_default]
    kinds_by_name = {
        row.name: build_kind(row)
        for other_scenario in scenarios
        for row in other_scenario.kinds.all()
    } | own_kinds
    unknown_names = [
        kind_request.name for kind_request in requested if kind_request.name not in kinds_by_name
    ]
    categories: dict[str, set[int]] = {}
    if unknown_names:
        for name, pk in Category.objects.filter(level=3, name__in=unknown_names).values_list(
            "name", "pk"
        ):
            categories.setdefault(name, set()).add(pk)
    return [
        _build_requested_kind(
            kind_request,
            kinds_by_name.get(kind_request.name),
            frozenset(categories.get(kind_request.name, ())),
        )
        for kind_request in requested
    ]


def _build_requested_kind(
    requested: KindRequest, stored_kind: Kind | None, category_ids: frozenset[int]
) -> Kind:
    """Return the stored kind, or a new one with this name, with the values of the request in place
    of its own.
    """
    kind = stored_kind or Kind(
        name=requested.name,
        unit="",
        per_head=Decimal(1),
        fixed=0,
        categories=category_ids,
        words="" if category_ids else requested.name,
        avoid=(),
    )
    return Kind(
        name=kind.name,
        unit=kind.unit if requested.unit is None else requested.unit,
        per_head=kind.per_head if requested.per_head is None else requested.per_head,
        fixed=kind.fixed if requested.fixed is None else requested.fixed,
        categories=kind.categories,
        words=kind.words,
        avoid=kind.avoid,
    )
