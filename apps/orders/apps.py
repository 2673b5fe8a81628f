from datetime import timedelta

from django.apps import AppConfig

# The titles of this app's outbox topics on the pages of the back office.
TOPIC_TITLES = {
    "order.submitted": "提交订单",
    "order.approved": "订单审批通过",
    "order.rejected": "订单审批驳回",
    "order.withdrawn": "撤回订单",
    "order.paid": "订单完成支付",
    "order.payment_failed": "订单支付失败",
    "order.payment_recorded": "登记收款",
    "order.payment_undone": "撤销收款",
    "order.refunded": "订单退款",
    "order.confirmed": "确认订单",
    "order.shipped": "订单发货",
    "order.received": "订单收货",
    "order.completed": "订单完成",
    "order.cancelled": "取消订单",
    "order.partly_cancelled": "取消部分商品",
    "order.address_changed": "修改收货地址",
}


class OrdersConfig(AppConfig):
    name = "apps.orders"
    verbose_name = "订单"

    def ready(self) -> None:
        """Register the handlers of other apps (approvals, budgets, search, selection), the
        periodic jobs, and the book checks.
        """
        from apps.approvals.subjects import (
            PAST_SUBJECTS,
            SUBJECT_CHARGES,
            SUBJECT_HISTORY,
            register_approval_subject,
        )
        from apps.budgets.awaiting import AWAITING_REFERENCES, VISIBLE_REFERENCES
        from apps.common.background.outbox import register_outbox_handler
        from apps.common.background.periodic import register_periodic_job
        from apps.common.background.queues import name_topics
        from apps.common.books import register_book_check, register_book_repair
        from apps.dual_control.controlled import register_acts
        from apps.inquiries.selectors import LAST_PRICE
        from apps.orders.selectors.access import SUBJECT_TYPE
        from apps.orders.selectors.allocation_books import find_allocation_differences
        from apps.orders.selectors.books import find_order_differences, find_reserved_differences
        from apps.orders.selectors.earmark_books import find_earmark_differences
        from apps.orders.selectors.freight import list_default_freight_tiers
        from apps.orders.selectors.limit_books import find_limit_differences
        from apps.orders.selectors.order_replay import get_past_subjects
        from apps.orders.selectors.orders import (
            filter_visible_order_numbers,
            list_awaiting_order_numbers,
        )
        from apps.orders.selectors.past_orders import get_past_orders
        from apps.orders.selectors.purchase_history import (
            count_yearly_purchases,
            find_last_price,
            list_ordered_categories,
        )
        from apps.orders.selectors.requisition_books import find_requisition_differences
        from apps.orders.selectors.trial_charges import get_trial_charges
        from apps.orders.services.approvals import OrderSubject
        from apps.orders.services.cancellations import orders_cancel_unpaid
        from apps.orders.services.controlled_acts import CONTROLLED_ACTS
        from apps.orders.services.industry_ranking import industry_rank_publish
        from apps.orders.services.line_keys import line_keys_fill
        from apps.orders.services.receipts import shipments_receive_overdue
        from apps.orders.services.shipments import handle_order_shipped, shipments_track
        from apps.search.selectors.suggestions import HOT_WORDS
        from apps.selection.selectors.sources import FREIGHT_TIERS, PURCHASES

        LAST_PRICE.add(find_last_price)
        name_topics(TOPIC_TITLES)
        register_acts(CONTROLLED_ACTS)
        register_approval_subject(
            SUBJECT_TYPE, OrderSubject(), office_page="admin:orders_order_change"
        )
        PAST_SUBJECTS.add(get_past_subjects)
        SUBJECT_HISTORY.add(get_past_orders)
        SUBJECT_CHARGES.add(get_trial_charges)
        AWAITING_REFERENCES.add(list_awaiting_order_numbers)
        VISIBLE_REFERENCES.add(filter_visible_order_numbers)
        HOT_WORDS.add(list_ordered_categories)
        PURCHASES.add(count_yearly_purchases)
        FREIGHT_TIERS.add(list_default_freight_tiers)
        register_periodic_job(
            "orders.cancel_unpaid", title="逾期未付款的订单自动取消", every=timedelta(minutes=10)
        )(orders_cancel_unpaid)
        register_periodic_job(
            "orders.receive_overdue", title="发货后逾期自动收货", every=timedelta(hours=1)
        )(shipments_receive_overdue)
        register_outbox_handler("order.shipped")(handle_order_shipped)
        register_periodic_job("orders.track", title="查询订单物流", every=timedelta(minutes=15))(
            shipments_track
        )
        register_periodic_job(
            "orders.industry_rank", title="更新行业采购榜", every=timedelta(hours=6)
        )(industry_rank_publish)
        register_book_check("订单", find_order_differences)
        register_book_repair("订单行", line_keys_fill)
        register_book_check("订单与库存", find_reserved_differences)
        register_book_check("核算分摊", find_allocation_differences)
        register_book_check("专项预算", find_earmark_differences)
        register_book_check("采购申请", find_requisition_differences)
        register_book_check("采购限额", find_limit_differences)
