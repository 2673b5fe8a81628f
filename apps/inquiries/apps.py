from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "inquiry.asked": "发起询价",
    "inquiry.quoted": "询价报价",
    "inquiry.adopted": "采纳报价",
    "inquiry.asked_again": "重新询价",
    "inquiry.closed": "关闭询价",
    "inquiry.declined": "客服关闭询价",
    "inquiry.expired": "询价报价到期",
    "inquiry.message": "询价留言",
}


class InquiriesConfig(AppConfig):
    name = "apps.inquiries"
    verbose_name = "询价"

    def ready(self) -> None:
        """Name the outbox topics, and register the acts of dual control and the job that closes
        expired quotes.
        """
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.dual_control.controlled import register_acts
        from apps.inquiries.services.controlled_acts import CONTROLLED_ACTS
        from apps.inquiries.services.inquiries import inquiries_expire

        register_acts(CONTROLLED_ACTS)
        name_topics(TOPIC_TITLES)
        register_periodic_job(
            "inquiries.inquiries_expire", title="询价报价到期", every=timedelta(minutes=10)
        )(inquiries_expire)
