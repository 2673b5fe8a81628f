from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "recurring.upcoming": "定期采购即将下单",
    "recurring.blocked": "定期采购待处理",
    "recurring.moved": "定期采购有进展",
}


class RecurringConfig(AppConfig):
    name = "apps.recurring"
    verbose_name = "定期采购"

    def ready(self) -> None:
        """Name the outbox topics and register the periodic job."""
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.recurring.services.recurring_run import recurring_orders_run

        name_topics(TOPIC_TITLES)
        register_periodic_job(
            "recurring.run", title="定期采购提醒与下单", every=timedelta(minutes=10)
        )(recurring_orders_run)
