"""The change feed of the catalogue. Services write it in the transaction of the change."""

from django.db import models

from apps.catalog.enums import ChangeKind

# (kind, key) of a changed row, as CatalogChange stores it.
Change = tuple[ChangeKind, str]


class CatalogChange(models.Model):
    """One row for each change of a product, price, assortment or agreement.

    Ids follow the sequence, not the order of commits: a smaller id can become visible later.
    """

    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    key = models.CharField(max_length=60)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "目录变更"
        verbose_name_plural = "目录变更"
        indexes = [models.Index(fields=["at"], name="catalogchange_at_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
