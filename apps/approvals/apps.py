from datetime import timedelta

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "apps.approvals"
    verbose_name = "审批"

    def ready(self) -> None:
        """Register the periodic jobs, the subjects of the change history, and the holder of
        departments.
        """
        from apps.approvals.selectors.delegations import list_delegations_with_history
        from apps.approvals.selectors.rules import list_rules_with_history
        from apps.approvals.services.approval_events import OPENED_TOPIC, opened_handler
        from apps.approvals.services.approval_reminders import approvals_remind
        from apps.approvals.services.delegation_manage import delegations_begin
        from apps.approvals.services.task_reassign import orphaned_steps_reassign
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject

        outbox_handler(OPENED_TOPIC)(opened_handler)
        periodic_job("approvals.delegations_begin", every=timedelta(minutes=1))(delegations_begin)
        periodic_job("approvals.hand_on", every=timedelta(minutes=1))(orphaned_steps_reassign)
        periodic_job("approvals.remind", every=timedelta(minutes=5))(approvals_remind)
        register_history_subject(
            HistorySubject(
                "delegation", "代理审批", MenuCode.ORDER_APPROVAL, list_delegations_with_history
            )
        )
        register_history_subject(
            HistorySubject(
                "rule", "审批规则", MenuCode.MANAGEMENT_APPROVAL, list_rules_with_history
            )
        )

        from apps.approvals.services.rule_manage import (
            count_rules_of_department,
            rules_move_department,
        )
        from apps.org.services.department_merge import Holder, holder_register

        holder_register(Holder("审批规则", count_rules_of_department, rules_move_department))
