"""The staff member who has taken an open task: an order to confirm, a return, an inquiry, an
application.
"""

from django.conf import settings
from django.db import models


class WorkOwner(models.Model):
    # The list that contains the task, such as "orders.order".
    kind = models.CharField("类型", max_length=60)
    object_id = models.BigIntegerField("对象")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="负责人",
        db_index=False,
    )
    taken_at = models.DateTimeField("认领时间", auto_now_add=True)

    class Meta:
        verbose_name = "工作认领"
        verbose_name_plural = "工作认领"
        constraints = [
            models.UniqueConstraint(fields=["kind", "object_id"], name="workowner_one_owner")
        ]
        indexes = [models.Index(fields=["owner", "kind", "object_id"], name="workowner_owner_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"
