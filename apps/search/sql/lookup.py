"""Look up products by exact names, for one keyword or for many words at once. The number of
statements does not depend on the number of words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from apps.catalog.barcodes import is_barcode, list_spellings
from apps.catalog.indexing.full_text import VECTOR
from apps.catalog.indexing.text import CODE_MARKS, build_model_key, normalise
from apps.common.sql import NEVER, Fragment, all_of, any_of, in_list, in_list_as_one_parameter
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import build_for_sale_conditions

MAX_EXACT = 100
# Minimum length of a part of a name, and maximum number of parts to search for.
SHORTEST, MAX_PIECES = 2, 6
FULL_WIDTH = str.maketrans("()", "（）")
HALF_WIDTH = str.maketrans("（）", "()")
MAX_MATCHES_READ = 1000
LAST = "\U0010ffff"
# The way in which a word names a product, the matched text, and the product id.
NamedRow = tuple[str, str, int]
# How a product is named: by another brand's part number, exactly, or by a part of the group's name.
REFERENCED, EXACT, PARTLY = -1, 0, 1
# A word that looks like a part number: letters with digits, or a long number.
PART = re.compile(r"(?=[0-9a-z.\-/+]*[0-9])[0-9a-z]+(?:[.\-/+][0-9a-z]+)*")
MAX_PARTS, SHORTEST_PART = 8, 4


def list_exact_ids(context: CatalogueContext, typed: str, searched: str) -> list[int]:
    """Return the ids of the products that the keyword names exactly, at most MAX_EXACT.
    Products that the customer cannot see are included.

    `searched` is the keyword without words like 编码 or 型号. Codes and models match with or
    without dashes and blanks.
    """
    exact, _, referenced = list_named_ids(context, typed, searched)
    return [*referenced, *exact]


def list_named_ids(
    context: CatalogueContext, typed: str, searched: str
) -> tuple[list[int], list[int], list[int]]:
    """Return three lists of ids, together at most MAX_EXACT: products that the keyword names
    exactly, products whose own name of the group contains the keyword, and products to which a
    part number or name of another brand leads.

    One query.
    """
    keywords = list(dict.fromkeys([normalise(typed), searched]))
    selects = [_select_exact("code", keywords), _select_exact("name_key", keywords)]
    barcodes = [select for word in keywords if is_barcode(word) for select in list_spellings(word)]
    if barcodes:
        select = _select_exact("barcode", barcodes)
        # The index has only products with a barcode.
        selects.append(Fragment(f"{select.sql} AND barcode <> ''", select.parameters))
    model_keys = list(
        dict.fromkeys(key for keyword in keywords if (key := build_model_key(keyword)))
    )
    if model_keys:
        selects.append(_select_exact("model_key", model_keys))
    selects.append(_select_referenced(list_reference_part_keys(typed, searched), keywords))
    code_spellings, name_spellings = (
        _list_case_variants(
            [typed.strip(), searched, *(build_model_key(keyword) for keyword in keywords)]
        ),
        _list_case_variants(_list_bracket_variants(typed.strip())),
    )
    if context.group_id is not None:
        selects.append(
            _select_by_group_name(context.group_id, code_spellings, name_spellings, model_keys)
        )
        selects.append(_select_by_part_of_group_name(context.group_id, keywords))
    if context.sources:
        selects += [
            _select_by_customer_word(context, "customer_code", code_spellings),
            _select_by_customer_word(context, "customer_name", name_spellings),
        ]
        selects += (
            [_select_by_customer_word(context, build_code_key_sql("customer_code"), model_keys)]
            if model_keys
            else []
        )
    union = " UNION ".join(select.sql for select in selects)
    sql = (
        f"SELECT id, MIN(part) FROM ({union}) found GROUP BY id ORDER BY MIN(part), id LIMIT "
        f"{MAX_EXACT}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [value for select in selects for value in select.parameters])
        rows = cursor.fetchall()
    exact_matches, part_matches, referenced = (
        [pk for pk, part in rows if part == kind] for kind in (EXACT, PARTLY, REFERENCED)
    )
    return exact_matches, part_matches, referenced


def list_reference_part_keys(*texts: str) -> list[str]:
    """Return the keys under which the texts may name a part of another brand: the whole text,
    and each of its words that looks like a part number.
    """
    words = [
        key
        for text in texts
        for word in PART.findall(normalise(text))[:MAX_PARTS]
        if len(key := build_model_key(word)) >= SHORTEST_PART
    ]
    wholes = [key for text in texts if (key := build_model_key(text))]
    return list(dict.fromkeys([*wholes, *words]))


def _select_referenced(part_keys: list[str], names: list[str]) -> Fragment:
    """Return the SELECT of products to which a part number or a name of another brand leads."""
    part_condition, name_condition = in_list("part_key", part_keys), in_list("name_key", names)
    sql = "SELECT product_id, {} FROM finders_crossreference WHERE {}"
    by_part, by_name = (
        sql.format(REFERENCED, condition.sql) for condition in (part_condition, name_condition)
    )
    return Fragment(
        f"{by_part} UNION {by_name}",
        [*part_condition.parameters, *name_condition.parameters],
    )


def _select_exact(column: str, words: list[str]) -> Fragment:
    condition = in_list(column, words)
    return Fragment(
        f"SELECT id, 0 AS part FROM catalog_product WHERE {condition.sql}", condition.parameters
    )


def _list_bracket_variants(name: str) -> list[str]:
    """Return the name with half-width and with full-width brackets."""
    return [name, name.translate(FULL_WIDTH), name.translate(HALF_WIDTH)]


def _list_case_variants(words: list[str]) -> list[str]:
    """Return the spellings to look up: as typed, in upper case and in lower case. Customers'
    codes and names are stored unchanged.
    """
    return sorted({way for word in words if word for way in (word, word.upper(), word.lower())})


def _select_by_customer_word(
    context: CatalogueContext, column: str, typed_words: list[str]
) -> Fragment:
    """Return the SELECT of products whose code or name (`column`) in a price list of the customer
    is one of the typed words.
    """
    list_condition, word_condition = (
        in_list("price_list_id", context.price_list_ids),
        in_list(column, typed_words),
    )
    sql = (
        f"SELECT product_id, 0 FROM pricing_pricelistitem WHERE {list_condition.sql} "
        f"AND {column} <> '' "
        f"AND {word_condition.sql}"
    )
    return Fragment(sql, [*list_condition.parameters, *word_condition.parameters])


def _select_by_group_name(
    group_id: int, codes: list[str], names: list[str], models: list[str]
) -> Fragment:
    """Return the SELECT of products by the group's own code or name. A code also matches without
    dashes.
    """
    name_matches = any_of(
        [
            in_list("code", codes),
            in_list("name", names),
            in_list(build_code_key_sql("code"), models),
        ]
    )
    return Fragment(
        f"SELECT product_id, 0 FROM pricing_ownname WHERE group_id = %s AND {name_matches.sql}",
        [group_id, *name_matches.parameters],
    )


def _select_by_part_of_group_name(group_id: int, keywords: list[str]) -> Fragment:
    """Return the SELECT of products whose own name of the group contains one of the keywords."""
    name_condition = any_of(build_in_name_condition("name", keyword) for keyword in keywords)
    return Fragment(
        f"SELECT product_id, 1 FROM pricing_ownname WHERE group_id = %s AND {name_condition.sql}",
        [group_id, *name_condition.parameters],
    )


def build_code_key_sql(column: str) -> str:
    """Return the SQL expression of a code in the form of `build_model_key`. Price lists have an
    index on it; the few rows of a group's own names need none.
    """
    text = f"LOWER({column})"
    for mark in CODE_MARKS:
        text = f"REPLACE({text}, '{mark}', '')"
    return text


def build_in_name_condition(column: str, keyword: str) -> Fragment:
    """Return the condition that a name contains every part of the keyword. It is never true for
    a keyword of less than SHORTEST characters.
    """
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    pieces = keyword.split()[:MAX_PIECES]
    if len(keyword) < SHORTEST or not pieces:
        return NEVER
    return all_of(Fragment(f"{position}(LOWER({column}), %s) > 0", [piece]) for piece in pieces)


def list_named_rows(
    context: CatalogueContext,
    *,
    codes: Sequence[str],
    names: Sequence[str],
    models: Sequence[str],
    customer_words: Sequence[str],
) -> list[NamedRow]:
    """Return triples of kind of name, word and product id, for the products that one of the words
    names exactly. Products that the customer cannot see are included. One query.

    `codes` also name products by barcode, in each spelling of it. The word of such a row is the
    stored barcode.
    """
    barcodes = [code for code in codes if is_barcode(code)]
    selects = [
        _select_with_any_word(
            "code", "SELECT 'code', p.code, p.id FROM catalog_product p WHERE {}", "p.code", codes
        ),
        _select_with_any_word(
            "barcode",
            ("SELECT 'code', p.barcode, p.id FROM catalog_product p WHERE p.barcode <> '' AND {}"),
            "p.barcode",
            barcodes,
        ),
        _select_with_any_word(
            "name",
            "SELECT 'name', p.name_key, p.id FROM catalog_product p WHERE {}",
            "p.name_key",
            names,
        ),
        _select_with_any_word(
            "model",
            "SELECT 'model', p.model_key, p.id FROM catalog_product p WHERE {}",
            "p.model_key",
            models,
        ),
    ]
    if context.group_id is not None:
        for column in ("code", "name"):
            select = (
                f"SELECT 'own', o.{column}, o.product_id FROM pricing_ownname o WHERE o.group_id "
                f"= %s AND o.{column} <> '' AND {{}}"
            )
            select_part = _select_with_any_word("own", select, f"o.{column}", customer_words)
            selects.append(Fragment(select_part.sql, [context.group_id, *select_part.parameters]))
        code = build_code_key_sql("o.code")
        model_select = _select_with_any_word(
            "model",
            (
                f"SELECT 'model', {code}, o.product_id FROM pricing_ownname o WHERE o.group_id = "
                f"%s AND {{}}"
            ),
            code,
            models,
        )
        selects.append(Fragment(model_select.sql, [context.group_id, *model_select.parameters]))
    if context.sources:
        list_condition = in_list("i.price_list_id", context.price_list_ids)
        for column in ("customer_code", "customer_name"):
            select = (
                f"SELECT 'own', i.{column}, i.product_id FROM pricing_pricelistitem i WHERE "
                f"{list_condition.sql} AND i.{column} <> '' AND {{}}"
            )
            select_part = _select_with_any_word("own", select, f"i.{column}", customer_words)
            selects.append(
                Fragment(select_part.sql, [*list_condition.parameters, *select_part.parameters])
            )
        code = build_code_key_sql("i.customer_code")
        model_select = _select_with_any_word(
            "model",
            (
                f"SELECT 'model', {code}, i.product_id FROM pricing_pricelistitem i WHERE "
                f"{list_condition.sql} AND {{}}"
            ),
            code,
            models,
        )
        selects.append(
            Fragment(model_select.sql, [*list_condition.parameters, *model_select.parameters])
        )
    sql = " UNION ALL ".join(select_part.sql for select_part in selects)
    with connection.cursor() as cursor:
        cursor.execute(sql, [value for select_part in selects for value in select_part.parameters])
        return list(cursor.fetchall())


def _select_with_any_word(_name: str, select: str, column: str, words: Sequence[str]) -> Fragment:
    has_any_word = in_list_as_one_parameter(column, words)
    return Fragment(select.format(has_any_word.sql), has_any_word.parameters)


def list_ids_with_all_tokens(
    context: CatalogueContext, tokens_by_key: Mapping[int, Sequence[str]], *, limit: int
) -> dict[int, list[int]]:
    """Return, by the key of `tokens_by_key`, the best-selling products on sale that contain all its
    encoded tokens. One query.
    """
    is_for_sale = all_of(build_for_sale_conditions(context, "p"))
    if connection.vendor == "postgresql":
        # The inner LIMIT makes the planner use the full-text index. Without it, the planner scans
        # the best-sellers, which is slow for a rare word.
        sql = f"""
            SELECT k.n, found.id FROM unnest(%s::bigint[], %s::text[]) AS k(n, q) CROSS
                JOIN LATERAL (
              SELECT m.id FROM (
                SELECT p.id, p.sales_count FROM catalog_product p
                WHERE {VECTOR.format(alias="p.")} @@ k.q::tsquery AND {is_for_sale.sql}
                LIMIT {MAX_MATCHES_READ}
              ) m ORDER BY m.sales_count DESC, m.id LIMIT %s) found"""
        queries = [
            " & ".join(f"'{token}'" for token in tokens) for tokens in tokens_by_key.values()
        ]
        return _fetch_ids_by_key(
            sql, [list(tokens_by_key), queries, *is_for_sale.parameters, limit]
        )
    sql = f"""
        SELECT n, id FROM (
          SELECT k.key AS n, p.id AS id, ROW_NUMBER() OVER (PARTITION BY k.key
              ORDER BY p.sales_count DESC, p.id) AS place
          FROM json_each(%s) k CROSS JOIN catalog_product_fts f JOIN catalog_product p
              ON p.id = f.rowid
          WHERE f.catalog_product_fts MATCH k.value AND {is_for_sale.sql}) WHERE place <= %s"""
    texts = {
        str(key): " AND ".join(f'"{token}"' for token in tokens)
        for key, tokens in tokens_by_key.items()
    }
    return _fetch_ids_by_key(sql, [json.dumps(texts), *is_for_sale.parameters, limit])


def list_ids_beginning_with(
    context: CatalogueContext, texts_by_key: Mapping[int, str], *, limit: int
) -> dict[int, list[int]]:
    """Return, by the key of `texts_by_key`, the best-selling products on sale with a suggestion key
    that starts with its text. One query.
    """
    is_for_sale = all_of(build_for_sale_conditions(context, "p"))
    if connection.vendor == "postgresql":
        # OFFSET 0 makes the planner start with the terms. Without it, the planner assumes that any
        # prefix matches many terms and scans the best-sellers.
        sql = f"""
            SELECT k.n, found.id FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS k(n, first,
                last) CROSS JOIN LATERAL (
              SELECT m.id FROM (
                SELECT DISTINCT s.product_id FROM (
                  SELECT product_id FROM catalog_suggestterm WHERE key ~>=~ k.first
                      AND key ~<~ k.last LIMIT {MAX_MATCHES_READ}
                ) s
              ) t CROSS JOIN LATERAL (
                SELECT p.id, p.sales_count FROM catalog_product p WHERE p.id = t.product_id
                    AND {is_for_sale.sql} OFFSET 0
              ) m ORDER BY m.sales_count DESC, m.id LIMIT %s) found"""
        return _fetch_ids_by_key(
            sql,
            [
                list(texts_by_key),
                list(texts_by_key.values()),
                [word + LAST for word in texts_by_key.values()],
                *is_for_sale.parameters,
                limit,
            ],
        )
    sql = f"""
        SELECT n, id FROM (
          SELECT k.key AS n, p.id AS id, ROW_NUMBER() OVER (PARTITION BY k.key
              ORDER BY p.sales_count DESC, p.id) AS place
          FROM json_each(%s) k CROSS JOIN catalog_suggestterm s JOIN catalog_product p
              ON p.id = s.product_id
          WHERE s.key >= k.value AND s.key < k.value || char(1114111) AND {is_for_sale.sql}
              GROUP BY k.key, p.id) WHERE place <= %s"""
    return _fetch_ids_by_key(
        sql,
        [
            json.dumps({str(key): word for key, word in texts_by_key.items()}),
            *is_for_sale.parameters,
            limit,
        ],
    )


def _fetch_ids_by_key(sql: str, parameters: list[Any]) -> dict[int, list[int]]:
    """Return the product ids in the order of the rows, by the number in their first column."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows = cursor.fetchall()
    ids_by_key: dict[int, list[int]] = {}
    for key, pk in rows:
        ids_by_key.setdefault(int(key), []).append(pk)
    return ids_by_key
