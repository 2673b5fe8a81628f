from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def repair_full_text(*, using: str, **_kwargs: Any) -> None:
    """After migrations: SQLite drops a table's triggers when a migration rebuilds it."""
    from apps.catalog.search.sql.full_text import full_text_repair

    full_text_repair(connections[using])


class CatalogConfig(AppConfig):
    name = "apps.catalog"
    verbose_name = "商品"

    def ready(self) -> None:
        post_migrate.connect(repair_full_text, sender=self)
