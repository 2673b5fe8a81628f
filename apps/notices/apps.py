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
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.notices.services.delivery import (
            DIGEST_TOPIC,
            notice_deliver_handler,
            notice_digest_handler,
            notices_digest,
        )
        from apps.notices.services.notice import DELIVER_TOPIC, notices_purge
        from apps.notices.services.topics import TOPICS, build_handler, topics_batch_handler

        name_topics(TOPIC_TITLES)
        for topic in TOPICS:
            outbox_handler(topic, batch=topics_batch_handler)(build_handler(topic))
        outbox_handler(DELIVER_TOPIC, queue=Queue.MAIL)(notice_deliver_handler)
        outbox_handler(DIGEST_TOPIC, queue=Queue.MAIL)(notice_digest_handler)
        periodic_job("notices.digest", title="汇总每日邮件", every=timedelta(minutes=10))(
            notices_digest
        )
        periodic_job("notices.purge", title="清理过期消息", every=timedelta(days=1))(notices_purge)
