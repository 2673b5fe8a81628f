from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "cancel.done": "取消申请成功",
    "cancel.granted": "同意取消申请",
    "cancel.refused": "拒绝取消申请",
    "cancel.remind_staff": "提醒客服处理取消申请",
    "return.applied": "提交售后申请",
    "return.approved": "售后审核通过",
    "return.rejected": "售后审核驳回",
    "return.withdrawn": "撤销售后申请",
    "return.expired": "售后超时未寄回",
    "return.sent": "客户寄回商品",
    "return.received": "收到退回商品",
    "return.inspected": "完成退回商品检测",
    "return.waits_red": "售后等待红冲",
    "return.refunded": "售后退款",
    "return.replaced": "寄出换新商品",
    "return.repaired": "寄回修好的商品",
    "return.sent_out": "退还未通过检测的商品",
    "return.reminded": "售后到期提醒",
    "return.completed": "售后完成",
    "return.message": "售后留言",
}


class AftersalesConfig(AppConfig):
    name = "apps.aftersales"
    verbose_name = "售后"

    def ready(self) -> None:
        """Register the periodic jobs, the outbox handlers, the claim handler, the
        reconciliation and the trace.
        """
        from apps.aftersales.selectors.books import find_aftersales_differences
        from apps.aftersales.selectors.trace import trace_aftersales
        from apps.aftersales.services.controlled_acts import CONTROLLED_ACTS
        from apps.aftersales.services.return_apply import returns_open_for_claims
        from apps.aftersales.services.return_close import (
            returns_confirm_silent,
            returns_expire,
            returns_remind,
        )
        from apps.aftersales.services.return_parcels import (
            SENT_TOPICS,
            handle_parcel_sent,
            returns_track,
        )
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.common.books import register_book_check
        from apps.dual_control.controlled import register_acts
        from apps.orders.claims import CLAIM_HANDLER
        from apps.orders.selectors.order_trace import TRACE_SOURCES

        name_topics(TOPIC_TITLES)
        register_acts(CONTROLLED_ACTS)
        self._register_cancellations()
        CLAIM_HANDLER.add(returns_open_for_claims)
        TRACE_SOURCES.add(trace_aftersales)
        register_book_check("取消与售后", find_aftersales_differences)
        register_periodic_job(
            "aftersales.returns_expire", title="售后超时未寄回自动撤销", every=timedelta(hours=1)
        )(returns_expire)
        register_periodic_job(
            "aftersales.returns_confirm", title="售后逾期未确认自动完成", every=timedelta(hours=1)
        )(returns_confirm_silent)
        register_periodic_job(
            "aftersales.returns_remind", title="售后到期提醒", every=timedelta(hours=1)
        )(returns_remind)
        register_periodic_job(
            "aftersales.returns_track", title="查询售后包裹物流", every=timedelta(minutes=15)
        )(returns_track)
        for topic in SENT_TOPICS:
            register_outbox_handler(topic)(handle_parcel_sent)

    @staticmethod
    def _register_cancellations() -> None:
        from apps.aftersales.services.cancel_apply import ORDER_CANCELLED, handle_order_cancelled
        from apps.aftersales.services.cancel_decide import (
            REMIND_TOPIC,
            cancels_grant_overdue,
            cancels_remind,
            remind_staff_handler,
        )
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job

        register_outbox_handler(ORDER_CANCELLED)(handle_order_cancelled)
        register_outbox_handler(REMIND_TOPIC)(remind_staff_handler)
        register_periodic_job(
            "aftersales.cancels_grant_overdue",
            title="逾期的取消申请自动同意",
            every=timedelta(minutes=10),
        )(cancels_grant_overdue)
        register_periodic_job(
            "aftersales.cancels_remind",
            title="提醒客服处理临近时限的取消申请",
            every=timedelta(minutes=10),
        )(cancels_remind)
