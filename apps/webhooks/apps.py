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
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject
        from apps.webhooks.selectors import list_webhooks_with_history
        from apps.webhooks.services.delivery import (
            deliveries_purge,
            handle_webhook_send,
            webhooks_send,
        )
        from apps.webhooks.services.events import (
            SEND_TOPIC,
            TOPICS,
            build_handler,
            handle_event_batch,
        )

        name_topics(TOPIC_TITLES)
        for topic in TOPICS:
            register_outbox_handler(topic, batch=handle_event_batch)(build_handler(topic))
        register_outbox_handler(SEND_TOPIC, queue=Queue.MAIL)(handle_webhook_send)
        register_periodic_job("webhooks.send", title="推送待发事件", every=timedelta(seconds=20))(
            webhooks_send
        )
        register_periodic_job("webhooks.purge", title="清理推送记录", every=timedelta(days=1))(
            deliveries_purge
        )
        register_history_subject(
            HistorySubject(
                "webhook", "事件推送", MenuCode.MANAGEMENT_GROUP, list_webhooks_with_history
            )
        )
