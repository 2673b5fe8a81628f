"""Staff change a customer's mobile or mail address. A reason is required and logged, and the
former address gets a letter.
"""

from __future__ import annotations

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.errors import ValidationFailed
from apps.identity.services.account_change import account_change
from apps.identity.services.contact_changed import LABELS, contacts_of
from apps.org.locks import lock_group
from apps.org.models import Account
from apps.org.services.account import AccountForm
from apps.org.services.staff import staff_as_group_admin

CONTACT_KIND = "contact_change"
REASON_MISSING = "修改客户的手机号码或邮箱须填写原因，原因写入操作日志"


@transaction.atomic
def account_change_by_staff(
    *, staff: Account, group_id: int, pk: int, form: AccountForm, reason: str
) -> Account:
    """Return a customer's changed account. If a mobile or mail address changes, the log gets
    the reason and the former mail address gets a letter.

    Raises:
        ValidationFailed: as account_update, or a mobile or mail address changes without a reason.
        AccountNotFound, BeyondRights, LastAdmin: as account_update.
    """
    with staff_as_group_admin(staff=staff, group_id=group_id) as actor:
        lock_group(group_id)
        before = contacts_of(Account.objects.get(pk=pk))
        account = account_change(actor=actor, pk=pk, form=form, seen_at=None)
    changed = [kind for kind, value in contacts_of(account).items() if before[kind] != value]
    if not changed:
        return account
    if not reason.strip():
        raise ValidationFailed({"Reason": [REASON_MISSING]})
    moves = [
        f"{LABELS[kind]} {before[kind] or '（空）'} → {getattr(account, kind) or '（空）'}"
        for kind in changed
    ]
    note = f"{'；'.join(moves)}；原因：{reason.strip()}"
    act_log(subject=account, staff=staff, changes={NOTE: ("", note)}, kind=CONTACT_KIND)
    return account
