"""月结信用 in the admin: a proxy of the enterprise with its own name and permissions."""

from apps.org.models import Enterprise


class CreditAccount(Enterprise):
    class Meta:
        proxy = True
        verbose_name = "月结信用"
        verbose_name_plural = "月结信用"
        ordering = ["code"]
