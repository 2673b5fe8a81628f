"""The import of a confirmed sheet in short transactions: the run, and its rows in chunks. The
columns that a customer's own sheets use, by the columns of our templates.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone


class ImportState(models.TextChoices):
    STAGED = "staged", "准备中"
    HELD = "held", "待复核"
    WRITING = "writing", "正在写入"
    TAKING_BACK = "taking_back", "正在撤回"
    DONE = "done", "已完成"
    TAKEN_BACK = "taken_back", "已全部撤回"


class ChunkState(models.TextChoices):
    WAITING = "waiting", "待写入"
    WRITTEN = "written", "已写入"
    TAKEN_BACK = "taken_back", "已撤回"


OPEN = (ImportState.WRITING, ImportState.TAKING_BACK)


class ImportRun(models.Model):
    """One confirmed sheet. `writer` is the name of the `ImportWriter`. `key` is the hash of the
    sheet: a sheet has at most one open run.

    `holder` has the lease until `held_until`; after that another process may continue. The user
    sees `report`.
    """

    writer = models.CharField("导入", max_length=40)
    kind = models.CharField("表格", max_length=40)
    key = models.CharField("内容", max_length=64, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="导入人",
    )
    group_id = models.BigIntegerField("集团", null=True)
    options = models.JSONField("选项", default=dict)
    state = models.CharField(
        "状态", max_length=11, choices=ImportState.choices, default=ImportState.STAGED
    )
    rows = models.PositiveIntegerField("需写入的行", default=0)
    rows_written = models.PositiveIntegerField("已写入的行", default=0)
    report = models.JSONField("结果", default=dict)
    failures = models.PositiveIntegerField("失败次数", default=0)
    holder = models.CharField("执行者", max_length=32, blank=True)
    held_until = models.DateTimeField("执行期限", default=timezone.now)
    made_at = models.DateTimeField("确认时间", auto_now_add=True)
    ended_at = models.DateTimeField("结束时间", null=True)

    class Meta:
        verbose_name = "表格导入"
        verbose_name_plural = "表格导入"
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=models.Q(state__in=OPEN), name="importrun_open_uniq"
            )
        ]
        indexes = [models.Index(fields=["writer", "kind", "-id"], name="importrun_kind_idx")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class ImportChunk(models.Model):
    """Rows that one transaction writes. After the write, `rows` is empty and `before` contains
    the data to undo it.

    `is_follow_up`: follow-up work, such as products to index again. It runs after all rows.
    """

    run = models.ForeignKey(
        ImportRun,
        on_delete=models.CASCADE,
        related_name="chunks",
        verbose_name="导入",
        db_index=False,
    )
    number = models.PositiveIntegerField("序号")
    is_follow_up = models.BooleanField("后续工作", default=False)
    state = models.CharField(
        "状态", max_length=10, choices=ChunkState.choices, default=ChunkState.WAITING
    )
    rows = models.JSONField("行", default=list)
    before = models.JSONField("原值", default=list)

    class Meta:
        verbose_name = "导入分批"
        verbose_name_plural = "导入分批"
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="importchunk_number_uniq")
        ]

    def __str__(self) -> str:
        return f"{self.run_id}:{self.number}"


class ImportWrongRows(models.Model):
    """Wrong rows of a sheet that the person left out: their cells and 错误原因. The options of the
    run have the name of the sheet and its header. They are deleted with the run.
    """

    run = models.ForeignKey(
        ImportRun,
        on_delete=models.CASCADE,
        related_name="wrong_rows",
        verbose_name="导入",
        db_index=False,
    )
    number = models.PositiveIntegerField("序号")
    rows = models.JSONField("行", default=list)

    class Meta:
        verbose_name = "未导入的行"
        verbose_name_plural = "未导入的行"
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="importwrongrows_number_uniq")
        ]

    def __str__(self) -> str:
        return f"{self.run_id}:{self.number}"


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
