"""Child rows of a return: pictures, messages, parcels."""

from django.conf import settings
from django.db import models

from apps.aftersales.enums import ParcelDirection
from apps.aftersales.models.returns import ReturnOrder
from apps.common.models import TenantModel
from apps.common.models.message_thread import ThreadMessage


class ReturnMessage(ThreadMessage):
    """A message of the customer or the staff about a return."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="messages",
        verbose_name="售后单",
        db_index=False,
    )

    class Meta(ThreadMessage.Meta):
        verbose_name = "售后留言"
        verbose_name_plural = "售后留言"
        indexes = [
            models.Index(fields=["group", "return_order", "sent_at"], name="returnmessage_idx")
        ]


class ReturnPicture(TenantModel):
    """A picture of the application or of a message."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="售后单",
        db_index=False,
    )
    message = models.ForeignKey(
        ReturnMessage,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="pictures",
        verbose_name="留言",
    )
    no = models.PositiveSmallIntegerField("序号")
    file = models.ForeignKey(
        "common.StoredFile", on_delete=models.PROTECT, related_name="+", verbose_name="图片"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "售后凭证"
        verbose_name_plural = "售后凭证"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "return_order", "no"], name="returnpicture_no_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.no}"


class ReturnParcel(TenantModel):
    """A parcel in either direction. Its tracking is looked up by carrier and number."""

    return_order = models.ForeignKey(
        ReturnOrder,
        on_delete=models.CASCADE,
        related_name="parcels",
        verbose_name="售后单",
        db_index=False,
    )
    direction = models.CharField("方向", max_length=8, choices=ParcelDirection.choices)
    carrier = models.CharField("承运商", max_length=40)
    tracking_no = models.CharField("运单号", max_length=60)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="登记人"
    )
    sent_at = models.DateTimeField("寄出时间")

    class Meta(TenantModel.Meta):
        verbose_name = "售后包裹"
        verbose_name_plural = "售后包裹"
        ordering = ["sent_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "return_order", "direction"], name="returnparcel_direction_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.carrier} {self.tracking_no}"
