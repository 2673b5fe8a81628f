"""Set an account's password with the old password, or with a mailed code after a reset.

A reset does not reveal whether a user name exists: neither the answer nor the number and kind of
SQL statements.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.limits.counters import add_hits, forget, take_back
from apps.common.requests import build_client_key
from apps.common.tenancy import platform_scope
from apps.identity.errors import (
    PasswordUnchanged,
    PasswordUsedBefore,
    ProofMissing,
    ProofSlowed,
    ProofWrong,
    ResetTooOften,
    ResetTooSoon,
)
from apps.identity.known_device import KnownDevice
from apps.identity.models import FormerPassword, OldMallTicket, ResetCode, ResetCodeKind, SessionKey
from apps.identity.selectors import find_account, find_account_by_username
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.identity.services.login import failures_forget
from apps.identity.services.mail import send_account_mail
from apps.identity.services.remembered_devices import devices_forget
from apps.identity.services.second_factor import Proof, own_factor_prove, pending_forget
from apps.identity.services.sign_in_pace import STOREFRONT_DOOR, Origin, OriginKind, find_origin
from apps.org.models import Account

CHANGED_TOPIC = "identity.password_changed"
WRONG_TRIES, WRONG_WINDOW = 5, 15 * 60
# The number of passwords that cannot be used again, the present one included.
HISTORY = 5


def password_change(
    *,
    actor: Account,
    old_password: str,
    new_password: str,
    family: uuid.UUID | None,
    proof: Proof,
) -> None:
    """Set the actor's new password and end all other sign-ins. `family` is the current sign-in.

    Raises:
        ValidationFailed: the old password is wrong, or the new one is too weak or one of the latest
            five.
        OwnFactorMissing, WrongSecondFactor, SecondFactorSlowed: as own_factor_prove.
    """
    password_prove(actor=actor, password=old_password, field="OldPassword", label="原密码")
    if old_password == new_password:
        raise PasswordUnchanged
    password_check(account=actor, password=new_password)
    own_factor_prove(account=actor, proof=proof)
    password_set(account=actor, password=new_password, keep=family)


def password_prove(*, actor: Account, password: str, field: str, label: str) -> None:
    """Check the actor's present password. All endpoints share one counter of wrong passwords.
    `field` and `label` name the request's field.

    Call it outside a transaction, because a rollback would discard the count.

    Raises:
        ValidationFailed: the password is missing or wrong, or was wrong 5 times in 15 minutes.
    """
    if not password:
        raise ProofMissing(field=field, label=label)
    counter = f"password:{actor.pk}"
    # Count before the check, so that concurrent guesses are counted too.
    if add_hits(name=counter, limit=WRONG_TRIES, window_seconds=WRONG_WINDOW) > WRONG_TRIES:
        raise ProofSlowed(field=field, label=label)
    if not actor.check_password(password):
        raise ProofWrong(field=field, label=label)
    forget(name=counter)


def owner_prove(*, actor: Account, password: str, proof: Proof) -> None:
    """Check before a dangerous act that the caller is the account's owner: the present password,
    and the second factor of an account that has one.

    Raises:
        ValidationFailed: as password_prove.
        OwnFactorMissing, WrongSecondFactor, SecondFactorSlowed: as own_factor_prove.
    """
    password_prove(actor=actor, password=password, field="Password", label="登录密码")
    own_factor_prove(account=actor, proof=proof)


def password_check(*, account: Account, password: str) -> None:
    """Check the strength of a new password of the account.

    Raises:
        ValidationFailed: it is too weak.
    """
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise ValidationFailed({"NewPassword": list(error.messages)}) from error


@transaction.atomic
def password_set(*, account: Account, password: str, keep: uuid.UUID | None) -> None:
    """Set the password, end every sign-in except `keep` and every key or code that could begin
    one, and notify the owner by mail. A person who knew the old password keeps no remembered
    browser and no secret of a second factor that the owner confirms later.

    Raises:
        ValidationFailed: the password is too weak, or one of the latest five.
    """
    password_check(account=account, password=password)
    locked_account = Account.objects.select_for_update().get(pk=account.pk)
    _refuse_former(locked_account, password)
    locked_account.set_password(password)
    locked_account.save(update_fields=["password", "updated_at"])
    families_revoke(account=account, why=PASSWORD_NEW, but=keep)
    devices_forget(account=account)
    pending_forget(account=account)
    now = timezone.now()
    for keys in (SessionKey.objects, OldMallTicket.objects, ResetCode.objects):
        keys.filter(account_id=account.pk, used_at__isnull=True, expires_at__gt=now).update(
            expires_at=now
        )
    outbox_publish(
        topic=CHANGED_TOPIC,
        key=str(account.pk),
        payload={"AccountId": account.pk, "At": now.isoformat()},
    )


def _refuse_former(account: Account, password: str) -> None:
    """Reject one of the latest passwords. Otherwise store the present hash in the history.

    Raises:
        PasswordUsedBefore: it is one of them.
    """
    former_passwords = FormerPassword.objects.filter(account=account).order_by("-pk")
    latest = [account.password, *former_passwords.values_list("password", flat=True)[: HISTORY - 1]]
    if any(check_password(password, encoded) for encoded in latest):
        raise PasswordUsedBefore(HISTORY)
    if account.has_usable_password():
        FormerPassword.objects.create(account=account, password=account.password)
        FormerPassword.objects.filter(account=account).exclude(
            pk__in=list(former_passwords.values_list("pk", flat=True)[: HISTORY - 1])
        ).delete()


def handle_password_changed(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CHANGED_TOPIC: notify the owner, also if the owner did not make the
    change.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is not None and account.email:
        send_account_mail(
            account=account,
            subject="登录密码已修改",
            template="password_changed",
            at=str(payload["At"]),
        )


RESET_TOPIC = "identity.reset_code"
CODE_LIFETIME = timedelta(minutes=10)
CODE_TRIES = 5
TRIES_SECONDS = int(CODE_LIFETIME.total_seconds())
# For invitation codes. Their length makes guessing impossible, so a stranger's tries must not end
# them.
MAX_TRIES = 30_000
RESEND_SECONDS = 60
CODES_PER_HOUR = 5
STRANGERS_CODES_PER_HOUR = 10
CODE_WRONG = "验证码不正确或已过期，请核对邮件或重新获取"
NOBODY = 0  # a primary key that no row has


def reset_code_request(*, username: str, client: str, device: KnownDevice | None = None) -> None:
    """Send a code to the account's mail address, if the account exists.

    The outbox looks up the account, creates the code and sends the mail, so that the answer takes
    the same time for any name.

    Each client has its own limits for a name, so that a stranger cannot use up the owner's codes.
    All unknown devices and addresses also share a limit, so that they cannot flood a mailbox.

    Raises:
        ResetTooSoon, ResetTooOften: this client requested a code for this name, existing or not, in
            the last 60 seconds, or 5 times in the last hour; or unknown clients requested 10 codes
            in the last hour.
    """
    name = hashlib.sha256(username.casefold().encode()).hexdigest()[:40]
    origin = find_origin(door=STOREFRONT_DOOR, username=username, client=client, device=device)
    own_key = _build_own_key(origin, client)
    if add_hits(name=f"reset-wait:{own_key}", limit=1, window_seconds=RESEND_SECONDS) > 1:
        raise ResetTooSoon(body={"RetryAfter": RESEND_SECONDS})
    limits = [(own_key, CODES_PER_HOUR)]
    if origin.kind == OriginKind.UNKNOWN:
        limits.append((origin.key, STRANGERS_CODES_PER_HOUR))
    for key, limit in limits:
        if add_hits(name=f"reset-code:{key}", limit=limit, window_seconds=3600) > limit:
            raise ResetTooOften(body={"RetryAfter": 3600})
    outbox_publish(topic=RESET_TOPIC, key=name, payload={"UserName": username})


def reset_code_handler(_key: str, payload: dict[str, str]) -> None:
    """Outbox handler of RESET_TOPIC: create a code and mail it. Earlier codes end, so that a
    second delivery does no harm.
    """
    account = _find_reachable_account(payload["UserName"])
    if account is None or not account.email:
        return
    code = f"{secrets.randbelow(1_000_000):06d}"
    now = timezone.now()
    with transaction.atomic():
        # Anyone who knows a name can request a code, so this does not end an invitation.
        ResetCode.objects.filter(
            account_id=account.pk, kind=ResetCodeKind.ASKED, used_at__isnull=True
        ).update(used_at=now)
        ResetCode.objects.create(
            account_id=account.pk,
            code_hash=hash_code(account.pk, code),
            expires_at=now + CODE_LIFETIME,
        )
    minutes = int(CODE_LIFETIME.total_seconds() // 60)
    send_account_mail(
        account=account, subject="重置密码验证码", template="reset_code", code=code, minutes=minutes
    )


def reset_code_check(
    *, username: str, code: str, client: str, device: KnownDevice | None = None
) -> None:
    """Check the code before the person enters a new password. The code stays valid.

    Raises:
        ValidationFailed: as password_reset.
    """
    origin = find_origin(door=STOREFRONT_DOOR, username=username, client=client, device=device)
    _verify_code(username, code, origin)


def password_reset(
    *, username: str, code: str, new_password: str, client: str, device: KnownDevice | None = None
) -> None:
    """Set a new password with the code and end all sign-ins.

    Raises:
        ValidationFailed: the name is unknown or the code is wrong, used, expired or tried too often
            (one message for all of these); or the password is too weak, and then the code stays
            valid.
    """
    origin = find_origin(door=STOREFRONT_DOOR, username=username, client=client, device=device)
    account, row = _verify_code(username, code, origin)
    with transaction.atomic(), platform_scope(reason="password reset"):
        # The conditional UPDATE makes the code one-time: of two concurrent resets, only one
        # succeeds.
        if not ResetCode.objects.filter(pk=row.pk, used_at__isnull=True).update(
            used_at=timezone.now()
        ):
            raise ValidationFailed({"Code": [CODE_WRONG]})
        password_set(account=account, password=new_password, keep=None)
    failures_forget(username=username, client=client, device=device)


def _build_own_key(origin: Origin, client: str) -> str:
    """Return the counter key of this client for the name."""
    if origin.kind == OriginKind.UNKNOWN:
        return f"{origin.key}:{build_client_key(client)}"
    return origin.key


def _verify_code(username: str, code: str, origin: Origin) -> tuple[Account, ResetCode]:
    """Return (account, matching active code). The try is counted before the comparison, so that a
    wrong code costs one.

    The code's row counts the tries of unknown devices and addresses. A device or address from which
    the owner has signed in has its own tries, so that strangers cannot use them up.

    Raises:
        ValidationFailed: the code is wrong, used, expired or tried too often.
    """
    account = _find_reachable_account(username)
    owner = account.pk if account else NOBODY
    kind = ResetCodeKind.ASKED if len(code) == 6 else ResetCodeKind.INVITED
    active_codes = ResetCode.objects.filter(
        account_id=owner, kind=kind, used_at__isnull=True, expires_at__gt=timezone.now()
    )
    row = active_codes.order_by("-id").first()
    row_id = row.pk if row else NOBODY
    tries = _Tries(row_id=row_id, kind=kind, origin=origin)
    is_counted = tries.count()
    is_right = hmac.compare_digest(row.code_hash if row else "", hash_code(owner, code))
    if account is None or row is None or not is_counted or not is_right:
        raise ValidationFailed({"Code": [CODE_WRONG]})
    tries.take_back()
    return account, row


@dataclass(frozen=True, slots=True)
class _Tries:
    """The tries of a code from one origin.

    A requested code has a counter for each known origin. All other tries are counted on the code's
    row, together.
    """

    row_id: int
    kind: ResetCodeKind
    origin: Origin

    @property
    def _counter(self) -> str:
        return f"reset-try:{self.row_id}:{self.origin.key}"

    def _has_own_counter(self) -> bool:
        return self.kind == ResetCodeKind.ASKED and self.origin.kind != OriginKind.UNKNOWN

    def count(self) -> bool:
        """Count a try. Return whether it was allowed."""
        if self._has_own_counter():
            return add_hits(name=self._counter, limit=CODE_TRIES, window_seconds=TRIES_SECONDS) <= (
                CODE_TRIES
            )
        most = CODE_TRIES if self.kind == ResetCodeKind.ASKED else MAX_TRIES
        guessable = ResetCode.objects.filter(pk=self.row_id, attempts__lt=most)
        return bool(guessable.update(attempts=models.F("attempts") + 1))

    def take_back(self) -> None:
        """Return the counted try, from where `count` took it."""
        if self._has_own_counter():
            take_back(name=self._counter, window_seconds=TRIES_SECONDS)
        else:
            rows = ResetCode.objects.filter(pk=self.row_id)
            rows.update(attempts=models.F("attempts") - 1)


def _find_reachable_account(username: str) -> Account | None:
    """Return the customer account with this name if it may sign in."""
    account = find_account_by_username(username)
    return (
        account
        if account and account.is_active and account.group and account.group.is_active
        else None
    )


def hash_code(owner: int, code: str) -> str:
    """Return the stored hash for a code of this account."""
    return hmac.new(
        settings.SECRET_KEY.encode(), f"reset:{owner}:{code}".encode(), hashlib.sha256
    ).hexdigest()
