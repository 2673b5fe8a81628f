from datetime import timedelta
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def repair_version(*, using: str, **_kwargs: Any) -> None:
    """Repair the version after migrations. SQLite drops the triggers of a table when a
    migration rebuilds the table, and a flush deletes the version row.
    """
    from apps.pricing.models import AgreementsVersion
    from apps.pricing.sql.agreements_version import version_create

    # During early or reverse migrations some tables do not exist.
    if AgreementsVersion._meta.db_table in connections[using].introspection.table_names():
        version_create(connections[using])


# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "terms.ending": "协议即将到期",
    "terms.changed": "协议价格变化",
}


class PricingConfig(AppConfig):
    name = "apps.pricing"
    verbose_name = "价格与协议"

    def ready(self) -> None:
        """Register the repair of the version, the importers, the hook for market prices, and
        the periodic jobs.
        """
        from apps.catalog.services.imports.importer import catalogue_importers_register
        from apps.catalog.services.product_hooks import MARKET_PRICES
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.dual_control.controlled import register_acts
        from apps.pricing.services.controlled_acts import CONTROLLED_ACTS
        from apps.pricing.services.importers import (
            AgreementImporter,
            AssortmentImporter,
            AssortmentRuleImporter,
            CustomerAgreementImporter,
            PriceItemImporter,
            PriceListImporter,
        )
        from apps.pricing.services.price_alarms import price_alarms_find, price_move_alarms_raise
        from apps.pricing.services.price_moves import market_price_moves_record, price_moves_purge
        from apps.pricing.services.terms_news import changed_terms_publish, ending_terms_publish

        register_acts(CONTROLLED_ACTS)
        name_topics(TOPIC_TITLES)
        post_migrate.connect(repair_version, sender=self)
        MARKET_PRICES.add(market_price_moves_record)
        catalogue_importers_register(
            PriceListImporter,
            PriceItemImporter,
            AssortmentImporter,
            AssortmentRuleImporter,
            AgreementImporter,
            CustomerAgreementImporter,
        )
        register_periodic_job(
            "pricing.price_alarms", title="查找高于市场价的协议价", every=timedelta(hours=1)
        )(price_alarms_find)
        register_periodic_job(
            "pricing.price_move_alarms", title="查找变动过大的价格", every=timedelta(hours=1)
        )(price_move_alarms_raise)
        register_periodic_job(
            "pricing.purge_price_moves", title="清理过期的价格变动", every=timedelta(days=1)
        )(price_moves_purge)
        register_periodic_job(
            "pricing.terms_changed", title="通知协议价格变化", every=timedelta(days=1)
        )(changed_terms_publish)
        register_periodic_job(
            "pricing.terms_ending", title="通知协议即将到期", every=timedelta(days=1)
        )(ending_terms_publish)
