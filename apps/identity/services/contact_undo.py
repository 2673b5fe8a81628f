"""Undo a changed mobile or mail address with the link that the former address received. The
page shows the change first; a click undoes it. No sign-in is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.tenancy import platform_scope, tenant_scope
from apps.identity.errors import ContactUndoSpent, ContactUndoTaken, ContactUndoUnknown
from apps.identity.models import ContactKind, ContactUndo, WeChatWorkAccount
from apps.identity.services.contact_changed import codes_end, undo_key_read
from apps.identity.services.invitation import ways_in_end
from apps.org.enums import ChangeAction
from apps.org.locks import lock_account, lock_group
from apps.org.models import Account
from apps.org.services.account import account_change_record, account_values

WHY = "撤销更换联系方式"
NOTE = "由原邮箱收到的链接撤销更换"


@dataclass(frozen=True, slots=True)
class DisputedChange:
    """A change of a contact, and the 企业微信 members that were bound to the account after it."""

    row: ContactUndo
    members: list[str]


def contact_undo_look(*, key: str) -> DisputedChange:
    """Return the change that the link undoes, with its account. Changes nothing.

    Raises:
        ContactUndoUnknown, ContactUndoSpent, ContactUndoTaken: as contact_undo.
    """
    row = _found(key)
    with tenant_scope(group_id=_group_id(row)):
        _refuse(row)
    return DisputedChange(row, _members(_later_bindings(row)))


def contact_undo(*, key: str) -> DisputedChange:
    """Restore the former value, end all sign-ins of the account, and end every code that could
    change its contacts or password. Return the change.

    The 企业微信 bindings that were made after the change are removed too, because a thief could
    sign in again with a binding. Earlier bindings stay.

    The present value does not matter, because a thief may have changed it twice. The undo of a
    mobile number ends the undo links of later changes of the number. The undo of a mail address
    ends the undo links of all later changes, because they were sent to an address that this undo
    removes.

    Raises:
        ContactUndoUnknown: the key's signature is invalid, or its row no longer exists.
        ContactUndoSpent: the change was already undone, its 72 hours are over, or the account is
            disabled.
        ContactUndoTaken: another enabled account of the group has the mail address now. The link
            stays valid.
    """
    found = _found(key)
    group_id = _group_id(found)
    with tenant_scope(group_id=group_id), transaction.atomic():
        lock_group(group_id)
        lock_account(found.account_id)
        row = _found(key)
        _refuse(row)
        account: Account = Account.objects.select_related("enterprise", "department").get(
            pk=row.account_id
        )
        before, now = account_values(account), timezone.now()
        ContactUndo.objects.filter(pk=row.pk).update(used_at=now)
        later = ContactUndo.objects.filter(
            account=account, pk__gt=row.pk, used_at__isnull=True, expires_at__gt=now
        )
        if row.kind != ContactKind.EMAIL:
            # The undo of a mobile number keeps the mail address, so undo links for later changes of
            # the mail address stay valid.
            later = later.filter(kind=row.kind)
        later.update(expires_at=now)
        setattr(account, row.kind, row.old_value)
        account.save(update_fields=[row.kind, "updated_at"])
        codes_end(account=account, with_reset=True)
        # Before the sign-ins end: a sign-in with a binding locks the binding until its session is
        # stored (`wechat_work_sign_in`), so the session is ended as well.
        bindings = _later_bindings(row)
        members = _members(bindings)
        bindings.delete()
        ways_in_end(account=account, why=WHY)
        note = f"{NOTE}；解除此后绑定的企业微信 {'、'.join(members)}" if members else NOTE
        account_change_record(None, account, ChangeAction.UPDATE, before, note=note)
    return DisputedChange(row, members)


def _later_bindings(row: ContactUndo) -> QuerySet[WeChatWorkAccount]:
    """Return the bindings of the account that were made after the change."""
    return WeChatWorkAccount.objects.filter(
        account_id=row.account_id, created_at__gte=row.created_at
    )


def _members(bindings: QuerySet[WeChatWorkAccount]) -> list[str]:
    return list(bindings.order_by("pk").values_list("user_id", flat=True))


def _found(key: str) -> ContactUndo:
    pk = undo_key_read(key)
    with platform_scope(reason="identity: the link that undoes a change"):
        row: ContactUndo | None = (
            ContactUndo.objects.select_related("account").filter(pk=pk).first() if pk else None
        )
    if row is None:
        raise ContactUndoUnknown
    return row


def _group_id(row: ContactUndo) -> int:
    if row.account.group_id is None:
        raise ContactUndoUnknown
    return int(row.account.group_id)


def _refuse(row: ContactUndo) -> None:
    """Raise if the change cannot be undone, or not at present. Call it inside the group's
    scope.
    """
    if row.used_at is not None:
        raise ContactUndoSpent(
            f"该更换已于 {timezone.localtime(row.used_at):%m-%d %H:%M} 撤销，无需重复操作"
        )
    if row.expires_at <= timezone.now():
        raise ContactUndoSpent
    if not row.account.is_active:
        raise ContactUndoSpent("账号已停用，不能撤销，请联系贵司管理员")
    is_mail = row.kind == ContactKind.EMAIL and row.old_value
    # Colleagues may share a mobile number, because letters and codes go to the mail address.
    if (
        is_mail
        and Account.objects.filter(email__iexact=row.old_value, is_active=True)
        .exclude(pk=row.account_id)
        .exists()
    ):
        raise ContactUndoTaken
