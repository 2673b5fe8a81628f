from datetime import timedelta

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "apps.approvals"
    verbose_name = "审批"

    def ready(self) -> None:
        """Register what runs by the clock, and who may read the history of a rule and of a delegation."""
        from apps.approvals.selectors.delegations import delegations_seen
        from apps.approvals.selectors.rules import rules_seen
        from apps.approvals.services.approval_news import OPENED_TOPIC, opened_handler
        from apps.approvals.services.approvals_hand_on import approvals_hand_on
        from apps.approvals.services.approvals_remind import approvals_remind
        from apps.approvals.services.delegations_begin import delegations_begin
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.org.menus import MenuCode
        from apps.org.subjects import Subject, subject_register

        outbox_handler(OPENED_TOPIC)(opened_handler)
        periodic_job("approvals.delegations_begin", every=timedelta(minutes=1))(delegations_begin)
        periodic_job("approvals.hand_on", every=timedelta(minutes=1))(approvals_hand_on)
        periodic_job("approvals.remind", every=timedelta(minutes=5))(approvals_remind)
        subject_register(Subject("delegation", "代理审批", MenuCode.ORDER_APPROVAL, delegations_seen))
        subject_register(Subject("rule", "审批规则", MenuCode.MANAGEMENT_APPROVAL, rules_seen))

        from apps.approvals.services.department_handover import rules_hand_over, rules_held
        from apps.org.department_holders import Holder, holder_register

        holder_register(Holder("审批规则", rules_held, rules_hand_over))
