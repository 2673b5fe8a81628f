from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "apps.reports"
    verbose_name = "报表"

    def ready(self) -> None:
        """Hear what happens to orders, count the facts in the books, and make those of the demo."""
        from apps.common.books import book_check
        from apps.common.demo import demo_part
        from apps.common.outbox import outbox_handler
        from apps.reports.selectors.books import fact_differences
        from apps.reports.services.demo_load import facts_load
        from apps.reports.services.facts_hear import TOPICS

        for topic, handler in TOPICS.items():
            outbox_handler(topic)(handler)
        book_check("报表", fact_differences)
        demo_part("报表", facts_load)
