"""The import service of the catalogue: preview, then import all rows, or the valid ones."""

from apps.catalog.services.imports.importer import IMPORTERS
from apps.catalog.services.imports.report import ImportReport
from apps.catalog.services.imports.run import import_apply, import_preview, import_wrong_rows
from apps.catalog.services.imports.sheet import SheetFile

__all__ = [
    "IMPORTERS",
    "ImportReport",
    "SheetFile",
    "import_apply",
    "import_preview",
    "import_wrong_rows",
]
