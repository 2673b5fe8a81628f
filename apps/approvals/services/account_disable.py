"""停用账号: disable an account, end its sessions and hand its open approvals to a colleague. The
cart is kept for the day the account is enabled again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from apps.approvals.errors import SuccessorMissing, SuccessorUnavailable, SuccessorWithoutRight
from apps.approvals.selectors.leaving import list_open_approval_ids
from apps.approvals.services.delegation_manage import delegations_end
from apps.approvals.services.task_reassign import approval_reassign
from apps.identity.services.invitation import ways_in_end
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.services.account import account_change_record, account_switch_off

DISABLED_WHY = "账号已停用"


@dataclass(frozen=True, slots=True)
class DisableResult:
    """The disabled account, the number of ended sessions, and {name: number of approvals handed
    over}.
    """

    account: Account
    sessions: int
    handed: dict[str, int]

    @property
    def approvals(self) -> int:
        """Return how many approvals were handed over."""
        return sum(self.handed.values())

    @property
    def handed_over_text(self) -> str:
        """Return who received the approvals, e.g. 接班 3 个、集管 1 个."""
        return "、".join(f"{name} {number} 个" for name, number in self.handed.items())


@transaction.atomic
def account_disable(*, actor: Account, pk: int, successor_id: int | None) -> DisableResult:
    """Disable the account. `successor_id` may be None if no approval waits for the account.

    Raises:
        AccountNotFound, BeyondRights, LastAdmin, WrongState: see account_switch_off.
        ValidationFailed: approvals are open and no successor is given; or the successor is
            disabled, is the account itself, or has no approval rights.
    """
    # The successor must not be disabled or lose the rights meanwhile.
    lock_group(actor.group_id)
    successor = _successor(pk, successor_id)
    before, account = account_switch_off(actor=actor, pk=pk)
    handed = _hand_over_approvals(account, successor)
    delegations_end(actor=actor, leaver=account)
    done = DisableResult(account, ways_in_end(account=account, why=DISABLED_WHY), handed)
    # Record after the handover: if the successor is the requester, the admins or staff took
    # over.
    account_change_record(
        actor,
        account,
        ChangeAction.DISABLE,
        before,
        note=f"待审批移交：{done.handed_over_text}" if handed else "",
    )
    return done


def _hand_over_approvals(account: Account, successor: Account | None) -> dict[str, int]:
    waiting = list_open_approval_ids(account=account)
    if waiting and successor is None:
        raise SuccessorMissing(len(waiting))
    heirs = [
        approval_reassign(approval_id=approval_id, leaver=account, successor=successor)
        for approval_id in waiting
        if successor
    ]
    return dict(Counter(name for name in heirs if name).most_common())


def _successor(pk: int, successor_id: int | None) -> Account | None:
    if successor_id is None:
        return None
    successor: Account | None = (
        Account.objects.filter(pk=successor_id, is_active=True).exclude(pk=pk).first()
    )
    if successor is None:
        raise SuccessorUnavailable
    if not successor.has_menu_code(MenuCode.ORDER_APPROVAL):
        raise SuccessorWithoutRight(successor.nickname)
    return successor
