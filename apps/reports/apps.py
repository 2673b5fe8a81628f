from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "export.run": "执行导出",
    "export.ended": "导出结束",
    "report.letter": "发送订阅报表",
    "report.trouble": "订阅报表暂停",
}


class ReportsConfig(AppConfig):
    name = "apps.reports"
    verbose_name = "报表"

    def ready(self) -> None:
        """Register the outbox handlers, the periodic jobs and the check of the facts with
        `check_books`.
        """
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.common.books import register_book_check
        from apps.reports.selectors.books import find_fact_differences
        from apps.reports.services.export_run import export_run_handler
        from apps.reports.services.exports import RUN_TOPIC, exports_purge
        from apps.reports.services.facts import (
            TOPICS,
            handle_order_changed,
            handle_orders_changed_batch,
        )
        from apps.reports.services.sends import (
            LETTER_TOPIC,
            handle_report_letter,
            sends_purge,
            subscriptions_send_due,
        )

        name_topics(TOPIC_TITLES)
        for topic, handler in TOPICS.items():
            batch = handle_orders_changed_batch if handler is handle_order_changed else None
            register_outbox_handler(topic, batch=batch)(handler)
        register_outbox_handler(LETTER_TOPIC, queue=Queue.BULK)(handle_report_letter)
        register_periodic_job(
            "reports.subscriptions", title="发送到期的订阅报表", every=timedelta(seconds=30)
        )(subscriptions_send_due)
        register_periodic_job(
            "reports.sends_purge", title="清理报表发送记录", every=timedelta(days=1)
        )(sends_purge)
        register_outbox_handler(RUN_TOPIC, queue=Queue.BULK)(export_run_handler)
        register_periodic_job(
            "reports.exports_purge", title="清理过期的导出文件", every=timedelta(hours=1)
        )(exports_purge)
        register_book_check("报表", find_fact_differences)
