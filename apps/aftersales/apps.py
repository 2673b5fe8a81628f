from datetime import timedelta

from django.apps import AppConfig


class AftersalesConfig(AppConfig):
    name = "apps.aftersales"
    verbose_name = "售后"

    def ready(self) -> None:
        """Register what ends by the clock, what becomes of claims at receipt, and the demo's part."""
        from apps.aftersales.demo.returns import load_returns
        from apps.aftersales.services.return_claims import returns_of_claims
        from apps.aftersales.services.return_confirm import returns_confirm_silent
        from apps.aftersales.services.return_withdraw import returns_expire
        from apps.aftersales.services.returns_remind import returns_remind
        from apps.common.demo import demo_part
        from apps.common.periodic import periodic_job
        from apps.orders.claims import claim_register

        claim_register(returns_of_claims)
        demo_part("退换货", load_returns)

        periodic_job("aftersales.returns_expire", every=timedelta(hours=1))(returns_expire)
        periodic_job("aftersales.returns_confirm", every=timedelta(hours=1))(returns_confirm_silent)
        periodic_job("aftersales.returns_remind", every=timedelta(hours=1))(returns_remind)
