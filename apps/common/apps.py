from datetime import timedelta

from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"
    verbose_name = "公共"

    def ready(self) -> None:
        """Register what is swept away by the clock, and who makes the variants of pictures."""
        from apps.common.delivery import purge_delivered
        from apps.common.files.variants import TOPIC, pictures_handler
        from apps.common.limits import purge_counters
        from apps.common.outbox import outbox_handler
        from apps.common.periodic import periodic_job
        from apps.common.services.idempotency_purge import idempotency_purge

        periodic_job("common.purge_counters", every=timedelta(hours=1))(purge_counters)
        periodic_job("common.purge_outbox", every=timedelta(days=1))(purge_delivered)
        periodic_job("common.purge_idempotency", every=timedelta(days=1))(idempotency_purge)
        outbox_handler(TOPIC)(pictures_handler)
