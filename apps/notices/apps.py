from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "notice.deliver": "对外发送消息",
    "notice.digest": "发送每日汇总邮件",
}


class NoticesConfig(AppConfig):
    name = "apps.notices"
    verbose_name = "消息"

    def ready(self) -> None:
        """Register the handlers of the topics, of deliveries and digests, and the periodic jobs."""
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.notices.services.delivery import (
            DIGEST_TOPIC,
            handle_notice_delivery,
            handle_notice_digest,
            notices_send_digests,
        )
        from apps.notices.services.notice import DELIVER_TOPIC, notices_purge
        from apps.notices.services.topics import TOPICS, build_handler, handle_topic_batch

        name_topics(TOPIC_TITLES)
        for topic in TOPICS:
            register_outbox_handler(topic, batch=handle_topic_batch)(build_handler(topic))
        register_outbox_handler(DELIVER_TOPIC, queue=Queue.MAIL)(handle_notice_delivery)
        register_outbox_handler(DIGEST_TOPIC, queue=Queue.MAIL)(handle_notice_digest)
        register_periodic_job("notices.digest", title="汇总每日邮件", every=timedelta(minutes=10))(
            notices_send_digests
        )
        register_periodic_job("notices.purge", title="清理过期消息", every=timedelta(days=1))(
            notices_purge
        )
