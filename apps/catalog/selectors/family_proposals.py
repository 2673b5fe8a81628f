"""Proposed families: products of one brand, third-level category and model, with the attributes
in which they differ. The demo data create families from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.catalog.models.family import KEY_SEPARATOR, MAX_AXES, MAX_MEMBERS, PACK_AXIS


@dataclass(frozen=True, slots=True)
class ProposedProduct:
    """The facts of a product that decide about its family. `article` is its brand, category and
    model.
    """

    pk: int
    code: str
    name: str
    article: tuple[int, int, str]
    pack: str
    attributes: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ProposedFamily:
    """`members` are the keys of the products with their value on each axis."""

    code: str
    name: str
    category_id: int
    axes: tuple[str, ...]
    members: tuple[tuple[int, tuple[str, ...]], ...]


def propose_families(products: Iterable[ProposedProduct]) -> list[ProposedFamily]:
    """Return the families of the products. A product that lacks a value on an axis, or that has
    the same values as an earlier one, stays outside.
    """
    articles: dict[tuple[int, int, str], list[ProposedProduct]] = defaultdict(list)
    for product in products:
        _brand_id, _category_id, name = product.article
        if name:
            articles[product.article].append(product)
    families = (_propose_family(rows) for rows in articles.values() if len(rows) > 1)
    return [family for family in families if family is not None]


def get_axis_values(pack: str, attributes: Mapping[str, object]) -> dict[str, str]:
    """Return the values by the name of an axis. The pack is the value of 规格."""
    values = {name: str(value).strip() for name, value in attributes.items()}
    return {**values, PACK_AXIS: pack.strip()}


def _propose_family(rows: Sequence[ProposedProduct]) -> ProposedFamily | None:
    """Return a family of products that differ in at most MAX_AXES attributes or the pack. None if
    fewer than two of them can be told apart.
    """
    values_of_rows = [get_axis_values(row.pack, row.attributes) for row in rows]
    names = list(
        dict.fromkeys(
            name
            for product_values in values_of_rows
            for name in product_values
            if name != PACK_AXIS
        )
    )
    differing = [
        name
        for name in [*names, PACK_AXIS]
        if len({product_values.get(name, "") for product_values in values_of_rows} - {""}) > 1
    ]
    axes = tuple(differing[:MAX_AXES])
    members: dict[str, tuple[int, tuple[str, ...]]] = {}
    for row, product_values in zip(rows, values_of_rows, strict=True):
        member_values = tuple(product_values.get(axis, "") for axis in axes)
        if all(member_values) and len(members) < MAX_MEMBERS:
            members.setdefault(KEY_SEPARATOR.join(member_values), (row.pk, member_values))
    if not axes or len(members) < 2:
        return None
    member_ids = {pk for pk, _ in members.values()}
    return ProposedFamily(
        code=f"F{rows[0].code}",
        name=_find_shared_words([row.name for row in rows if row.pk in member_ids])[:80],
        category_id=rows[0].article[1],
        axes=axes,
        members=tuple(members.values()),
    )


def _find_shared_words(names: Sequence[str]) -> str:
    """Return the words that all names contain, in the order of the first name. If they share no
    word, return the first name.
    """
    common = set.intersection(*({*name.split()} for name in names))
    return " ".join(word for word in names[0].split() if word in common) or names[0]
