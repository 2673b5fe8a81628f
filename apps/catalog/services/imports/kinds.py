"""The importers of the catalogue by kind, ordered so that each kind follows the kinds it
depends on.
"""

from __future__ import annotations

from typing import Any

from apps.catalog.services.imports.importer import Importer
from apps.catalog.services.imports.products import ProductImporter
from apps.catalog.services.imports.stock import StockImporter
from apps.catalog.services.imports.taxonomy import BrandImporter, CategoryImporter

IMPORTERS: dict[str, type[Importer[Any]]] = {}


def catalogue_importers_register(*importers: type[Importer[Any]]) -> None:
    """Add importers to the table. Call it in `AppConfig.ready` of the app that owns the models."""
    IMPORTERS.update({importer.kind: importer for importer in importers})


catalogue_importers_register(CategoryImporter, BrandImporter, ProductImporter, StockImporter)
