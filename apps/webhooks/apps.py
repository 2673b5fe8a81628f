from datetime import timedelta

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"
    verbose_name = "事件推送"

    def ready(self) -> None:
        """Listen to what the other apps publish, send what is due, and let the history of webhooks be read."""
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import Queue
        from apps.org.menus import MenuCode
        from apps.org.subjects import Subject, subject_register
        from apps.webhooks.selectors.webhooks import webhooks_seen
        from apps.webhooks.services.deliveries_send import webhook_send_handler, webhooks_send
        from apps.webhooks.services.event_hear import SEND_TOPIC, TOPICS, handler_of
        from apps.webhooks.services.purge import deliveries_purge

        for topic in TOPICS:
            outbox_handler(topic)(handler_of(topic))
        outbox_handler(SEND_TOPIC, queue=Queue.MAIL)(webhook_send_handler)
        periodic_job("webhooks.send", every=timedelta(seconds=20))(webhooks_send)
        periodic_job("webhooks.purge", every=timedelta(days=1))(deliveries_purge)
        subject_register(Subject("webhook", "事件推送", MenuCode.MANAGEMENT_GROUP, webhooks_seen))
