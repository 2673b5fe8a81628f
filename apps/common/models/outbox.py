"""Outbox messages, written in the transaction of their effect and delivered after the commit."""

from django.db import models

from apps.common.background.queues import Queue, get_topic_title


class OutboxMessage(models.Model):
    """One effect that is delivered after the commit, at least once. `available_at` is the time of
    the next attempt. A message with `dead_at` is delivered again only if staff ask for it.
    """

    topic = models.CharField("主题", max_length=60)
    key = models.CharField("键", max_length=80, blank=True)
    group_id = models.BigIntegerField("集团", null=True, blank=True)
    payload = models.JSONField("内容", default=dict)
    # A database default, because an older release writes rows without this column.
    queue = models.CharField(
        "队列",
        max_length=12,
        choices=Queue.choices,
        default=Queue.INTERACTIVE,
        db_default=Queue.INTERACTIVE,
    )
    created_at = models.DateTimeField("写入时间", auto_now_add=True)
    available_at = models.DateTimeField("可投递时间")
    attempts = models.PositiveIntegerField("次数", default=0)
    delivered_at = models.DateTimeField("投递时间", null=True, blank=True)
    last_error = models.CharField("最近错误", max_length=500, blank=True)
    # Set if the message has failed too often and waits for staff.
    dead_at = models.DateTimeField("放弃时间", null=True, blank=True)

    class Meta:
        verbose_name = "待发消息"
        verbose_name_plural = "待发消息"
        permissions = [("replay_outboxmessage", "可以重新投递")]
        indexes = [
            models.Index(
                fields=["available_at", "id"],
                condition=models.Q(delivered_at__isnull=True, dead_at__isnull=True),
                name="outbox_due_idx",
            ),
            models.Index(
                fields=["-id"], condition=models.Q(dead_at__isnull=False), name="outbox_dead_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{get_topic_title(self.topic)} {self.key}"


class RunnerLease(models.Model):
    """The process that runs a background job now. Another process takes over after the lease
    has expired.
    """

    name = models.CharField(max_length=60, unique=True)
    holder = models.CharField(max_length=120)
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = "执行租约"
        verbose_name_plural = "执行租约"

    def __str__(self) -> str:
        return f"{self.name} {self.holder}"


class JobRun(models.Model):
    """The newest run of a periodic job: its start, duration and result. `count` is the number that
    the job returned, None if it returned none. `error` is empty for a success.
    """

    name = models.CharField("任务", max_length=60, unique=True)
    started_at = models.DateTimeField("开始时间")
    seconds = models.FloatField("用时（秒）")
    count = models.IntegerField("处理数", null=True)
    error = models.CharField("错误", max_length=200, blank=True)

    class Meta:
        verbose_name = "任务执行"
        verbose_name_plural = "任务执行"

    def __str__(self) -> str:
        return f"{self.name} {self.started_at}"
