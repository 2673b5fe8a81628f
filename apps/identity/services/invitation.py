"""Let an account's owner set the password. An administrator sends an invitation or a reset, as a
one-time link by mail or as a code to hand over; staff send a link only. Nobody sees or sets the
password of another person.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import quote

from django.db import transaction
from django.utils import timezone

from apps.common.audit import NOTE, act_log
from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, WrongState
from apps.common.limits.counters import add_hits
from apps.identity.errors import (
    InvitationTooSoon,
    InvitedAccountDisabled,
    OwnPasswordReset,
    PasswordSetAlready,
)
from apps.identity.models import FormerPassword, OldMallTicket, ResetCode, ResetCodeKind, SessionKey
from apps.identity.selectors import find_account
from apps.identity.services.family import families_revoke
from apps.identity.services.mail import send_account_mail
from apps.identity.services.password import hash_code
from apps.org.enums import ChangeAction
from apps.org.models import Account
from apps.org.services.account import account_change_record, account_for_change, get_account_values
from apps.org.services.staff import staff_as_group_admin

INVITATION_TOPIC = "identity.invitation"
LINK_LIFETIME, CODE_LIFETIME = timedelta(days=3), timedelta(hours=24)
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without characters that look alike
LETTERS_PER_MINUTE = 1
RESET_WHY = "管理员重置密码"
NO_MAIL = "该账号没有登记邮箱，请先填写邮箱，或改用临时验证码"


LINK_KIND = "password_link"
NOT_A_CUSTOMER = "运营人员的密码由超级管理员设置，或由本人修改"
REASON_MISSING = "请填写原因"


class Channel(StrEnum):
    """How the owner gets the code."""

    MAIL = "mail"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Invitation:
    """The answer to the administrator. `code` and `link` are set only if the administrator
    hands them over.
    """

    account: Account
    channel: Channel
    expires_at: datetime
    code: str = ""
    link: str = ""


def account_invite(*, actor: Account, pk: int, channel: Channel, origin: str) -> Invitation:
    """Return the new invitation of an account without a password. The previous invitation ends.
    `origin` is the mall's base URL for the link.

    Raises:
        AccountNotFound, BeyondRights: as account_for_change.
        ResetTooSoon: a letter was sent in the last minute.
        ValidationFailed: the account has no mail address.
        WrongState: the account is disabled, or already has a password.
    """
    _refuse_second_letter(pk, channel)
    with transaction.atomic():
        account = account_for_change(actor=actor, pk=pk)
        if account.has_usable_password():
            raise PasswordSetAlready
        return invitation_issue(actor=actor, account=account, channel=channel, origin=origin)


def account_reset(*, actor: Account, pk: int, channel: Channel, origin: str) -> Invitation:
    """Remove the account's password and end all its sign-ins. Return the link or code with
    which its owner sets a new password.

    Raises:
        AccountNotFound, BeyondRights, ResetTooSoon, ValidationFailed: as account_invite.
        WrongState: the account is disabled, or it is the actor's own.
    """
    if pk == actor.pk:
        raise OwnPasswordReset
    _refuse_second_letter(pk, channel)
    with transaction.atomic():
        account = account_for_change(actor=actor, pk=pk)
        invitation = invitation_issue(
            actor=actor, account=account, channel=channel, origin=origin, is_reset=True
        )
        if account.has_usable_password():
            FormerPassword.objects.create(account=account, password=account.password)
        account.set_unusable_password()
        account.save(update_fields=["password", "updated_at"])
        ways_in_end(account=account, why=RESET_WHY)
        return invitation


def ways_in_end(*, account: Account, why: str) -> int:
    """End every sign-in of the account and every key that could begin one. Return the number of
    sign-ins.
    """
    now = timezone.now()
    for keys in (SessionKey.objects, OldMallTicket.objects):
        keys.filter(account_id=account.pk, used_at__isnull=True, expires_at__gt=now).update(
            expires_at=now
        )
    return families_revoke(account=account, why=why)


def invitation_issue(
    *, actor: Account, account: Account, channel: Channel, origin: str, is_reset: bool = False
) -> Invitation:
    """Return the invitation of an account that the actor may manage. Runs in the caller's
    transaction.

    Raises:
        ValidationFailed: the channel is mail and the account has no address.
        WrongState: the account is disabled.
    """
    if not account.is_active:
        raise InvitedAccountDisabled
    if channel == Channel.MAIL and not account.email:
        raise ValidationFailed({"Email": [NO_MAIL]})
    channel_text = f"邮件发送至 {account.email}" if channel == Channel.MAIL else "临时验证码"
    account_change_record(
        actor,
        account,
        ChangeAction.RESET if is_reset else ChangeAction.INVITE,
        get_account_values(account),
        note=channel_text,
    )
    if channel == Channel.MAIL:
        letter = {
            "AccountId": account.pk,
            "Origin": origin,
            "By": actor.nickname,
            "Reset": is_reset,
        }
        outbox_publish(topic=INVITATION_TOPIC, key=str(account.pk), payload=letter)
        return Invitation(account, channel, timezone.now() + LINK_LIFETIME)
    code, expires_at = _create_code(account, CODE_LIFETIME)
    return Invitation(
        account,
        channel,
        expires_at,
        "-".join(code[at : at + 4] for at in (0, 4, 8)),
        _build_link(origin, account, code),
    )


def handle_invitation(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of INVITATION_TOPIC: create the link and mail it. The previous link ends,
    so that a second delivery does no harm.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is None or not account.is_active or not account.email:
        return
    with transaction.atomic():
        code, expires_at = _create_code(account, LINK_LIFETIME)
    send_account_mail(
        account=account,
        subject="请设置新的登录密码" if payload["Reset"] else "邀请您开通账号",
        template="invitation",
        at=expires_at.isoformat(),
        link=_build_link(str(payload["Origin"]), account, code),
        by=str(payload["By"]),
        is_reset=payload["Reset"],
    )


def _refuse_second_letter(pk: int, channel: Channel) -> None:
    """Raise InvitationTooSoon if a mail was sent to the account within the last minute."""
    if (
        channel == Channel.MAIL
        and add_hits(name=f"invitation:{pk}", limit=LETTERS_PER_MINUTE, window_seconds=60)
        > LETTERS_PER_MINUTE
    ):
        raise InvitationTooSoon(body={"RetryAfter": 60})


def _create_code(account: Account, lifetime: timedelta) -> tuple[str, datetime]:
    """Return (new code, moment at which it expires). Earlier codes of the account end."""
    code, now = "".join(secrets.choice(ALPHABET) for _ in range(12)), timezone.now()
    ResetCode.objects.filter(account_id=account.pk, used_at__isnull=True).update(used_at=now)
    row = ResetCode.objects.create(
        account_id=account.pk,
        kind=ResetCodeKind.INVITED,
        code_hash=hash_code(account.pk, code),
        expires_at=now + lifetime,
    )
    return code, row.expires_at


def _build_link(origin: str, account: Account, code: str) -> str:
    """Return the link with the code after the #, so that servers, proxies and logs do not see
    it.
    """
    return f"{origin}/resetPassword#account={quote(account.username)}&code={code}"


@transaction.atomic
def password_link_send(*, staff: Account, account: Account, reason: str, origin: str) -> Invitation:
    """Mail a one-time link to the account's owner. An existing password and all sign-ins end.
    The back office log has the reason.

    Raises:
        ValidationFailed: the reason is missing, or the account has no mail address.
        WrongState: it is not a customer's account, or it is disabled.
        ResetTooSoon: a letter was sent in the last minute.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": [REASON_MISSING]})
    if account.group_id is None:
        raise WrongState(NOT_A_CUSTOMER)
    with staff_as_group_admin(staff=staff, group_id=account.group_id) as actor:
        send = account_reset if account.has_usable_password() else account_invite
        invitation = send(actor=actor, pk=account.pk, channel=Channel.MAIL, origin=origin)
    note = f"一次性链接发送至 {invitation.account.email}；原因：{reason.strip()}"
    act_log(subject=invitation.account, staff=staff, changes={NOTE: ("", note)}, kind=LINK_KIND)
    return invitation
