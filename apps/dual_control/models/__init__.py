"""The proposals of acts above a limit, and the table of the limits of each job."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.money import ZERO, MoneyField
from apps.dual_control.controlled import get_act_title
from apps.dual_control.enums import ProposalState


class ActLimit(models.Model):
    """The limits (元) of one job for one kind of act. An empty limit means no ceiling."""

    kind = models.CharField("操作", max_length=40)
    job = models.CharField("岗位", max_length=20)
    alone = MoneyField(
        "单人上限（元）",
        default=ZERO,
        null=True,
        blank=True,
        help_text="不超过时一人即可完成；0 为每次都须复核，留空为不限",
    )
    release = MoneyField(
        "复核上限（元）",
        default=ZERO,
        null=True,
        blank=True,
        help_text="可放行他人提出的操作；0 为不能复核，留空为不限",
    )

    class Meta:
        verbose_name = verbose_name_plural = "复核额度"
        ordering = ["kind", "job"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "job"], name="actlimit_once"),
            models.CheckConstraint(
                condition=(Q(alone__gte=0) | Q(alone=None)) & (Q(release__gte=0) | Q(release=None)),
                name="actlimit_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job} · {get_act_title(self.kind)}"


class Proposal(models.Model):
    """An act that one person proposes and another one releases.

    `parameters` are the arguments of the act. `facts` are the facts at the time of the proposal:
    the act is not released if they have changed.
    """

    kind = models.CharField("操作", max_length=40)
    subject_type = models.CharField(max_length=60)
    subject_id = models.BigIntegerField()
    subject_text = models.CharField("对象", max_length=200)
    parameters = models.JSONField()
    facts = models.JSONField()
    # None is without a bound, for example credit without a limit.
    amount = MoneyField("金额", null=True, blank=True)
    state = models.CharField(
        "状态", max_length=10, choices=ProposalState.choices, default=ProposalState.PROPOSED
    )
    proposer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="提出人"
    )
    proposed_at = models.DateTimeField("提出时间")
    expires_at = models.DateTimeField("有效期至")
    decider = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="复核人",
        null=True,
        blank=True,
    )
    decided_at = models.DateTimeField("复核时间", null=True, blank=True)
    reason = models.CharField("处理说明", max_length=300, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = "待复核"
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "proposed_at"], name="proposal_state_idx")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject_type", "subject_id"],
                condition=Q(state=ProposalState.PROPOSED),
                name="proposal_open_once",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=(ProposalState.RELEASED, ProposalState.REJECTED))
                | (Q(decider__isnull=False) & ~Q(decider=F("proposer"))),
                name="proposal_second_person",
            ),
            models.CheckConstraint(
                condition=Q(state=ProposalState.PROPOSED, decided_at=None)
                | (~Q(state=ProposalState.PROPOSED) & Q(decided_at__isnull=False)),
                name="proposal_decided_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{get_act_title(self.kind)} · {self.subject_text}"
