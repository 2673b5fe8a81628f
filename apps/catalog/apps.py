from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def repair(*, using: str, **_kwargs: Any) -> None:
    """After migrations: SQLite drops a table's triggers when a migration rebuilds it, and a flush empties the version's row."""
    from apps.catalog.models import AgreementsVersion
    from apps.catalog.search.sql.agreements_version import version_create
    from apps.catalog.search.sql.full_text import full_text_repair

    full_text_repair(connections[using])
    if AgreementsVersion._meta.db_table in connections[using].introspection.table_names():  # not after a migration back
        version_create(connections[using])


class CatalogConfig(AppConfig):
    name = "apps.catalog"
    verbose_name = "商品"

    def ready(self) -> None:
        post_migrate.connect(repair, sender=self)
