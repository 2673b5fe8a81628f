"""Products that a keyword names exactly: by product code, the customer's material code or name,
model code, or name. Each lookup uses an index.
"""

from __future__ import annotations

from django.db import connection

from apps.catalog.indexing.text import CODE_MARKS, model_key, normalise
from apps.common.sql.fragment import NEVER, Fragment, all_of, any_of, in_list
from apps.pricing.selectors.context import CatalogueContext

MAX_EXACT = 100
# Minimum length of a part of a name, and maximum number of parts to search for.
SHORTEST, MAX_PIECES = 2, 6
FULL_WIDTH = str.maketrans("()", "（）")
HALF_WIDTH = str.maketrans("（）", "()")


def exact_ids(context: CatalogueContext, typed: str, meant: str) -> list[int]:
    """Return the ids of the products that the keyword names exactly, at most MAX_EXACT.
    Products that the customer cannot see are included.

    `meant` is the keyword without words like 编码 or 型号. Codes and models match with or without
    dashes and blanks.
    """
    return named_ids(context, typed, meant)[0]


def named_ids(context: CatalogueContext, typed: str, meant: str) -> tuple[list[int], list[int]]:
    """Return two lists of ids, each at most MAX_EXACT: products that the keyword names exactly,
    and products whose own name of the group contains the keyword.

    One query.
    """
    keywords = list(dict.fromkeys([normalise(typed), meant]))
    ways = [_is("code", keywords), _is("name_key", keywords)]
    models = list(dict.fromkeys(key for keyword in keywords if (key := model_key(keyword))))
    if models:
        ways.append(_is("model_key", models))
    codes, names = (
        _cased([typed.strip(), meant, *(model_key(keyword) for keyword in keywords)]),
        _cased(_bracketed(typed.strip())),
    )
    if context.group_id is not None:
        ways.append(_by_groups_word(context.group_id, codes, names, models))
        ways.append(_in_groups_name(context.group_id, keywords))
    if context.sources:
        ways += [
            _by_own_word(context, "customer_code", codes),
            _by_own_word(context, "customer_name", names),
        ]
        ways += [_by_own_word(context, squeezed("customer_code"), models)] if models else []
    union = " UNION ".join(way.sql for way in ways)
    sql = (
        f"SELECT id, MIN(part) FROM ({union}) found GROUP BY id ORDER BY MIN(part), id LIMIT "
        f"{MAX_EXACT}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [value for way in ways for value in way.parameters])
        rows = cursor.fetchall()
    return [pk for pk, part in rows if not part], [pk for pk, part in rows if part]


def _is(column: str, words: list[str]) -> Fragment:
    way = in_list(column, words)
    return Fragment(f"SELECT id, 0 AS part FROM catalog_product WHERE {way.sql}", way.parameters)


def _bracketed(name: str) -> list[str]:
    """Return the name with half-width and with full-width brackets."""
    return [name, name.translate(FULL_WIDTH), name.translate(HALF_WIDTH)]


def _cased(words: list[str]) -> list[str]:
    """Return the spellings to look up: as typed, in upper case and in lower case. Customers'
    codes and names are stored unchanged.
    """
    return sorted({way for word in words if word for way in (word, word.upper(), word.lower())})


def _by_own_word(context: CatalogueContext, column: str, typed: list[str]) -> Fragment:
    lists, words = in_list("price_list_id", context.price_list_ids), in_list(column, typed)
    sql = (
        f"SELECT product_id, 0 FROM pricing_pricelistitem WHERE {lists.sql} AND {column} <> '' "
        f"AND {words.sql}"
    )
    return Fragment(sql, [*lists.parameters, *words.parameters])


def _by_groups_word(
    group_id: int, codes: list[str], names: list[str], models: list[str]
) -> Fragment:
    said = any_of(
        [in_list("code", codes), in_list("name", names), in_list(squeezed("code"), models)]
    )
    return Fragment(
        f"SELECT product_id, 0 FROM pricing_ownname WHERE group_id = %s AND {said.sql}",
        [group_id, *said.parameters],
    )


def _in_groups_name(group_id: int, keywords: list[str]) -> Fragment:
    part = any_of(in_name("name", keyword) for keyword in keywords)
    return Fragment(
        f"SELECT product_id, 1 FROM pricing_ownname WHERE group_id = %s AND {part.sql}",
        [group_id, *part.parameters],
    )


def squeezed(column: str) -> str:
    """Return the SQL expression of a code in the form of `model_key`. Price lists have an index
    on it; the few rows of a group's own names need none.
    """
    text = f"LOWER({column})"
    for mark in CODE_MARKS:
        text = f"REPLACE({text}, '{mark}', '')"
    return text


def in_name(column: str, keyword: str) -> Fragment:
    """Return the condition that a name contains every part of the keyword. It is never true for
    a keyword of less than SHORTEST characters.
    """
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    pieces = keyword.split()[:MAX_PIECES]
    if len(keyword) < SHORTEST or not pieces:
        return NEVER
    return all_of(Fragment(f"{position}(LOWER({column}), %s) > 0", [piece]) for piece in pieces)
