"""Who is held back by a limit now, for the staff to see: a row when a block begins, none for the calls it refuses.

The counters decide (`counters.py`); this is what is told of them. A block that cannot be told of is refused all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from apps.common.models import RateBlock

log = structlog.get_logger(__name__)
KEEP = timedelta(days=30)
ACCOUNT = "account-"

# A block that is moved to Redis or back with its counter is still the same one.
UPSERT = """
INSERT INTO common_rateblock (name, rule, client, account_id, began_at, until, times) VALUES (%s, %s, %s, %s, %s, %s, 1)
ON CONFLICT (name) DO UPDATE SET
  times = common_rateblock.times + 1, began_at = excluded.began_at, until = excluded.until, released_at = NULL, released_by_id = NULL
WHERE common_rateblock.until <= excluded.began_at OR common_rateblock.released_at IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """`by_account`: what follows its name in a counter's is an account's key, else it is what `rules.py` counts by."""

    title: str
    by_account: bool = False


# First part of a counter's name → what staff call the limit. What is not here holds nobody back for long: waits between two codes.
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


def limit_named(name: str, title: str, *, by_account: bool = False) -> None:
    """Tell staff of the blocks of a limit that an app has of its own; register in AppConfig.ready()."""
    LIMITS[name] = Limit(title, by_account)


def block_begin(*, name: str, until: datetime) -> None:
    """Write that a counter holds its client back until then; nothing where staff need not know of it."""
    rule = next((known for known in LIMITS if name.startswith(f"{known}:")), None)
    if rule is None:
        return
    client = name.removeprefix(f"{rule}:")
    client = f"{ACCOUNT}{client}" if LIMITS[rule].by_account else client
    key = client.removeprefix(ACCOUNT)
    account = int(key) if client.startswith(ACCOUNT) and key.isdecimal() else None
    began, ends = (connection.ops.adapt_datetimefield_value(moment) for moment in (timezone.now(), until))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(UPSERT, [name[:160], rule, client[:120], account, began, ends])
    except DatabaseError as error:
        log.warning("block_untold", name=name[:160], error=type(error).__name__)


def blocks_end(*, names: Sequence[str]) -> None:
    """Write that counters hold nobody back any more, since their client has proved to be a person."""
    now = timezone.now()
    RateBlock.objects.filter(name__in=names, until__gt=now, released_at__isnull=True).update(released_at=now)


def blocks_purge() -> int:
    """Delete the blocks that ended more than 30 days ago; return how many."""
    deleted, _ = RateBlock.objects.filter(until__lt=timezone.now() - KEEP).delete()
    return deleted
