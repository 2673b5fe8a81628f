from datetime import timedelta

from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "apps.budgets"
    verbose_name = "预算"

    def ready(self) -> None:
        """Name what hangs on a department, who may read the history of a budget, what runs by the clock, and the books."""
        from apps.budgets.services.department_handover import budgets_hand_over, budgets_held
        from apps.org.department_holders import Holder, holder_register

        holder_register(Holder("预算", budgets_held, budgets_hand_over))

        from apps.budgets.selectors.budgets import budgets_seen
        from apps.org.menus import MenuCode
        from apps.org.subjects import Subject, subject_register

        subject_register(Subject("budget", "预算", MenuCode.ASSET_BUDGET, budgets_seen))

        from apps.budgets.services.budget_alert import LISTENS_TO, reserved_handler
        from apps.budgets.services.budget_carry import budgets_carry
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job

        outbox_handler(LISTENS_TO)(reserved_handler)
        periodic_job("budgets.carry", every=timedelta(minutes=10))(budgets_carry)

        from apps.budgets.selectors.books import budget_differences
        from apps.common.books import book_check

        book_check("预算", budget_differences)
