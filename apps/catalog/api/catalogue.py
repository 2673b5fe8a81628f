"""What every catalogue answer carries: X-Catalogue-Version, by which the page drops its category cache."""

from __future__ import annotations

from typing import Any

from apps.catalog.selectors.context import CatalogueContext
from apps.common.api.renderers import Ok

VERSION_HEADER = "X-Catalogue-Version"


class CatalogueAnswer(Ok):
    """A successful answer out of one customer's catalogue."""

    def __init__(self, data: Any, *, context: CatalogueContext) -> None:
        super().__init__(data)
        self[VERSION_HEADER] = context.version
