"""商品问答: a question of a customer about a product with its answer, and the public copy of an
answered one.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel
from apps.questions.enums import QuestionState

MIN_TEXT = 5
MAX_TEXT = 200
MAX_ANSWER = 500

PUBLIC_FIELDS = ("product_id", "text", "asked_at", "answer", "answered_at")


class _QuestionContent(models.Model):
    """The question and its answer."""

    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    text = models.CharField("问题", max_length=MAX_TEXT)
    asked_at = models.DateTimeField("提问时间")
    answer = models.CharField("回答", max_length=MAX_ANSWER, blank=True)
    answered_at = models.DateTimeField("回答时间", null=True, blank=True)

    class Meta:
        abstract = True


class ProductQuestion(TenantModel, _QuestionContent):
    """A question of an account about a product.

    `is_private` is the choice of the asker, `is_for_everybody` the choice of the staff member who
    answers. Other customers see the answered question only if both permit it.
    """

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="提问人",
        db_index=False,
    )
    is_private = models.BooleanField("仅本集团可见", default=False)
    is_for_everybody = models.BooleanField("公开给所有客户", default=True)
    state = models.CharField(
        "状态", max_length=9, choices=QuestionState.choices, default=QuestionState.WAITING
    )
    hidden_reason = models.CharField("隐藏原因", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "商品提问"
        verbose_name_plural = "商品提问"
        ordering = ["-state", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "asker", "product", "text"],
                condition=Q(state=QuestionState.WAITING),
                name="productquestion_open_uniq",
            ),
            models.CheckConstraint(
                condition=~Q(state=QuestionState.ANSWERED)
                | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="productquestion_answered_has_answer",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "asker", "-asked_at"], name="productquestion_asker_idx"),
            models.Index(fields=["group", "product", "-id"], name="productquestion_product_idx"),
            # The list of the staff, over all groups.
            models.Index(fields=["state", "id"], name="productquestion_state_idx"),
            models.Index(
                fields=["asked_at"],
                condition=Q(state=QuestionState.WAITING),
                name="productquestion_waiting_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.text if len(self.text) <= 40 else f"{self.text[:40]}…"

    @property
    def is_public(self) -> bool:
        """Return whether other customers see the question."""
        return (
            self.state == QuestionState.ANSWERED and self.is_for_everybody and not self.is_private
        )


class PublishedQuestion(_QuestionContent):
    """The public copy of an answered question. It has no group and no asker."""

    question = models.OneToOneField(
        ProductQuestion, on_delete=models.CASCADE, related_name="+", verbose_name="提问"
    )

    class Meta:
        verbose_name = "公开的提问"
        verbose_name_plural = "公开的提问"
        ordering = ["-answered_at", "-id"]
        indexes = [
            models.Index(
                fields=["product", "-answered_at", "-id"], name="publishedquestion_newest_idx"
            )
        ]

    def __str__(self) -> str:
        return self.text
