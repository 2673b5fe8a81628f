from datetime import timedelta
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def repair(*, using: str, **_kwargs: Any) -> None:
    """After migrations: SQLite drops a table's triggers when a migration rebuilds it, and a flush empties the version's row."""
    from apps.catalog.models import AgreementsVersion, Product
    from apps.catalog.search.sql.agreements_version import version_create
    from apps.catalog.search.sql.full_text import full_text_repair

    # An early migration, or one back, has not all tables.
    there = connections[using].introspection.table_names()
    if Product._meta.db_table in there:
        full_text_repair(connections[using])
    if AgreementsVersion._meta.db_table in there:
        version_create(connections[using])


class CatalogConfig(AppConfig):
    name = "apps.catalog"
    verbose_name = "商品"

    def ready(self) -> None:
        """Register what repairs the database's own objects, who describes pictures, and what ends quotes and is told by the clock."""
        from apps.catalog.selectors.books import stock_differences
        from apps.catalog.services.image_search import image_searches_purge
        from apps.catalog.services.inquiry_close import inquiries_expire
        from apps.catalog.services.picture_batch_write import picture_batches_forget
        from apps.catalog.services.picture_index import TOPIC, pictures_due, pictures_handler
        from apps.catalog.services.price_alarms import price_alarms_find
        from apps.catalog.services.price_move_alarms import price_move_alarms_find
        from apps.catalog.services.price_moves import price_moves_purge
        from apps.catalog.services.terms_news import terms_changed, terms_ending
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.books import book_check

        post_migrate.connect(repair, sender=self)
        book_check("库存", stock_differences)
        outbox_handler(TOPIC)(pictures_handler)
        periodic_job("catalog.inquiries_expire", every=timedelta(minutes=10))(inquiries_expire)
        periodic_job("catalog.picture_batches_forget", every=timedelta(hours=1))(picture_batches_forget)
        periodic_job("catalog.pictures_due", every=timedelta(minutes=5))(pictures_due)
        periodic_job("catalog.price_alarms", every=timedelta(hours=1))(price_alarms_find)
        periodic_job("catalog.price_move_alarms", every=timedelta(hours=1))(price_move_alarms_find)
        periodic_job("catalog.purge_price_moves", every=timedelta(days=1))(price_moves_purge)
        periodic_job("catalog.terms_changed", every=timedelta(days=1))(terms_changed)
        periodic_job("catalog.terms_ending", every=timedelta(days=1))(terms_ending)
        periodic_job("catalog.purge_image_searches", every=timedelta(hours=1))(image_searches_purge)
