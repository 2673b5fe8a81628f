from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "quotation.ordered": "同事按报价单下单",
    "quotation.voided": "客服作废报价单",
}


class QuotationsConfig(AppConfig):
    name = "apps.quotations"
    verbose_name = "报价单"

    def ready(self) -> None:
        """Name the outbox topics for the back office."""
        from apps.common.background.queues import name_topics

        name_topics(TOPIC_TITLES)
