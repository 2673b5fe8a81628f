"""The columns that a customer's own sheets use, by the columns of our templates."""

from django.db import models


class ColumnMapping(models.Model):
    """How the headers of a customer's sheets of one kind are read: header → column of the
    template. An empty column means that the import ignores the header.

    `group_id` is 0 for the sheets of the staff. They remember a mapping for all of their sheets
    (`enterprise_id` 0), and one for the sheets of each customer's enterprise.
    """

    kind = models.CharField("表格", max_length=40)
    group_id = models.BigIntegerField("集团", default=0)
    enterprise_id = models.BigIntegerField("客户企业", default=0, db_default=0)
    columns = models.JSONField("列对应", default=dict)
    updated_at = models.DateTimeField("更新时间", auto_now=True)

    class Meta:
        verbose_name = "表格列对应"
        verbose_name_plural = "表格列对应"
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "group_id", "enterprise_id"], name="columnmapping_kind_uniq"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.group_id}"
