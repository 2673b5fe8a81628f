"""月结信用 as staff keep it: the enterprise's own row, under a name and rights of its own."""

from apps.org.models import Enterprise


class CreditAccount(Enterprise):
    class Meta:
        proxy = True
        verbose_name = "月结信用"
        verbose_name_plural = "月结信用"
        ordering = ["code"]
