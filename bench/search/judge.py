"""The judged queries: which products a buyer means by each, in grades from 3 (just this) to 0 (not this), and how good an answer is.

A label is a rule over the catalogue's own data, so that every product has a grade: `3 c=11010101 a=黑色;1 c=11010101` gives a 3 to
black products of that category and a 1 to its others; the first rule that fits decides. `as QUERY` takes another query's labels.
"""

from __future__ import annotations

import csv
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

QUERIES = Path(__file__).with_name("queries.csv")
TOP = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """What a label may speak of: category code, brand, model, product code, name, attribute values."""

    code: str
    category: str
    brand: str
    model: str
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """One condition; any of its words will do."""

    field: str
    words: tuple[str, ...]
    negated: bool

    def holds(self, product: Judged) -> bool:
        """Whether the product meets it: categories by prefix, names by part, all else as a whole."""
        met = {
            "c": lambda: product.category.startswith(self.words),
            "n": lambda: any(word.casefold() in product.name.casefold() for word in self.words),
            "a": lambda: any(word in product.values for word in self.words),
            "b": lambda: product.brand in self.words,
            "m": lambda: product.model in self.words,
            "p": lambda: product.code in self.words,
        }[self.field]()
        return met != self.negated


@dataclass(frozen=True, slots=True)
class Rule:
    """A grade, and the terms that all must hold for it."""

    grade: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One judged query; `who` is the account that asks, empty for a visitor."""

    kind: str
    who: str
    text: str
    rules: tuple[Rule, ...]

    @property
    def is_held_out(self) -> bool:
        """A third by a hash of the text: fixed, and nobody's choice."""
        return zlib.crc32(self.text.encode()) % 3 == 0

    def grade(self, product: Judged) -> int:
        """Return the product's grade, 0 where no rule fits."""
        return next((rule.grade for rule in self.rules if all(term.holds(product) for term in rule.terms)), 0)


def queries(path: Path = QUERIES) -> list[Query]:
    """Return the judged queries in the order of the file.

    Raises:
        ValueError: a query stands twice, or a label cannot be read.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    labels = {row["query"]: row["labels"] for row in rows}
    if len(labels) != len(rows):
        raise ValueError("a query stands twice")
    return [Query(row["kind"], row["who"], row["query"], _rules(_own(labels, row["labels"]))) for row in rows]


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
    if field not in tuple("cnabmp") or not equals or not words:
        raise ValueError(text)
    return Term(field, tuple(words.split("|")), text.startswith("!"))


def ndcg(answered: Sequence[int], possible: Iterable[int]) -> float:
    """Return nDCG@10 of the grades answered, beside the best order of all possible grades; gain 2^grade - 1."""
    best = _gain(sorted(possible, reverse=True))
    return _gain(answered) / best if best else 0.0


def _gain(grades: Sequence[int]) -> float:
    return math.fsum((2.0**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades[:TOP]))
