"""The catalogue and its commercial terms, through the importer; the pictures, drawn by demo.pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from apps.catalog.services.imports import SheetFile, import_apply
from apps.orders.demo.sheets import sheet, sheet_path
from demo.pictures import write_pictures

# kind of the importer → sheet, in the order in which they depend on one another
SHEETS: tuple[tuple[str, str], ...] = (
    ("categories", "catalogue/categories"),
    ("brands", "catalogue/brands"),
    ("products", "catalogue/products"),
    ("price_lists", "enterprise/price_lists"),
    ("price_items", "enterprise/price_list_items"),
    ("assortments", "enterprise/assortments"),
    ("assortment_rules", "enterprise/assortment_rules"),
    ("agreements", "enterprise/agreements"),
    ("customer_agreements", "enterprise/customer_agreements"),
)


def load_catalogue(*, say: Callable[[str], None]) -> None:
    """Import every sheet; raises ImportRefused when one has an error."""
    for kind, name in SHEETS:
        say(import_apply(actor=None, kind=kind, source=SheetFile.at(sheet_path(name))).summary)


def write_product_pictures() -> int:
    """Write the SVG of every product below MEDIA_ROOT/products; return how many."""

    target = Path(settings.MEDIA_ROOT) / "products"
    target.mkdir(parents=True, exist_ok=True)
    return write_pictures(products=sheet("catalogue/products"), target=target)
