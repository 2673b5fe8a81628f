from datetime import timedelta

from django.apps import AppConfig


class AftersalesConfig(AppConfig):
    name = "apps.aftersales"
    verbose_name = "售后"

    def ready(self) -> None:
        """Register the periodic jobs, the outbox handlers, the claim handler, the
        reconciliation and the trace.
        """
        self._cancellations()
        from apps.aftersales.selectors.books import aftersales_differences
        from apps.aftersales.selectors.trace import aftersales_trace
        from apps.aftersales.services.return_apply import returns_of_claims
        from apps.aftersales.services.return_close import (
            returns_confirm_silent,
            returns_expire,
            returns_remind,
        )
        from apps.aftersales.services.return_parcels import (
            SENT_TOPICS,
            parcel_sent_handler,
            returns_track,
        )
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job
        from apps.common.books import register_book_check
        from apps.orders.claims import claim_register
        from apps.orders.selectors.order_trace import trace_register

        claim_register(returns_of_claims)
        trace_register(aftersales_trace)
        register_book_check("取消与售后", aftersales_differences)

        periodic_job("aftersales.returns_expire", every=timedelta(hours=1))(returns_expire)
        periodic_job("aftersales.returns_confirm", every=timedelta(hours=1))(returns_confirm_silent)
        periodic_job("aftersales.returns_remind", every=timedelta(hours=1))(returns_remind)
        periodic_job("aftersales.returns_track", every=timedelta(minutes=15))(returns_track)
        for topic in SENT_TOPICS:
            outbox_handler(topic)(parcel_sent_handler)

    @staticmethod
    def _cancellations() -> None:
        from apps.aftersales.services.cancel_apply import ORDER_CANCELLED, cancelled_handler
        from apps.aftersales.services.cancel_deadline import (
            REMIND_TOPIC,
            cancels_grant_overdue,
            cancels_remind,
            remind_staff_handler,
        )
        from apps.common.background.outbox import outbox_handler
        from apps.common.background.periodic import periodic_job

        outbox_handler(ORDER_CANCELLED)(cancelled_handler)
        outbox_handler(REMIND_TOPIC)(remind_staff_handler)
        periodic_job("aftersales.cancels_grant_overdue", every=timedelta(minutes=10))(
            cancels_grant_overdue
        )
        periodic_job("aftersales.cancels_remind", every=timedelta(minutes=10))(cancels_remind)
