"""Create accounts and their invitations, one by one or from a sheet. Change an account, by its
owner, an administrator or staff.
"""

from __future__ import annotations

from datetime import datetime
from typing import IO, Any

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.background.outbox import outbox_publish_all
from apps.common.errors import ValidationFailed
from apps.common.models import ImportRun, StoredFile
from apps.identity.errors import AvatarUnavailable
from apps.identity.models import ContactKind
from apps.identity.services.contacts import LABELS, contact_change_announce, get_contacts
from apps.identity.services.invitation import (
    INVITATION_TOPIC,
    LINK_KIND,
    NO_MAIL,
    Channel,
    Invitation,
    invitation_issue,
)
from apps.org.locks import lock_account, lock_group
from apps.org.models import Account
from apps.org.services.account import (
    API_NAMES,
    AccountForm,
    account_create,
    account_fields_check,
    account_update,
)
from apps.org.services.account_import import AccountWriter, accounts_import
from apps.org.services.staff import staff_as_group_admin
from apps.org.services.user_names import refuse_over_name_limit, taken_names_limited

OWN_CONTACT = "更换自己的{label}请到“个人中心 - 个人信息”办理，需要验证身份"
CONTACT_KIND = "contact_change"
CONTACT_REASON_MISSING = "修改客户的手机号码或邮箱须填写原因，原因写入操作日志"


@transaction.atomic
def account_open(
    *, actor: Account, form: AccountForm, channel: Channel | None, origin: str
) -> tuple[Account, Invitation | None]:
    """Return (new account, its invitation). Without a channel there is no invitation. Callers wrap
    their transaction in `taken_names_limited`.

    Raises:
        ValidationFailed: as account_create, or the invitation goes by mail and the account has no
            address.
        NameTaken: as account_create.
        NameLimitReached: the group received too many refusals for names of other customers.
    """
    refuse_over_name_limit(actor=actor)
    if channel == Channel.MAIL and not form.fields.get("email"):
        raise ValidationFailed({"Email": [NO_MAIL]})
    account = account_create(actor=actor, form=form)
    invitation = (
        invitation_issue(actor=actor, account=account, channel=channel, origin=origin)
        if channel
        else None
    )
    return account, invitation


@transaction.atomic
def account_open_at_office(
    *, staff: Account, group_id: int, form: AccountForm, origin: str
) -> Account:
    """Return the new customer account, created by the supplier's staff. Its owner gets a
    one-time link to set the password.

    Raises:
        ValidationFailed: as account_create, or the account has no mail address.
    """
    with staff_as_group_admin(staff=staff, group_id=group_id) as actor:
        account, _invitation = account_open(
            actor=actor, form=form, channel=Channel.MAIL, origin=origin
        )
    act_log(
        subject=account,
        staff=staff,
        changes={NOTE: ("", f"新开账号，一次性链接发送至 {account.email}")},
        kind=LINK_KIND,
    )
    return account


def accounts_import_and_invite(
    *,
    actor: Account,
    file: IO[bytes],
    sends_invitations: bool,
    origin: str,
    is_good_only: bool = False,
) -> ImportRun:
    """Write the sheet and return its run. Its report contains the number of owners that get a
    letter with a link (`letters`). Call it outside a transaction.

    Raises:
        FileRefused, ValidationFailed, NameTaken, NameLimitReached: as accounts_import. Then no
            account exists and no letter is sent.
    """
    with taken_names_limited(actor=actor):
        return accounts_import(
            actor=actor,
            file=file,
            options={"invites": sends_invitations, "origin": origin},
            is_good_only=is_good_only,
        )


class InvitingAccountWriter(AccountWriter):
    """Sends the letters after all accounts exist, because a letter cannot be taken back."""

    def follow_up(self, accounts: list[Account]) -> list[Any]:
        """Return the ids of the accounts that get a letter."""
        return (
            [account.pk for account in accounts if account.email]
            if self.run.options["invites"]
            else []
        )

    def follow(self, items: list[Any]) -> None:
        """Publish the letters of a part of the accounts."""
        by = self.run.actor.nickname if self.run.actor else ""
        letter = {"Origin": self.run.options["origin"], "By": by, "Reset": False}
        outbox_publish_all(
            topic=INVITATION_TOPIC,
            messages=[(str(pk), {"AccountId": pk, **letter}) for pk in items],
        )
        self.report["letters"] = self.report.get("letters", 0) + len(items)


@transaction.atomic
def account_change(
    *, actor: Account, pk: int, form: AccountForm, seen_at: datetime | None
) -> Account:
    """Return the changed account. Codes that were sent to the former mail address no longer
    work, because the address may belong to a stranger.

    Raises:
        AccountNotFound, Stale, BeyondRights, LastAdmin: as account_update.
        ValidationFailed: as account_update, or the change affects the actor's own mobile or mail
            address. That needs a proof of identity (contact_change).
    """
    lock_group(actor.group_id)
    # A concurrent change by the person runs before or after this one.
    lock_account(pk)
    stored = Account.objects.filter(pk=pk).first()
    contacts_before = get_contacts(stored) if stored is not None else {}
    if pk == actor.pk:
        _refuse_own(contacts_before, form)
    account = account_update(actor=actor, pk=pk, form=form, seen_at=seen_at)
    contact_change_announce(account=account, before=contacts_before, by=actor)
    return account


def _refuse_own(contacts_before: dict[str, str], form: AccountForm) -> None:
    """Refuse a change of the own mobile or mail address, because it needs a proof of identity."""
    changed_kinds = [
        kind
        for kind in ContactKind.values
        if form.fields.get(kind, contacts_before[kind]) != contacts_before[kind]
    ]
    if changed_kinds:
        raise ValidationFailed(
            {API_NAMES[kind]: [OWN_CONTACT.format(label=LABELS[kind])] for kind in changed_kinds}
        )


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
        contacts_before = get_contacts(Account.objects.get(pk=pk))
        account = account_change(actor=actor, pk=pk, form=form, seen_at=None)
    changed_kinds = [
        kind for kind, value in get_contacts(account).items() if contacts_before[kind] != value
    ]
    if not changed_kinds:
        return account
    if not reason.strip():
        raise ValidationFailed({"Reason": [CONTACT_REASON_MISSING]})
    change_texts = [
        f"{LABELS[kind]} {contacts_before[kind] or '（空）'} → {getattr(account, kind) or '（空）'}"
        for kind in changed_kinds
    ]
    note = f"{'；'.join(change_texts)}；原因：{reason.strip()}"
    act_log(subject=account, staff=staff, changes={NOTE: ("", note)}, kind=CONTACT_KIND)
    return account


# A contact can be used to reset the password, so a new one needs a proof (contacts.py).
BY_CODE = (
    ("mobile", "Mobile", "更换手机号码需要验证码，请在“更换手机号码”中办理"),
    ("email", "Email", "更换邮箱需要验证码，请在“更换邮箱”中办理"),
)


@transaction.atomic
def profile_update(*, actor: Account, changes: dict[str, Any]) -> Account:
    """Change nickname, name, job or avatar (a file of the actor, or None to remove it). Return the
    changed account. `changes` are the new values by model field.

    Raises:
        ValidationFailed: a name has an invisible character, the avatar is not a picture that the
            actor uploaded, or the change affects mobile or email, which need a code
            (contact_change).
    """
    account: Account = Account.objects.select_for_update().get(pk=actor.pk)
    _refuse_contacts(account, changes)
    fields: list[str] = [name for name in ("nickname", "full_name", "job_title") if name in changes]
    for name in fields:
        setattr(account, name, changes[name])
    account_fields_check(account, fields)
    if "avatar" in changes:
        account.avatar = _get_own_picture(actor, changes["avatar"]) if changes["avatar"] else None
        fields.append("avatar")
    account.save(update_fields=[*fields, "updated_at"])
    return account


def _refuse_contacts(account: Account, changes: dict[str, Any]) -> None:
    """Refuse a new mobile or mail address in the profile, because it needs a code."""
    errors = {
        wire: [text]
        for name, wire, text in BY_CODE
        if name in changes and changes[name] != getattr(account, name)
    }
    if errors:
        raise ValidationFailed(errors)


def _get_own_picture(actor: Account, public_id: object) -> StoredFile:
    file: StoredFile | None = StoredFile.objects.filter(
        public_id=public_id, owner=actor, content_type__startswith="image/"
    ).first()
    if file is None:
        raise AvatarUnavailable
    return file
