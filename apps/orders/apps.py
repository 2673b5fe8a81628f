from datetime import timedelta

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    verbose_name = "订单"

    def ready(self) -> None:
        """Register what an approval decides about an order, what the group's orders make hot, and what ends by the clock."""
        from apps.approvals.subjects import register_subject
        from apps.catalog.selectors.hot_words import hot_word_source
        from apps.common.periodic import periodic_job
        from apps.orders.selectors.hot_words import ordered_categories
        from apps.orders.selectors.scope import SUBJECT_TYPE
        from apps.orders.services.approval_subject import OrderSubject
        from apps.orders.services.order_cancel import orders_cancel_unpaid
        from apps.orders.services.order_receive import shipments_receive_overdue

        register_subject(SUBJECT_TYPE, OrderSubject(), office_page="admin:orders_order_change")
        hot_word_source(ordered_categories)
        periodic_job("orders.cancel_unpaid", every=timedelta(minutes=10))(orders_cancel_unpaid)
        periodic_job("orders.receive_overdue", every=timedelta(hours=1))(shipments_receive_overdue)
