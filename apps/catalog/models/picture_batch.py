"""批量上传图片: pictures uploaded together. The file name gives the product and the position of a
picture. A batch is checked and previewed before it is written.
"""

from __future__ import annotations

from django.db import models

from apps.catalog.enums import PictureRowState

# Rows in these states occupy their place; no other row of the batch may use it.
HOLDING = (
    PictureRowState.WAITING,
    PictureRowState.READY,
    PictureRowState.SAME,
    PictureRowState.WRITTEN,
)


class PictureBatch(models.Model):
    made_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="上传人"
    )
    made_at = models.DateTimeField("上传时间", auto_now_add=True)
    written_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="写入人"
    )
    written_at = models.DateTimeField("写入时间", null=True)
    undone_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="撤销人"
    )
    undone_at = models.DateTimeField("撤销时间", null=True)
    rows_left = models.PositiveIntegerField("撤销时未恢复", default=0, db_default=0)

    class Meta:
        verbose_name = "批量图片"
        verbose_name_plural = "批量图片"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"图片批次 {self.pk}"


class PictureBatchRow(models.Model):
    """A file of a batch. `path` is its current storage path: first the uploaded file, then the
    checked file, then the picture of the product. `before` is the path of the picture it replaces.

    `is_left`: the undo of the batch skipped this row, because the picture had been changed since.
    """

    batch = models.ForeignKey(
        PictureBatch,
        on_delete=models.CASCADE,
        related_name="rows",
        verbose_name="批次",
        db_index=False,
    )
    file_name = models.CharField("文件名", max_length=120)
    product = models.ForeignKey(
        "catalog.Product",
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
    )
    position = models.PositiveSmallIntegerField("第几张", null=True)
    state = models.CharField("结果", max_length=8, choices=PictureRowState.choices)
    reason = models.CharField("原因", max_length=200, blank=True)
    path = models.CharField("路径", max_length=200, blank=True)
    before = models.CharField("原图片", max_length=200, blank=True)
    digest = models.CharField("内容", max_length=64, blank=True)
    is_left = models.BooleanField("撤销时未恢复", default=False, db_default=False)

    class Meta:
        verbose_name = "图片明细"
        verbose_name_plural = "图片明细"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "product", "position"],
                condition=models.Q(state__in=HOLDING),
                name="picturebatchrow_place_uniq",
            )
        ]
        indexes = [models.Index(fields=["batch", "state"], name="picturebatchrow_state_idx")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def place(self) -> tuple[int, int]:
        """Return (product id, position), or zeros if the file name gives none."""
        return self.product_id or 0, self.position or 0
