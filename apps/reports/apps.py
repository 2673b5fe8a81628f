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
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.common.books import register_book_check
        from apps.reports.selectors.books import fact_differences
        from apps.reports.services.export_run import export_run_handler
        from apps.reports.services.exports import RUN_TOPIC, exports_purge
        from apps.reports.services.facts import (
            TOPICS,
            order_changed_handler,
            orders_changed_batch_handler,
        )
        from apps.reports.services.sends import (
            LETTER_TOPIC,
            report_letter_handler,
            sends_purge,
            subscriptions_due,
        )

        name_topics(TOPIC_TITLES)
        for topic, handler in TOPICS.items():
            batch = orders_changed_batch_handler if handler is order_changed_handler else None
            outbox_handler(topic, batch=batch)(handler)
        outbox_handler(LETTER_TOPIC, queue=Queue.BULK)(report_letter_handler)
        periodic_job(
            "reports.subscriptions", title="发送到期的订阅报表", every=timedelta(seconds=30)
        )(subscriptions_due)
        periodic_job("reports.sends_purge", title="清理报表发送记录", every=timedelta(days=1))(
            sends_purge
        )
        outbox_handler(RUN_TOPIC, queue=Queue.BULK)(export_run_handler)
        periodic_job("reports.exports_purge", title="清理过期的导出文件", every=timedelta(hours=1))(
            exports_purge
        )
        register_book_check("报表", fact_differences)
