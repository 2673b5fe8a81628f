from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "search.pictures": "更新图片搜索",
    "restock.arrived": "到货提醒",
}


class SearchConfig(AppConfig):
    name = "apps.search"
    verbose_name = "搜索"

    def ready(self) -> None:
        """Name the outbox topics, and register the importers, the outbox handler for pictures, the
        hook for main pictures and the periodic jobs.
        """
        from apps.catalog.services.imports.importer import catalogue_importers_register
        from apps.catalog.services.product_hooks import MAIN_PICTURES
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.search.services.image_search import image_searches_purge
        from apps.search.services.importers import HotKeywordImporter, SearchWordImporter
        from apps.search.services.picture_index import (
            TOPIC,
            handle_outdated_pictures,
            pictures_mark_outdated,
            pictures_publish_due,
        )
        from apps.search.services.restock import restock_reminders_run

        name_topics(TOPIC_TITLES)
        MAIN_PICTURES.add(pictures_mark_outdated)
        catalogue_importers_register(SearchWordImporter, HotKeywordImporter)
        register_outbox_handler(TOPIC)(handle_outdated_pictures)
        register_periodic_job(
            "search.pictures_due", title="补做图片搜索", every=timedelta(minutes=5)
        )(pictures_publish_due)
        register_periodic_job("search.restock", title="到货提醒", every=timedelta(minutes=1))(
            restock_reminders_run
        )
        register_periodic_job(
            "search.purge_image_searches", title="清理以图搜索记录", every=timedelta(hours=1)
        )(image_searches_purge)
