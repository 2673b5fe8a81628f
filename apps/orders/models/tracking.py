"""物流轨迹: tracking events of a parcel of an order or a return. A parcel is identified by carrier
and number only.
"""

from django.db import models

from apps.common.models import TenantModel
from apps.orders.enums import TrackingKind


class TrackingEvent(TenantModel):
    carrier = models.CharField("承运商", max_length=40)
    tracking_no = models.CharField("运单号", max_length=60)
    kind = models.CharField("状态", max_length=12, choices=TrackingKind.choices)
    text = models.CharField("说明", max_length=200)
    at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "物流轨迹"
        verbose_name_plural = "物流轨迹"
        ordering = ["at", "id"]
        # A carrier may report an event twice; it is saved once.
        constraints = [
            models.UniqueConstraint(
                fields=["group", "carrier", "tracking_no", "at", "kind"], name="trackingevent_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.carrier} {self.tracking_no} {self.text}"
