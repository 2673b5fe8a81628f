"""Blocked clients, for staff to see. A row is written when a block begins, not for each refused
call.

The counters decide (`counters.py`); this table is only a report. If the row cannot be written, the
call is refused all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from apps.common.models import RateBlock

log = structlog.get_logger(__name__)
RETENTION = timedelta(days=30)
ACCOUNT = "account-"

# If the counter moves between Redis and the table, the block remains the same row.
UPSERT = """
INSERT INTO common_rateblock (name, rule, client, account_id, began_at, until, times) VALUES (%s,
    %s, %s, %s, %s, %s, 1)
ON CONFLICT (name) DO UPDATE SET
  times = common_rateblock.times + 1, began_at = excluded.began_at, until = excluded.until,
      released_at = NULL, released_by_id = NULL
WHERE common_rateblock.until <= excluded.began_at OR common_rateblock.released_at IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """How staff see a limit.

    `by_account`: the counter's name contains an account id. Otherwise it contains the client key of
    `rules.py`.
    """

    title: str
    by_account: bool = False


# First part of a counter's name → the limit's title for staff. Short waits, such as between two
# codes, are not listed.
LIMITS: dict[str, Limit] = {
    "captcha": Limit("获取安全验证码"),
    "sign-in": Limit("登录接口调用"),
    "codes": Limit("发送重置验证码"),
    "code-tries": Limit("校验重置验证码"),
    "image-search": Limit("以图搜索"),
    "selection": Limit("智能选品"),
    "search": Limit("商品搜索"),
    "uploads": Limit("上传文件"),
    "exports": Limit("导出"),
    "trials": Limit("测试推送"),
    "writes": Limit("提交操作"),
    "general": Limit("全部接口调用"),
}


def register_limit_title(name: str, title: str, *, by_account: bool = False) -> None:
    """Show the blocks of an app's own limit to staff. Call it in AppConfig.ready()."""
    LIMITS[name] = Limit(title, by_account)


def block_begin(*, name: str, until: datetime) -> None:
    """Record that a counter blocks its client until `until`. Counters that are not in LIMITS
    are not recorded.
    """
    rule = next((rule_name for rule_name in LIMITS if name.startswith(f"{rule_name}:")), None)
    if rule is None:
        return
    client = name.removeprefix(f"{rule}:")
    client = f"{ACCOUNT}{client}" if LIMITS[rule].by_account else client
    key = client.removeprefix(ACCOUNT)
    account = int(key) if client.startswith(ACCOUNT) and key.isascii() and key.isdecimal() else None
    began, ends = (
        connection.ops.adapt_datetimefield_value(moment) for moment in (timezone.now(), until)
    )
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(UPSERT, [name[:160], rule, client[:120], account, began, ends])
    except DatabaseError as error:
        log.warning("block_untold", name=name[:160], error=type(error).__name__)


def list_open_blocks(*, names: Collection[str]) -> list[str]:
    """Return the names of those counters that block their client now, the latest block first."""
    open_ones = RateBlock.objects.filter(
        name__in=names, until__gt=timezone.now(), released_at__isnull=True
    )
    return list(open_ones.order_by("-began_at", "-pk").values_list("name", flat=True))


def block_end(*, name: str) -> None:
    """Record that a counter no longer blocks its client, because the client has solved a
    captcha.
    """
    now = timezone.now()
    RateBlock.objects.filter(name=name, until__gt=now, released_at__isnull=True).update(
        released_at=now
    )


def blocks_purge() -> int:
    """Delete blocks that ended more than 30 days ago. Return how many were deleted."""
    deleted, _ = RateBlock.objects.filter(until__lt=timezone.now() - RETENTION).delete()
    return deleted
