"""The import service of the catalogue: preview, then import all rows or none."""

from apps.catalog.services.imports.kinds import IMPORTERS
from apps.catalog.services.imports.report import ImportReport
from apps.catalog.services.imports.run import import_apply, import_preview
from apps.catalog.services.imports.source import SheetFile

__all__ = ["IMPORTERS", "ImportReport", "SheetFile", "import_apply", "import_preview"]
