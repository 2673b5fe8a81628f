from datetime import timedelta

from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "apps.approvals"
    verbose_name = "审批"

    def ready(self) -> None:
        """Register what runs by the clock."""
        from apps.approvals.services.approvals_hand_on import approvals_hand_on
        from apps.common.periodic import periodic_job

        periodic_job("approvals.hand_on", every=timedelta(minutes=1))(approvals_hand_on)
