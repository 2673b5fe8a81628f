from django.apps import AppConfig


class InvoicesConfig(AppConfig):
    name = "apps.invoices"
    verbose_name = "发票"

    def ready(self) -> None:
        """Register the statements' clock and their books."""
        from datetime import timedelta

        from apps.common.books import book_check
        from apps.common.periodic import periodic_job
        from apps.invoices.selectors.statement_books import statement_differences
        from apps.invoices.services.statement_make import statements_issue

        book_check("对账单", statement_differences)
        periodic_job("invoices.statements", every=timedelta(hours=1))(statements_issue)
