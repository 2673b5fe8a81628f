from datetime import timedelta

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    verbose_name = "订单"

    def ready(self) -> None:
        """Register the handlers of other apps (approvals, budgets, search, selection), the
        periodic jobs, and the book checks.
        """
        from apps.approvals.subjects import register_approval_subject
        from apps.budgets.awaiting import register_awaiting_references
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.books import register_book_check
        from apps.orders.selectors.access import SUBJECT_TYPE
        from apps.orders.selectors.books import order_differences, reserved_differences
        from apps.orders.selectors.freight import freight_of_default_address
        from apps.orders.selectors.orders import orders_awaiting, orders_opened
        from apps.orders.selectors.purchase_history import bought_in_a_year, ordered_categories
        from apps.orders.selectors.requisition_books import requisition_differences
        from apps.orders.services.approvals import OrderSubject
        from apps.orders.services.cancellations import orders_cancel_unpaid
        from apps.orders.services.industry_ranking import industry_rank_publish
        from apps.orders.services.receipts import shipments_receive_overdue
        from apps.orders.services.shipments import shipments_track, shipped_handler
        from apps.search.selectors.suggestions import hot_word_source
        from apps.selection.selectors.sources import bought_source, freight_source

        register_approval_subject(
            SUBJECT_TYPE, OrderSubject(), office_page="admin:orders_order_change"
        )
        register_awaiting_references(orders_awaiting, orders_opened)
        hot_word_source(ordered_categories)
        bought_source(bought_in_a_year)
        freight_source(freight_of_default_address)
        periodic_job("orders.cancel_unpaid", every=timedelta(minutes=10))(orders_cancel_unpaid)
        periodic_job("orders.receive_overdue", every=timedelta(hours=1))(shipments_receive_overdue)
        outbox_handler("order.shipped")(shipped_handler)
        periodic_job("orders.track", every=timedelta(minutes=15))(shipments_track)
        periodic_job("orders.industry_rank", every=timedelta(hours=6))(industry_rank_publish)
        register_book_check("订单", order_differences)
        register_book_check("订单与库存", reserved_differences)
        register_book_check("采购申请", requisition_differences)
