from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "quotation.expiring": "报价单即将到期",
    "quotation.ordered": "同事按报价单下单",
    "quotation.voided": "客服作废报价单",
}


class QuotationsConfig(AppConfig):
    name = "apps.quotations"
    verbose_name = "报价单"

    def ready(self) -> None:
        """Name the outbox topics for the back office, and register the periodic job."""
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import name_topics
        from apps.quotations.services import quotations_remind

        name_topics(TOPIC_TITLES)
        periodic_job("quotations.remind", title="报价单到期提醒", every=timedelta(hours=12))(
            quotations_remind
        )
