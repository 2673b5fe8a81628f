"""Enums of recurring orders."""

from django.db import models


class Rhythm(models.TextChoices):
    """How the due dates follow each other. The number of a rhythm means what its label says."""

    WORKING_DAYS = "working_days", "每隔若干个工作日"
    WEEKLY = "weekly", "每周星期几"
    MONTHLY = "monthly", "每月几号"


class RecurringStatus(models.TextChoices):
    ACTIVE = "active", "进行中"
    BLOCKED = "blocked", "待处理"
    PAUSED = "paused", "已暂停"
    ENDED = "ended", "已结束"


class ApprovalMode(models.TextChoices):
    """How the orders are approved: each one, or only the first one, which then also counts for the
    later orders up to the ceiling.
    """

    EACH = "each", "每次下单都审批"
    ONCE = "once", "首次审批后，上限内不再审批"


class BlockReason(models.TextChoices):
    """Why a recurring order stopped and waits for a decision."""

    PRICE_ROSE = "price_rose", "价格上涨"
    OVER_CEILING = "over_ceiling", "超出金额上限"
    UNAVAILABLE = "unavailable", "商品不可采购"
    STOCK = "stock", "库存不足"
    QUANTITY = "quantity", "起订量变化"
    BUDGET = "budget", "预算不可用"
    CREDIT = "credit", "月结额度不足"
    LIMIT = "limit", "超出采购限额"
    RIGHTS = "rights", "没有下单权限"
    CHOICE = "choice", "下单信息需更新"
    OTHER = "other", "其他"


class RunOutcome(models.TextChoices):
    """What became of one due date."""

    ORDERED = "ordered", "已下单"
    BLOCKED = "blocked", "未下单，待处理"
    SKIPPED = "skipped", "已跳过"


class RecurringAction(models.TextChoices):
    """Actions of a person on a recurring order."""

    CHANGE = "change", "修改"
    PAUSE = "pause", "暂停"
    RESUME = "resume", "恢复"
    SKIP = "skip", "跳过下一次"
    DECIDE = "decide", "处理"
    END = "end", "结束"


class Decision(models.TextChoices):
    """How the owner goes on with a stopped recurring order."""

    CONTINUE = "continue", "按今日价格下单"
    DROP_LINES = "drop_lines", "移除商品"
    SKIP = "skip", "跳过本次"


class RecurringEventKind(models.TextChoices):
    """Events in the timeline of a recurring order."""

    CREATED = "created", "设为定期采购"
    CHANGED = "changed", "修改"
    PAUSED = "paused", "暂停"
    RESUMED = "resumed", "恢复"
    SKIPPED = "skipped", "跳过"
    BLOCKED = "blocked", "未能下单，待处理"
    ORDERED = "ordered", "生成订单"
    LINES_DROPPED = "lines_dropped", "移除商品"
    ENDED = "ended", "结束"
