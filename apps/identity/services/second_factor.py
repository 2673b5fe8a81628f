"""The second factor: codes of an authenticator app (TOTP), recovery codes, and remembered devices.

Each time step is accepted once, by a conditional UPDATE, with a clock drift of one step. Tries are
limited per account, and only after the right password, so a stranger cannot block the owner. Call
these functions outside a transaction, because a rollback would discard the counts.
"""

from __future__ import annotations

import hmac
import secrets
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

import pyotp
import segno
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.audit import NOTE, act_log
from apps.common.limits.counters import seconds_left
from apps.identity.errors import (
    NoSecondFactor,
    OwnSecondFactorReset,
    ReasonMissing,
    SecondFactorCompulsory,
    SecondFactorMissing,
    SecondFactorMoved,
    SecondFactorRequired,
    SecondFactorSetUpAlready,
    SecondFactorSetUpRequired,
    SecondFactorSlowed,
    StaffSecondFactorReset,
    WrongSecondFactor,
    WrongSetUpCode,
)
from apps.identity.models import RecoveryCode, RememberedDevice, SecondFactor
from apps.identity.services.family import FACTOR_NEW, families_revoke
from apps.identity.services.sign_in_pace import DAY, Lane, Pace
from apps.identity.tokens import hash_of
from apps.org.models import Account

STEP_SECONDS = 30
DRIFT = (0, -1, 1)
REMEMBERED = timedelta(days=30)
# A secret that is not confirmed within this time is replaced by the next begin.
ENROLMENT = timedelta(hours=1)
RECOVERY_CODES = 10
# No characters that look alike.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
# Five wrong codes, then waits of 30, 60, 120 … seconds up to an hour: at most 23 in a day on
# average, of a million codes.
GUESSES = Pace(free=5, first=30, longest=3600, window=DAY)
ENABLED, DISABLED, RESET = "second_factor.on", "second_factor.off", "second_factor.reset"
RECOVERY_USED, RENEWED = "second_factor.recovery_used", "second_factor.renewed"


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The secret of an authenticator that is not confirmed yet. `uri` is the content of its QR
    code.
    """

    secret: str
    uri: str

    @property
    def wire(self) -> dict[str, str]:
        """The content for the page, with the QR code as an address of a picture."""
        qr = segno.make(self.uri, error="m").svg_data_uri(scale=5, border=2)
        return {"Secret": self.secret, "Uri": self.uri, "Qr": qr}


def has_second_factor(account: Account) -> bool:
    """Return whether the account has a confirmed authenticator."""
    return _confirmed(account) is not None


def count_recovery_codes(account: Account) -> int:
    """Return the number of unused recovery codes."""
    return RecoveryCode.objects.filter(account=account, used_at=None).count()


def factor_begin(*, account: Account) -> Enrolment:
    """Return the secret to enter into the app. Repeated calls within ENROLMENT return the same
    secret until it is confirmed. A later call returns a new one, because somebody else may have
    seen the old one.

    Raises:
        WrongState: the account has a confirmed authenticator.
    """
    pending_forget(account=account, begun_before=timezone.now() - ENROLMENT)
    factor, _ = SecondFactor.objects.get_or_create(
        account=account, defaults={"secret": _encrypt(pyotp.random_base32())}
    )
    if factor.confirmed_at is not None:
        raise SecondFactorSetUpAlready
    secret = _decrypt(factor.secret)
    uri = pyotp.TOTP(secret).provisioning_uri(name=account.username, issuer_name=settings.MALL_NAME)
    return Enrolment(secret, uri)


def pending_forget(*, account: Account, begun_before: datetime | None = None) -> None:
    """Delete the secret of an authenticator that is not confirmed yet; with `begun_before` only
    if it was begun before that time.
    """
    rows = SecondFactor.objects.filter(account=account, confirmed_at=None)
    if begun_before is not None:
        rows = rows.filter(created_at__lt=begun_before)
    rows.delete()


def factor_confirm(*, account: Account, code: str, keep: uuid.UUID | None = None) -> list[str]:
    """Enable the authenticator after its first code. Return the recovery codes, which are shown
    only once. Ends the customer's sign-ins that began with the password alone, except `keep`.

    Raises:
        WrongSecondFactor: the code is wrong.
        SecondFactorSlowed: too many wrong codes.
        WrongState: nothing was begun, or it is confirmed already.
    """
    with _counted_try(account):
        factor = SecondFactor.objects.filter(account=account).first()
        if factor is None or factor.confirmed_at is not None:
            raise SecondFactorMoved
        step = _matching_step(factor, code)
        if step is None:
            raise WrongSetUpCode
        with transaction.atomic():
            rows = SecondFactor.objects.filter(pk=factor.pk, confirmed_at=None)
            if not rows.update(confirmed_at=timezone.now(), last_step=step):
                raise SecondFactorMoved
            codes = _replace_codes(account)
            families_revoke(account=account, why=FACTOR_NEW, but=keep)
            _log(account, account, "开启两步验证", ENABLED)
    return codes


@dataclass(frozen=True, slots=True)
class SecondStep:
    """What a customer's sign-in gives besides the password: a code, and the key of a remembered
    browser.
    """

    code: str = ""
    device_key: str = ""


def second_step(*, account: Account, step: SecondStep, may_set_up: bool = True) -> list[str]:
    """Check the second factor of a sign-in after the password. Return the recovery codes if this
    sign-in has set it up, otherwise nothing. Without `may_set_up` the caller cannot show them.

    A given code is checked in a remembered browser as well: only a right code may remember the
    browser for longer.

    Raises:
        WrongState: it must be set up first, and not here.
        SecondFactorRequired: the code is missing.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if has_second_factor(account):
        if step.code:
            factor_check(account=account, code=step.code)
        elif not is_device_remembered(account=account, key=step.device_key):
            raise SecondFactorRequired(body={"SetUp": None})
        return []
    if not is_required(account):
        return []
    if not may_set_up:
        raise SecondFactorMissing
    if step.code:
        return factor_confirm(account=account, code=step.code)
    raise SecondFactorSetUpRequired(body={"SetUp": factor_begin(account=account).wire})


def factor_check(*, account: Account, code: str) -> None:
    """Accept a code of the authenticator or an unused recovery code. Each works once.

    Raises:
        WrongSecondFactor: the code is wrong, or was used.
        SecondFactorSlowed: too many wrong codes.
    """
    with _counted_try(account):
        if not (_accept_totp(account, code) or _accept_recovery(account, code)):
            raise WrongSecondFactor


def recovery_codes_renew(*, account: Account, code: str) -> list[str]:
    """Replace the recovery codes and return the new ones.

    Raises:
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    factor_check(account=account, code=code)
    with transaction.atomic():
        codes = _replace_codes(account)
        _log(account, account, "更换恢复码", RENEWED)
    return codes


def factor_remove(*, account: Account, code: str) -> None:
    """Disable the own second factor and forget the remembered devices.

    Raises:
        Forbidden: it is required for this account.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if is_required(account):
        raise SecondFactorCompulsory
    factor_check(account=account, code=code)
    with transaction.atomic():
        _delete(account)
        _log(account, account, "关闭两步验证", DISABLED)


@transaction.atomic
def factor_reset(*, staff: Account | None, account: Account, reason: str) -> None:
    """Remove the second factor of an account whose owner lost it. The next sign-in sets it up
    again if it is required. The log has the person and the reason. `staff` None is the operator at
    the command line.

    Raises:
        ValidationFailed: the reason is missing.
        Forbidden: it is the own account, or a staff account and the actor is no superuser.
        WrongState: the account has no second factor.
    """
    if not reason.strip():
        raise ReasonMissing
    if staff is not None and account.pk == staff.pk:
        raise OwnSecondFactorReset
    if staff is not None and account.is_staff and not staff.is_superuser:
        raise StaffSecondFactorReset
    if not SecondFactor.objects.filter(account=account).exists():
        raise NoSecondFactor
    _delete(account)
    _log(account, staff, f"重置两步验证；原因：{reason.strip()}", RESET)


def is_required(account: Account) -> bool:
    """Return whether the account must have a second factor."""
    if account.is_staff:
        return settings.STAFF_SECOND_FACTOR
    return account.group is not None and account.group.requires_second_factor


def device_remember(*, account: Account, user_agent: str) -> str:
    """Remember a browser for 30 days and return its key, for a cookie."""
    key = secrets.token_urlsafe(32)
    RememberedDevice.objects.create(
        account=account,
        key_hash=hash_of(key),
        user_agent=user_agent[:200],
        expires_at=timezone.now() + REMEMBERED,
    )
    return key


def count_devices(account: Account) -> int:
    """Return the number of remembered browsers."""
    rows = RememberedDevice.objects.filter(account=account, expires_at__gt=timezone.now())
    return rows.count()


def is_device_remembered(*, account: Account, key: str) -> bool:
    """Return whether this browser needs no second factor."""
    rows = RememberedDevice.objects.filter(account=account, key_hash=hash_of(key))
    return bool(key) and rows.filter(expires_at__gt=timezone.now()).exists()


def devices_forget(*, account: Account) -> int:
    """Forget all remembered browsers of the account. Return their number."""
    return RememberedDevice.objects.filter(account=account).delete()[0]


@contextmanager
def _counted_try(account: Account) -> Generator[None]:
    """Count one try of an account, before the check, so that concurrent tries gain nothing. A
    block that raises nothing forgets the failures.
    """
    lane = guess_lane(account)
    wait = seconds_left(name=lane.waits) or lane.count()[0]
    if wait:
        raise SecondFactorSlowed(seconds=wait)
    yield
    lane.forget()


def guess_lane(account: Account) -> Lane:
    """Return the counter of the account's wrong codes."""
    key = f"account:{account.pk}"
    return Lane(GUESSES, f"second-factor-failed:{key}", f"second-factor-wait:{key}")


def _confirmed(account: Account) -> SecondFactor | None:
    return SecondFactor.objects.filter(account=account, confirmed_at__isnull=False).first()


def find_step(*, secret: str, code: str, now: float) -> int | None:
    """Return the time step of the code, within one step of `now` (epoch seconds). None for a
    wrong code.
    """
    totp, step_now = pyotp.TOTP(secret), int(now) // STEP_SECONDS
    typed = code.replace(" ", "")
    if not typed.isascii():
        return None
    steps = [step_now + drift for drift in DRIFT]
    return next(
        (step for step in steps if hmac.compare_digest(totp.generate_otp(step), typed)), None
    )


def _matching_step(factor: SecondFactor, code: str) -> int | None:
    return find_step(secret=_decrypt(factor.secret), code=code, now=time.time())


def _accept_totp(account: Account, code: str) -> bool:
    factor = _confirmed(account)
    step = _matching_step(factor, code) if factor is not None else None
    if factor is None or step is None:
        return False
    rows = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
    return bool(rows.update(last_step=step))


def _accept_recovery(account: Account, code: str) -> bool:
    unused = RecoveryCode.objects.filter(
        account=account, code_hash=_code_hash(account, code), used_at=None
    )
    if not (_confirmed(account) and unused.update(used_at=timezone.now())):
        return False
    _log(
        account, account, f"使用恢复码登录，剩余 {count_recovery_codes(account)} 个", RECOVERY_USED
    )
    return True


def _replace_codes(account: Account) -> list[str]:
    codes = [
        "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(2))
        for _ in range(RECOVERY_CODES)
    ]
    RecoveryCode.objects.filter(account=account).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(account=account, code_hash=_code_hash(account, code)) for code in codes
    )
    return codes


def _code_hash(account: Account, code: str) -> str:
    plain = code.replace("-", "").replace(" ", "").lower()
    return hmac.new(_root_key(), f"recovery:{account.pk}:{plain}".encode(), sha256).hexdigest()


def _delete(account: Account) -> None:
    SecondFactor.objects.filter(account=account).delete()
    RecoveryCode.objects.filter(account=account).delete()
    devices_forget(account=account)


def _log(account: Account, actor: Account | None, note: str, kind: str) -> None:
    if actor is None or actor.is_staff:
        act_log(subject=account, staff=actor, changes={NOTE: ("", note)}, kind=kind)


def _root_key() -> bytes:
    return (settings.SECOND_FACTOR_KEY or settings.SECRET_KEY).encode()


def _fernet() -> Fernet:
    key = hmac.new(_root_key(), b"second-factor", sha256).digest()
    return Fernet(urlsafe_b64encode(key))


def _encrypt(secret: str) -> str:
    return _fernet().encrypt(secret.encode()).decode()


def _decrypt(secret: str) -> str:
    return _fernet().decrypt(secret.encode()).decode()
