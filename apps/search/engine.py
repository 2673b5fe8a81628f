"""The engine in use: `sql`, unless CATALOGUE_ENGINE names another class with the same
interface.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from apps.pricing.selectors.context import CatalogueContext
from apps.search.query import CatalogPage, CatalogQuery, WayOut

SQL_ENGINE = "apps.search.sql.engine.SqlEngine"


class CatalogEngine(Protocol):
    """Finds the products of a customer's query."""

    def page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets if the query asks for them."""
        ...

    def way_out(self, *, context: CatalogueContext, query: CatalogQuery) -> WayOut:
        """Return suggestions for a query without results."""
        ...


def catalogue_engine() -> CatalogEngine:
    """Return the engine that CATALOGUE_ENGINE names."""
    return _engine(getattr(settings, "CATALOGUE_ENGINE", SQL_ENGINE))


@lru_cache
def _engine(path: str) -> CatalogEngine:
    engine: CatalogEngine = import_string(path)()
    return engine
