from datetime import timedelta
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


def fill_limits(*, using: str, **_kwargs: Any) -> None:
    """Create the missing rows of the table of limits after each migrate."""
    from apps.dual_control.models import ActLimit
    from apps.dual_control.services.limits import act_limits_fill

    # During early or reverse migrations the table does not exist.
    if ActLimit._meta.db_table in connections[using].introspection.table_names():
        act_limits_fill()


class DualControlConfig(AppConfig):
    name = "apps.dual_control"
    verbose_name = "双人复核"

    def ready(self) -> None:
        """Register the table's rows and the periodic job. The acts register themselves."""
        from apps.common.background.periodic import register_periodic_job
        from apps.dual_control.services.proposals import proposals_expire

        post_migrate.connect(fill_limits, sender=self)
        register_periodic_job(
            "dual_control.expire", title="超期未复核的操作失效", every=timedelta(hours=1)
        )(proposals_expire)
