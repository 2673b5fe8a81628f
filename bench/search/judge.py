"""The judged queries: grades of products for each query, from 3 (exactly this) to 0 (not this),
and the quality measure of an answer.

A label is a rule over the catalogue's data, so that every product has a grade: `3 c=11010101
a=黑色;1
c=11010101` gives 3 to black products of that category and 1 to its others. The first matching rule
decides. `as QUERY` uses another query's labels. `u=10` and `l=10` are an
upper and a lower bound of the price that the asker sees, in 元.
"""

from __future__ import annotations

import csv
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

QUERIES = Path(__file__).with_name("queries.csv")
TOP = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """The data to which a label can refer: category code, brand, model, product code, name,
    attribute values, the asker's price in 元 含税.
    """

    code: str
    category: str
    brand: str
    model: str
    name: str
    values: tuple[str, ...]
    price: Decimal


@dataclass(frozen=True, slots=True)
class Term:
    """A condition; one of its words must match."""

    field: str
    words: tuple[str, ...]
    negated: bool

    def holds(self, product: Judged) -> bool:
        """Whether the product matches: categories by prefix, names by part, prices by bound,
        everything else exactly.
        """
        met = {
            "c": lambda: product.category.startswith(self.words),
            "n": lambda: any(word.casefold() in product.name.casefold() for word in self.words),
            "a": lambda: any(word in product.values for word in self.words),
            "b": lambda: product.brand in self.words,
            "m": lambda: product.model in self.words,
            "p": lambda: product.code in self.words,
            "u": lambda: product.price <= Decimal(self.words[0]),
            "l": lambda: product.price >= Decimal(self.words[0]),
        }[self.field]()
        return met != self.negated


@dataclass(frozen=True, slots=True)
class Rule:
    """A grade, and the terms that must all match."""

    grade: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A judged query. `who` is the account that asks; empty for a visitor."""

    kind: str
    who: str
    text: str
    rules: tuple[Rule, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether the query is held out: a third, chosen by a hash of its text."""
        return zlib.crc32(self.text.encode()) % 3 == 0

    def grade(self, product: Judged) -> int:
        """Return the product's grade; 0 if no rule matches."""
        return next(
            (rule.grade for rule in self.rules if all(term.holds(product) for term in rule.terms)),
            0,
        )


def read_queries(path: Path = QUERIES) -> list[Query]:
    """Return the judged queries in the file's order.

    Raises:
        ValueError: a query occurs twice, or a label is invalid.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    labels = {row["query"]: row["labels"] for row in rows}
    if len(labels) != len(rows):
        raise ValueError("a query stands twice")
    return [
        Query(row["kind"], row["who"], row["query"], _rules(_own(labels, row["labels"])))
        for row in rows
    ]


def _own(labels: dict[str, str], label: str) -> str:
    return labels[label.removeprefix("as ")] if label.startswith("as ") else label


def _rules(label: str) -> tuple[Rule, ...]:
    rules = []
    for part in filter(None, label.split(";")):
        grade, *terms = part.split()
        if grade not in ("1", "2", "3") or not terms:
            raise ValueError(part)
        rules.append(Rule(int(grade), tuple(_term(term) for term in terms)))
    return tuple(rules)


def _term(text: str) -> Term:
    field, equals, words = text.removeprefix("!").partition("=")
    if field not in tuple("cnabmpul") or not equals or not words:
        raise ValueError(text)
    return Term(field, tuple(words.split("|")), text.startswith("!"))


def compute_ndcg(answered: Sequence[int], possible: Iterable[int]) -> float:
    """Return nDCG@10 of the answered grades against the best order of all grades; gain 2^grade
    - 1.
    """
    best = _compute_gain(sorted(possible, reverse=True))
    return _compute_gain(answered) / best if best else 0.0


def _compute_gain(grades: Sequence[int]) -> float:
    return math.fsum(
        (2.0**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades[:TOP])
    )
