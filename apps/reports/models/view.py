"""常用视图 of a report: its filters under a name, for the owner or for the whole group."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.reports.enums import ReportName


class SavedView(TenantModel, TimeStampedModel):
    """A view stores filters, no figures. Each reader sees current figures of the reader's own
    data scope.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", verbose_name="创建人"
    )
    report = models.CharField("报表", max_length=12, choices=ReportName.choices)
    name = models.CharField("名称", max_length=30)
    # In the wire format: {"Period": "month", "DepartmentId": "12", "Sort": "-amount",
    # "Hide": ["tax"], …}
    filters = models.JSONField("筛选条件", default=dict)
    shared = models.BooleanField("共享给集团", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "报表视图"
        verbose_name_plural = "报表视图"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "owner", "report", "name"], name="savedview_name_uniq"
            )
        ]
        indexes = [
            models.Index(
                fields=["group", "report"],
                condition=models.Q(shared=True),
                name="savedview_shared_idx",
            )
        ]

    def __str__(self) -> str:
        return self.name
