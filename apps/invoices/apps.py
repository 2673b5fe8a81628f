from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "invoice.request": "请求开票",
    "invoice.demo_gateway": "演示开票结果",
    "invoice.issued": "发票开具",
    "invoice.rejected": "开票申请驳回",
    "invoice.mail": "发送发票邮件",
    "invoice.red_issued": "红字发票开具",
    "invoice.lines_moved": "更新可开票数量",
    "invoice.qualification": "专票资质审核结果",
    "bank.moved": "核对企业到账",
    "statement.issued": "对账单生成",
    "statement.confirmed": "对账单确认",
    "statement.disputed": "对账单异议",
    "statement.pending": "对账单异议答复",
}


class InvoicesConfig(AppConfig):
    name = "apps.invoices"
    verbose_name = "发票"

    def ready(self) -> None:
        """Register the outbox handlers, the periodic jobs, the reconciliations, the importer
        and the trace.
        """
        from apps.catalog.services.imports.writer import importer_register
        from apps.dual_control.controlled import register_acts
        from apps.invoices.selectors.trace import trace_invoices
        from apps.invoices.services.bank_receipts import BankReceiptImporter
        from apps.invoices.services.controlled_acts import CONTROLLED_ACTS
        from apps.orders.selectors.order_trace import TRACE_SOURCES

        register_acts(CONTROLLED_ACTS)
        importer_register(BankReceiptImporter)
        TRACE_SOURCES.add(trace_invoices)
        _register_handlers()
        _register_periodic_jobs()
        _register_book_checks()


def _register_handlers() -> None:
    from apps.common.background.outbox import register_outbox_handler
    from apps.common.background.queues import Queue, name_topics
    from apps.invoices.gateways import TOPIC
    from apps.invoices.services.bank_receipts import MOVED_TOPIC
    from apps.invoices.services.invoice_issue import handle_invoice_mail
    from apps.invoices.services.invoice_request import (
        handle_demo_gateway_request,
        handle_invoice_request,
    )
    from apps.invoices.services.red_for_returns import (
        handle_lines_moved,
        handle_order_reduced,
        return_waits_red_handler,
    )
    from apps.invoices.services.statements import handle_bank_moved

    name_topics(TOPIC_TITLES)
    register_outbox_handler("invoice.request")(handle_invoice_request)
    register_outbox_handler(TOPIC)(handle_demo_gateway_request)
    register_outbox_handler(MOVED_TOPIC)(handle_bank_moved)
    register_outbox_handler("invoice.mail", queue=Queue.MAIL)(handle_invoice_mail)
    register_outbox_handler("return.waits_red")(return_waits_red_handler)
    register_outbox_handler("return.refunded")(handle_order_reduced)
    register_outbox_handler("order.partly_cancelled")(handle_order_reduced)
    register_outbox_handler("invoice.red_issued")(handle_lines_moved)
    register_outbox_handler("invoice.lines_moved")(handle_lines_moved)


def _register_periodic_jobs() -> None:
    from apps.common.background.periodic import register_periodic_job
    from apps.invoices.services.invoice_request import invoices_request_again
    from apps.invoices.services.red_letters import red_letters_expire
    from apps.invoices.services.statements import statements_issue

    register_periodic_job(
        "invoices.ask_again", title="再次查询开票结果", every=timedelta(minutes=10)
    )(invoices_request_again)
    register_periodic_job(
        "invoices.red_expire", title="红冲确认单到期", every=timedelta(minutes=30)
    )(red_letters_expire)
    register_periodic_job("invoices.statements", title="生成对账单", every=timedelta(hours=1))(
        statements_issue
    )


def _register_book_checks() -> None:
    from apps.common.books import register_book_check
    from apps.invoices.selectors.books import (
        find_bank_differences,
        find_invoice_differences,
        find_statement_differences,
    )

    register_book_check("发票", find_invoice_differences)
    register_book_check("银行到账", find_bank_differences)
    register_book_check("对账单", find_statement_differences)
