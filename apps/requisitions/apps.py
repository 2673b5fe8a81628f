from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "requisition.waiting": "采购申请待处理",
    "requisition.moved": "采购申请有进展",
}


class RequisitionsConfig(AppConfig):
    name = "apps.requisitions"
    verbose_name = "采购申请"

    def ready(self) -> None:
        """Name the outbox topics."""
        from apps.common.background.queues import name_topics

        name_topics(TOPIC_TITLES)
