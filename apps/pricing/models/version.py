"""The version of all data that decides which products a customer sees."""

from django.db import models


class AgreementsVersion(models.Model):
    """One row with a token that triggers change (pricing/sql/agreements_version.py). Data that
    a process cached under the current token is valid.
    """

    token = models.CharField(max_length=36)

    class Meta:
        verbose_name = "协议版本"
        verbose_name_plural = "协议版本"

    def __str__(self) -> str:
        return self.token
