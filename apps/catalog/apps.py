from datetime import timedelta
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def repair_index(*, using: str, **_kwargs: Any) -> None:
    """Repair the index after migrations. SQLite drops the triggers of a table when a migration
    rebuilds the table.
    """
    from apps.catalog.indexing.full_text import full_text_repair
    from apps.catalog.models import Product

    # During early or reverse migrations some tables do not exist.
    if Product._meta.db_table in connections[using].introspection.table_names():
        full_text_repair(connections[using])


class CatalogConfig(AppConfig):
    name = "apps.catalog"
    verbose_name = "商品"

    def ready(self) -> None:
        """Register the repair of the full-text index, the reconciliation of stock, the
        importers with their writer, and the periodic job.
        """
        from apps.catalog.selectors.books import list_stock_differences
        from apps.catalog.services.imports.families import FamilyImporter, FamilyMemberImporter
        from apps.catalog.services.imports.importer import catalogue_importers_register
        from apps.catalog.services.imports.products import ProductImporter, StockImporter
        from apps.catalog.services.imports.taxonomy import BrandImporter, CategoryImporter
        from apps.catalog.services.imports.writer import WRITER, CatalogueWriter
        from apps.catalog.services.picture_batch_write import picture_batches_forget
        from apps.common.background.periodic import register_periodic_job
        from apps.common.books import register_book_check
        from apps.common.services.import_run import import_writer

        post_migrate.connect(repair_index, sender=self)
        register_book_check("库存", list_stock_differences)
        catalogue_importers_register(
            CategoryImporter,
            BrandImporter,
            ProductImporter,
            StockImporter,
            FamilyImporter,
            FamilyMemberImporter,
        )
        import_writer(WRITER, CatalogueWriter)
        register_periodic_job(
            "catalog.picture_batches_forget", title="清理未确认的批量图片", every=timedelta(hours=1)
        )(picture_batches_forget)
