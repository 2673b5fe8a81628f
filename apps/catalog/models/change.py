"""One row in the same transaction as every change of products, prices, assortments or agreements."""

from django.db import models

from apps.catalog.enums import ChangeKind


class CatalogChange(models.Model):
    """Beware: sequence order is not commit order."""

    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    key = models.CharField(max_length=60)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "目录变更"
        verbose_name_plural = "目录变更"
        indexes = [models.Index(fields=["at"], name="catalogchange_at_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
