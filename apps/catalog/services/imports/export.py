"""Exports in the format of the imports: an exported sheet can be edited and imported again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from apps.catalog.models import Category
from apps.catalog.services.imports.importer import IMPORTERS
from apps.catalog.services.imports.sheet import Column
from apps.documents.excel.writer import Cell

MAX_EXPORTED = 50_000


def _get_rule_target_code(rule: Any) -> str:
    target = rule.category or rule.brand or rule.product
    return target.code if target else ""


def _find_menu_group(category: Category) -> Any:
    root = category
    while root.parent is not None:
        root = root.parent
    return root.menu_group


# Columns whose value is not the attribute with their name.
GETTERS: dict[str, Callable[[Any], Cell]] = {
    "brand_code": lambda row: row.brand.code,
    "category_code": lambda row: row.category.code,
    "parent_code": lambda row: row.parent.code if row.parent else "",
    "group_name": lambda row: _find_menu_group(row).name,
    "list_code": lambda row: row.price_list.code,
    "product_code": lambda row: row.product.code,
    "assortment_code": lambda row: row.assortment.code,
    "agreement_code": lambda row: row.agreement.code,
    "enterprise_code": lambda row: row.enterprise.code if row.enterprise else "",
    "brand_name": lambda row: (row if hasattr(row, "brand") else row.device).brand.name,
    "device_model": lambda row: row.device.model,
    "category_name": lambda row: row.category.name,
    "family_code": lambda row: row.family.code,
    "axes": lambda row: ";".join(row.axes),
    "values": lambda row: ";".join(
        f"{axis}:{value}" for axis, value in zip(row.family.axes, row.values, strict=False)
    ),
    "is_removed": lambda _row: "否",
    "target": _get_rule_target_code,
    "image": lambda row: row.image.removeprefix("products/"),
}


def _get_cell_value(row: Any, column: Column) -> Cell:
    """Return the value of a row in a column of the exported sheet. Choices become their label."""
    if column.field == "group_code":
        return str((_find_menu_group(row) if isinstance(row, Category) else row.group).code)
    if column.field in GETTERS:
        return GETTERS[column.field](row)
    value: Any = getattr(row, column.field, "")
    if isinstance(value, dict):
        return ";".join(f"{name}:{text}" for name, text in value.items())
    field = row._meta.get_field(column.field) if column.parse is not None else None
    return (
        str(dict(field.flatchoices).get(value, value))
        if field is not None and field.choices
        else value
    )


def export_header(*, kind: str) -> list[str]:
    """Return the headers of a kind of sheet."""
    return [column.header for column in IMPORTERS[kind].columns]


def export_rows(*, kind: str) -> Iterator[list[Cell]]:
    """Yield every stored row in the format of the importer, at most 50,000, with bounded memory."""
    importer = IMPORTERS[kind]
    manager: Any = importer.model._default_manager
    rows = manager.select_related(*importer.export_related).order_by(
        *(["level"] if importer.model is Category else []), "pk"
    )
    for row in rows[:MAX_EXPORTED].iterator(chunk_size=1000):
        yield [_get_cell_value(row, column) for column in importer.columns]
