from datetime import timedelta

from django.apps import AppConfig


class InquiriesConfig(AppConfig):
    name = "apps.inquiries"
    verbose_name = "询价"

    def ready(self) -> None:
        """Register the periodic job that closes expired quotes."""
        from apps.common.background.periodic import periodic_job
        from apps.inquiries.services.inquiries import inquiries_expire

        periodic_job("inquiries.inquiries_expire", every=timedelta(minutes=10))(inquiries_expire)
