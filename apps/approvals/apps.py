from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "approval.opened": "发起审批",
    "approval.waiting": "通知审批人",
    "approval.moved": "审批流转",
    "approval.decided": "审批结束",
    "approval.withdrawn": "撤回审批",
    "approval.asked": "审批退回询问",
    "approval.answered": "答复审批询问",
    "approval.commented": "审批留言",
    "approval.replay": "回放审批规则",
    "approval.copied": "审批抄送",
    "approval.mentioned": "审批中提到同事",
    "approval.amended": "审批中调整数量",
    "approval.reminded": "审批催办",
    "approval.escalated": "审批超时上报",
    "approval.delegated": "代理审批安排",
}


class ApprovalsConfig(AppConfig):
    name = "apps.approvals"
    verbose_name = "审批"

    def ready(self) -> None:
        """Register the periodic jobs, the subjects of the change history, and the holder of
        departments.
        """
        from apps.approvals.selectors.delegations import list_delegations_with_history
        from apps.approvals.selectors.rules import list_rules_with_history
        from apps.approvals.services.account_disable import orphaned_steps_reassign
        from apps.approvals.services.approval_events import (
            OPENED_TOPIC,
            handle_approval_opened,
            handle_approval_opened_batch,
        )
        from apps.approvals.services.approval_reminders import approvals_remind
        from apps.approvals.services.delegation_manage import delegations_begin
        from apps.approvals.services.rule_replay import REPLAY_TOPIC, replay_handler
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import Queue, name_topics
        from apps.org.menus import MenuCode
        from apps.org.selectors.changes import HistorySubject, register_history_subject

        name_topics(TOPIC_TITLES)
        register_outbox_handler(OPENED_TOPIC, batch=handle_approval_opened_batch)(
            handle_approval_opened
        )
        register_outbox_handler(REPLAY_TOPIC, queue=Queue.BULK)(replay_handler)
        register_periodic_job(
            "approvals.delegations_begin", title="代理审批生效", every=timedelta(minutes=1)
        )(delegations_begin)
        register_periodic_job(
            "approvals.hand_on", title="停用账号的审批转交", every=timedelta(minutes=1)
        )(orphaned_steps_reassign)
        register_periodic_job(
            "approvals.remind", title="审批超时提醒与上报", every=timedelta(minutes=5)
        )(approvals_remind)
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
