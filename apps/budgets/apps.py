from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "budget.alert": "预算预警",
    "budget.transfer_asked": "申请预算调拨",
    "budget.transfer_decided": "预算调拨结果",
    "budget.transfer_withdrawn": "撤回预算调拨",
}


class BudgetsConfig(AppConfig):
    name = "apps.budgets"
    verbose_name = "预算"

    def ready(self) -> None:
        """Register the holder of departments, the import, the change history, the periodic job,
        the outbox handler and the reconciliation.
        """
        from apps.budgets.services.budget_manage import budgets_move_department, count_open_budgets
        from apps.common.background.queues import name_topics
        from apps.org.services.department_merge import Holder, holder_register

        name_topics(TOPIC_TITLES)
        holder_register(Holder("预算", count_open_budgets, budgets_move_department))

        from apps.budgets.services.budget_import import WRITER, BudgetWriter
        from apps.common.services.import_notice import register_import_page
        from apps.common.services.import_run import import_writer

        import_writer(WRITER, BudgetWriter)
        register_import_page(WRITER, title="预算导入", path="/userCenter/asset/budget")

        from apps.budgets.selectors.budgets import list_budgets_with_history
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject

        register_history_subject(
            HistorySubject("budget", "预算", MenuCode.ASSET_BUDGET, list_budgets_with_history)
        )

        from apps.budgets.services.budget_carry import budgets_carry
        from apps.budgets.services.budget_moves import (
            LISTENS_TO,
            handle_budget_reserved,
            handle_budget_reserved_batch,
        )
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job

        register_outbox_handler(LISTENS_TO, batch=handle_budget_reserved_batch)(
            handle_budget_reserved
        )
        register_periodic_job("budgets.carry", title="预算结转", every=timedelta(minutes=10))(
            budgets_carry
        )

        from apps.budgets.selectors.budgets import reconcile_budgets
        from apps.common.books import register_book_check

        register_book_check("预算", reconcile_budgets)
