from datetime import timedelta

from django.apps import AppConfig


class AftersalesConfig(AppConfig):
    name = "apps.aftersales"
    verbose_name = "售后"

    def ready(self) -> None:
        """Register what ends by the clock."""
        from apps.aftersales.services.return_confirm import returns_confirm_silent
        from apps.aftersales.services.return_withdraw import returns_expire
        from apps.common.periodic import periodic_job

        periodic_job("aftersales.returns_expire", every=timedelta(hours=1))(returns_expire)
        periodic_job("aftersales.returns_confirm", every=timedelta(hours=1))(returns_confirm_silent)
