"""The one table of what can be imported, in the order in which files depend on one another."""

from __future__ import annotations

from typing import Any

from apps.catalog.services.imports.agreements import AgreementImporter, CustomerAgreementImporter
from apps.catalog.services.imports.assortments import AssortmentImporter, AssortmentRuleImporter
from apps.catalog.services.imports.hot_keywords import HotKeywordImporter
from apps.catalog.services.imports.importer import Importer
from apps.catalog.services.imports.prices import PriceItemImporter, PriceListImporter
from apps.catalog.services.imports.products import ProductImporter
from apps.catalog.services.imports.search_words import SearchWordImporter
from apps.catalog.services.imports.stock import StockImporter
from apps.catalog.services.imports.taxonomy import BrandImporter, CategoryImporter

IMPORTERS: dict[str, type[Importer[Any]]] = {
    importer.kind: importer
    for importer in (
        CategoryImporter,
        BrandImporter,
        ProductImporter,
        PriceListImporter,
        PriceItemImporter,
        AssortmentImporter,
        AssortmentRuleImporter,
        AgreementImporter,
        CustomerAgreementImporter,
        StockImporter,
        SearchWordImporter,
        HotKeywordImporter,
    )
}
