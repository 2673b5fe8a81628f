from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "quotation.expiring": "报价单即将到期",
    "quotation.ordered": "同事按报价单下单",
    "quotation.shortened": "报价单有效期提前",
    "quotation.voided": "客服作废报价单",
}


class QuotationsConfig(AppConfig):
    name = "apps.quotations"
    verbose_name = "报价单"

    def ready(self) -> None:
        """Name the outbox topics for the back office, and register the periodic jobs."""
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.quotations.services import quotations_remind, quotations_shorten

        name_topics(TOPIC_TITLES)
        register_periodic_job(
            "quotations.remind", title="报价单到期提醒", every=timedelta(hours=12)
        )(quotations_remind)
        register_periodic_job(
            "quotations.shorten", title="报价单随协议提前到期", every=timedelta(minutes=10)
        )(quotations_shorten)
