"""The keys of suggestions. They are written together with the product."""

from django.db import models


class SuggestTerm(models.Model):
    """A prefix key of a product: its code, or its name from some word on as characters, pinyin
    or initials.
    """

    product = models.ForeignKey("catalog.Product", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=60)

    class Meta:
        verbose_name = "联想词"
        verbose_name_plural = "联想词"
        constraints = [
            models.UniqueConstraint(fields=["product", "key"], name="suggestterm_product_key_uniq")
        ]
        # varchar_pattern_ops: the index serves prefix queries under every collation of
        # PostgreSQL. SQLite ignores it.
        indexes = [
            models.Index(
                fields=["key"], name="suggestterm_key_idx", opclasses=["varchar_pattern_ops"]
            )
        ]

    def __str__(self) -> str:
        return self.key
