"""停用账号: at once no sign-in and no right, what waits for him goes to a named colleague; his cart stays for the day he is back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from apps.approvals.selectors.leaving import open_approval_ids
from apps.approvals.services.delegation_keep import delegations_end
from apps.approvals.services.hand_over import hand_over
from apps.common.errors import ValidationFailed
from apps.identity.services.invitation import ways_in_end
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.services.account_save import record
from apps.org.services.account_state import account_switch_off

DISABLED_WHY = "账号已停用"


@dataclass(frozen=True, slots=True)
class Disabled:
    """The account, how many sign-ins ended, and to whom how many approvals went."""

    account: Account
    sessions: int
    handed: dict[str, int]

    @property
    def approvals(self) -> int:
        """How many approvals went to somebody else."""
        return sum(self.handed.values())

    @property
    def handed_text(self) -> str:
        """Who has them now, in words: 接班 3 个、集管 1 个."""
        return "、".join(f"{name} {number} 个" for name, number in self.handed.items())


@transaction.atomic
def account_disable(*, actor: Account, pk: int, successor_id: int | None) -> Disabled:
    """Disable the account; the successor may be left out where nothing waits for it.

    Raises:
        AccountNotFound, BeyondRights, LastAdmin, WrongState: as account_switch_off.
        ValidationFailed: no successor though approvals are open, or one who is disabled, is the leaver himself or may not approve.
    """
    lock_group(actor.group_id)  # the successor is not disabled himself, nor stripped of the right, meanwhile
    successor = _successor(pk, successor_id)
    before, account = account_switch_off(actor=actor, pk=pk)
    handed = _handed(account, successor)
    delegations_end(actor=actor, leaver=account)
    done = Disabled(account, ways_in_end(account=account, why=DISABLED_WHY), handed)
    # Only now is it known who got them: where the successor had asked himself, it was the admins, or staff.
    record(actor, account, ChangeAction.DISABLE, before, note=f"待审批移交：{done.handed_text}" if handed else "")
    return done


def _handed(account: Account, successor: Account | None) -> dict[str, int]:
    waiting = open_approval_ids(account=account)
    if waiting and successor is None:
        raise ValidationFailed({"SuccessorId": [f"还有 {len(waiting)} 个审批等待该账号处理，请选择接手人"]})
    heirs = [hand_over(approval_id=approval_id, leaver=account, successor=successor) for approval_id in waiting if successor]
    return dict(Counter(name for name in heirs if name).most_common())


def _successor(pk: int, successor_id: int | None) -> Account | None:
    if successor_id is None:
        return None
    successor: Account | None = Account.objects.filter(pk=successor_id, is_active=True).exclude(pk=pk).first()
    if successor is None:
        raise ValidationFailed({"SuccessorId": ["请选择其他启用中的同事作为接手人"]})
    if not successor.has_menu_code(MenuCode.ORDER_APPROVAL):
        raise ValidationFailed({"SuccessorId": [f"{successor.nickname}没有审批权限，请选择其他同事，或先为其开通“订单审批”"]})
    return successor
