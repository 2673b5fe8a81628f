"""What tells of changes, in the transaction that makes them."""

from django.db import models

from apps.catalog.enums import ChangeKind


class CatalogChange(models.Model):
    """One row for every change of products, prices, assortments or agreements. Beware: sequence order is not commit order."""

    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    key = models.CharField(max_length=60)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "目录变更"
        verbose_name_plural = "目录变更"
        indexes = [models.Index(fields=["at"], name="catalogchange_at_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class AgreementsVersion(models.Model):
    """One row, moved by triggers (search/sql/agreements_version.py): what a process has read under the same token still holds."""

    token = models.CharField(max_length=36)

    class Meta:
        verbose_name = "协议版本"
        verbose_name_plural = "协议版本"

    def __str__(self) -> str:
        return self.token
