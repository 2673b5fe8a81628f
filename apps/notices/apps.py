from datetime import timedelta

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "apps.notices"
    verbose_name = "消息"

    def ready(self) -> None:
        """Register the handlers of the topics, of deliveries and digests, and the periodic
        jobs.
        """
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import Queue
        from apps.notices.services.delivery import notice_deliver_handler
        from apps.notices.services.digest import DIGEST_TOPIC, notice_digest_handler, notices_digest
        from apps.notices.services.notice import DELIVER_TOPIC, notices_purge
        from apps.notices.services.topics import TOPICS, build_handler

        for topic in TOPICS:
            outbox_handler(topic)(build_handler(topic))
        outbox_handler(DELIVER_TOPIC, queue=Queue.MAIL)(notice_deliver_handler)
        outbox_handler(DIGEST_TOPIC, queue=Queue.MAIL)(notice_digest_handler)
        periodic_job("notices.digest", every=timedelta(minutes=10))(notices_digest)
        periodic_job("notices.purge", every=timedelta(days=1))(notices_purge)
