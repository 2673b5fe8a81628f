"""处理状态: what a customer has done with an issued invoice. Only the customer sets the marks."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel
from apps.invoices.enums import InvoiceMarkKind


class InvoiceMark(TenantModel):
    """One mark of an invoice. An invoice has at most one mark of each kind."""

    invoice = models.ForeignKey(
        "invoices.Invoice",
        on_delete=models.PROTECT,
        related_name="marks",
        verbose_name="发票",
        db_index=False,
    )
    kind = models.CharField("处理状态", max_length=10, choices=InvoiceMarkKind.choices)
    note = models.CharField("说明", max_length=200, blank=True)
    marked_at = models.DateTimeField("登记时间")
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="登记人"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "发票处理状态"
        verbose_name_plural = "发票处理状态"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "invoice", "kind"], name="invoicemark_kind_uniq"
            ),
            models.CheckConstraint(
                condition=~Q(kind=InvoiceMarkKind.PROBLEM) | ~Q(note=""),
                name="invoicemark_problem_has_note",
            ),
        ]
        indexes = [models.Index(fields=["group", "kind"], name="invoicemark_kind_idx")]

    def __str__(self) -> str:
        return f"{self.invoice_id} {self.kind}"
