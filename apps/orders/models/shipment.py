"""发货: shipments by line and quantity, tracking events of parcels, and the freight table."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel
from apps.common.money import PRICE_VALIDATORS, ZERO, MoneyField
from apps.orders.enums import TrackingKind

# The system receives a shipment this long after it was sent.
RECEIVED_AFTER = timedelta(days=7)


class Shipment(TenantModel):
    """One parcel of an order, sent by staff. The requester confirms the receipt, or the system does
    after `RECEIVED_AFTER`.
    """

    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="shipments", verbose_name="订单"
    )
    shipment_no = models.CharField("发货单号", max_length=24, unique=True)
    carrier = models.CharField("承运商", max_length=40)
    tracking_no = models.CharField("运单号", max_length=60)
    shipped_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="发货人"
    )
    shipped_at = models.DateTimeField("发货时间")
    received_at = models.DateTimeField("签收时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "发货单"
        verbose_name_plural = "发货单"
        ordering = ["shipped_at", "id"]
        indexes = [
            models.Index(fields=["group", "order"], name="shipment_order_idx"),
            models.Index(fields=["tracking_no"], name="shipment_tracking_idx"),
        ]

    def __str__(self) -> str:
        return self.shipment_no

    @property
    def receives_itself_at(self) -> datetime | None:
        """Return the time when the system receives the shipment. None if it is already
        received.
        """
        return None if self.received_at else self.shipped_at + RECEIVED_AFTER


class ShipmentLine(TenantModel):
    """The pieces of an order line in one parcel, in sales units. Each order line occurs once in a
    shipment, and a CHECK keeps the received pieces within the shipped ones.
    """

    shipment = models.ForeignKey(
        Shipment, on_delete=models.PROTECT, related_name="lines", verbose_name="发货单"
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="shipment_lines",
        verbose_name="订单行",
    )
    quantity = models.PositiveIntegerField("发货数量")
    received_quantity = models.PositiveIntegerField("签收数量", default=0)

    class Meta(TenantModel.Meta):
        verbose_name = "发货明细"
        verbose_name_plural = "发货明细"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "shipment", "order_line"], name="shipmentline_line_uniq"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gte=1, received_quantity__lte=F("quantity")),
                name="shipmentline_received_within",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order_line_id} × {self.quantity}"


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


class FreightRegion(models.Model):
    """A row of the freight table. For a province, the row with the greatest `amount_from` not
    above the goods amount applies. An empty province means all other provinces.
    """

    province = models.CharField("省", max_length=30, blank=True)
    amount_from = MoneyField("满额", default=ZERO, validators=PRICE_VALIDATORS)
    fee = MoneyField("运费（含税）", default=ZERO, validators=PRICE_VALIDATORS)
    extra_days = models.PositiveSmallIntegerField("加时天数", default=0)

    class Meta:
        verbose_name = "运费规则"
        verbose_name_plural = "运费规则"
        ordering = ["province", "amount_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["province", "amount_from"], name="freightregion_province_amount_uniq"
            ),
            models.CheckConstraint(
                condition=models.Q(amount_from__gte=0, fee__gte=0),
                name="freightregion_not_negative",
                violation_error_message="满额和运费不能为负数",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.province or '其他地区'} 满 ¥{self.amount_from} 运费 ¥{self.fee}"
