from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "webhook.send": "推送事件",
    "webhook.paused": "事件推送暂停",
}


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"
    verbose_name = "事件推送"

    def ready(self) -> None:
        """Name the outbox topics, and register the outbox handlers, the periodic jobs and the
        change history.
        """
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject
        from apps.webhooks.selectors import list_webhooks_with_history
        from apps.webhooks.services.delivery import (
            deliveries_purge,
            webhook_send_handler,
            webhooks_send,
        )
        from apps.webhooks.services.events import (
            SEND_TOPIC,
            TOPICS,
            build_handler,
            events_batch_handler,
        )

        name_topics(TOPIC_TITLES)
        for topic in TOPICS:
            outbox_handler(topic, batch=events_batch_handler)(build_handler(topic))
        outbox_handler(SEND_TOPIC, queue=Queue.MAIL)(webhook_send_handler)
        periodic_job("webhooks.send", title="推送待发事件", every=timedelta(seconds=20))(
            webhooks_send
        )
        periodic_job("webhooks.purge", title="清理推送记录", every=timedelta(days=1))(
            deliveries_purge
        )
        register_history_subject(
            HistorySubject(
                "webhook", "事件推送", MenuCode.MANAGEMENT_GROUP, list_webhooks_with_history
            )
        )
