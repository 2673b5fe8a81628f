"""The engine in use: `sql` unless CATALOGUE_ENGINE names another class with the same interface."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from apps.catalog.search.query import CatalogPage, CatalogQuery, WayOut
from apps.catalog.selectors.context import CatalogueContext

SQL_ENGINE = "apps.catalog.search.sql.engine.SqlEngine"


class CatalogEngine(Protocol):
    """Answers which products a customer's query finds."""

    def page(self, *, context: CatalogueContext, query: CatalogQuery) -> CatalogPage:
        """Return the page's product ids, and the total and facets where the query asks for them."""
        ...

    def way_out(self, *, context: CatalogueContext, query: CatalogQuery) -> WayOut:
        """Return what may be done where the query finds nothing."""
        ...


def catalogue_engine() -> CatalogEngine:
    """Return the engine that CATALOGUE_ENGINE names."""
    return _engine(getattr(settings, "CATALOGUE_ENGINE", SQL_ENGINE))


@lru_cache
def _engine(path: str) -> CatalogEngine:
    engine: CatalogEngine = import_string(path)()
    return engine
