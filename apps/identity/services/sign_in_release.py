"""Release the slow-down of the back office's sign-in for the name of a staff account.

Only failures of unknown browsers and addresses are released. The waits of a known browser or
address are separate, last at most five minutes, and cannot be prolonged by a stranger.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.errors import ValidationFailed, WrongState
from apps.common.limits.counters import peek, seconds_left
from apps.identity.backends import DOOR
from apps.identity.services.sign_in_origin import unknown_origin
from apps.identity.services.sign_in_pace import Lane, origin_lane
from apps.org.models import Account

RELEASE_KIND = "sign_in_release"


@dataclass(frozen=True, slots=True)
class SlowDown:
    """The failures counted for a name, and the seconds until its next try."""

    failures: int
    wait: int


def get_slow_down(account: Account) -> SlowDown:
    """Return the slow-down of the account's name."""
    lane = _lane(account)
    return SlowDown(peek(name=lane.failures), seconds_left(name=lane.waits))


@transaction.atomic
def sign_in_release(*, staff: Account, account: Account, reason: str) -> SlowDown:
    """Delete the failures of the name and end its wait. Return what was released. The back
    office log has the reason.

    Raises:
        ValidationFailed: the reason is missing.
        WrongState: it is not a staff account, its name has no failures, or Redis is down and may
            still hold the counters.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": ["请填写原因"]})
    if not account.is_staff:
        raise WrongState("只有运营账号的后台登录需要解除限速")
    slow_down = get_slow_down(account)
    if not slow_down.failures and not slow_down.wait:
        raise WrongState("该账号当前没有登录限速，无需操作")
    note = f"解除登录限速（登录失败 {slow_down.failures} 次）；原因：{reason.strip()}"
    act_log(subject=account, staff=staff, changes={NOTE: ("", note)}, kind=RELEASE_KIND)
    if not _lane(account).forget():
        raise WrongState("计数服务暂时不可用，请稍后再试")
    return slow_down


def _lane(account: Account) -> Lane:
    return origin_lane(door=DOOR, origin=unknown_origin(username=account.username))
