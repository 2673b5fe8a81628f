"""The second factor: codes of an authenticator app (TOTP), passkeys (`passkeys.py`) and recovery
codes.

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
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

import pyotp
import segno
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.audit import NOTE, act_log
from apps.common.background.outbox import outbox_publish
from apps.common.limits.counters import add_hits, get_seconds_left, peek
from apps.common.tenancy import platform_scope
from apps.identity.errors import (
    AuthenticatorGone,
    LastFactorCompulsory,
    NoSecondFactor,
    OwnFactorMissing,
    OwnSecondFactorReset,
    PasskeyOrCodeRequired,
    PasskeyRequired,
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
from apps.identity.models import RecoveryCode, SecondFactor
from apps.identity.selectors import find_account
from apps.identity.services.family import FACTOR_NEW, FACTOR_RESET, families_revoke
from apps.identity.services.mail import send_account_mail
from apps.identity.services.passkeys import (
    SIGN_IN,
    Assertion,
    Attestation,
    credential_check,
    has_passkey,
    issue_passkey_challenge,
    list_passkeys,
    passkey_delete,
    passkey_save,
    passkey_use,
    passkeys_delete,
)
from apps.identity.services.remembered_devices import devices_forget, is_device_remembered
from apps.identity.services.sign_in_pace import DAY, Lane, Pace
from apps.org.locks import lock_account
from apps.org.models import Account

# Outbox topic: notify the owner of a reset.
FACTOR_RESET_TOPIC = "identity.factor_reset"
STEP_SECONDS = 30
DRIFT = (0, -1, 1)
# A secret that is not confirmed within this time is replaced by the next begin.
ENROLMENT = timedelta(hours=1)
RECOVERY_CODES = 10
# How long an accepted proof of a dangerous act counts again in the same session.
REPEAT_SECONDS = 120
# No characters that look alike.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
# Five wrong codes, then waits of 30, 60, 120 … seconds up to an hour: at most 23 in a day on
# average, of a million codes.
GUESSES = Pace(free=5, first=30, longest=3600, window=DAY)
ENABLED, DISABLED, RESET = "second_factor.on", "second_factor.off", "second_factor.reset"
RECOVERY_USED, RENEWED = "second_factor.recovery_used", "second_factor.renewed"
PASSKEY_NEW, PASSKEY_GONE = "second_factor.passkey_on", "second_factor.passkey_off"


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


@dataclass(frozen=True, slots=True)
class Proof:
    """What a person gives as second factor: a code of the authenticator, a recovery code, or the
    use of a passkey. `session` is the session to which its challenge was issued.
    """

    code: str = ""
    passkey: Assertion | None = None
    session: str = SIGN_IN

    @property
    def is_given(self) -> bool:
        """Whether there is anything to check."""
        return bool(self.code) or self.passkey is not None


def has_second_factor(account: Account) -> bool:
    """Return whether the account has a confirmed authenticator or a passkey."""
    return has_authenticator(account) or has_passkey(account)


def has_authenticator(account: Account) -> bool:
    """Return whether the account has a confirmed authenticator."""
    return _find_confirmed_factor(account) is not None


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
    """Enable the authenticator after its first code. If it is the account's first second factor,
    return the recovery codes, which are shown only once, and end the customer's sign-ins that
    began with the password alone, except `keep`.

    Raises:
        WrongSecondFactor: the code is wrong.
        SecondFactorSlowed: too many wrong codes.
        WrongState: nothing was begun, or it is confirmed already.
    """
    with _count_try(account):
        factor = SecondFactor.objects.filter(account=account).first()
        if factor is None or factor.confirmed_at is not None:
            raise SecondFactorMoved
        step = _find_matching_step(factor, code)
        if step is None:
            raise WrongSetUpCode
        with transaction.atomic():
            _lock_account_of(account)
            is_first = not has_second_factor(account)
            rows = SecondFactor.objects.filter(pk=factor.pk, confirmed_at=None)
            if not rows.update(confirmed_at=timezone.now(), last_step=step):
                raise SecondFactorMoved
            _log_act(account, account, "启用验证器", ENABLED)
            return _begin_second_factor(account, keep) if is_first else []


def passkey_register(
    *,
    account: Account,
    session: str,
    name: str,
    attestation: Attestation,
    keep: uuid.UUID | None = None,
) -> list[str]:
    """Add a passkey. If it is the account's first second factor, return the recovery codes and
    end the other sign-ins, as factor_confirm.

    Raises:
        ValidationFailed, WrongState, WrongPasskey: as credential_check and passkey_save.
    """
    credential = credential_check(
        account=account, session=session, name=name, attestation=attestation
    )
    with transaction.atomic():
        # Of two first factors at the same moment, one creates the recovery codes.
        _lock_account_of(account)
        is_first = not has_second_factor(account)
        passkey = passkey_save(account=account, name=name, new=credential)
        _log_act(account, account, f"添加通行密钥“{passkey.name}”", PASSKEY_NEW)
        return _begin_second_factor(account, keep) if is_first else []


def _begin_second_factor(account: Account, keep: uuid.UUID | None) -> list[str]:
    """Return new recovery codes for a factor that has just been confirmed. Discards unconfirmed
    factors and ends all sign-ins of the account except `keep`.
    """
    # Whoever knew the password alone may have seen the secret of an unconfirmed authenticator.
    pending_forget(account=account)
    families_revoke(account=account, why=FACTOR_NEW, but=keep)
    return _replace_codes(account)


@dataclass(frozen=True, slots=True)
class SecondStep:
    """What a customer's sign-in gives besides the password: a proof, and the key of a remembered
    browser.
    """

    proof: Proof = field(default_factory=Proof)
    device_key: str = ""


def check_second_step(*, account: Account, step: SecondStep, may_set_up: bool = True) -> list[str]:
    """Check the second factor of a sign-in after the password. Return the recovery codes if this
    sign-in has set it up, otherwise nothing. Without `may_set_up` the caller cannot show them.

    A given proof is checked in a remembered browser as well: only a right one may remember the
    browser for longer.

    Raises:
        WrongState: it must be set up first, and not here.
        SecondFactorRequired: the proof is missing.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if has_second_factor(account):
        if step.proof.is_given:
            factor_check(account=account, proof=step.proof)
        elif not is_device_remembered(account=account, key=step.device_key):
            raise _build_proof_request(account)
        return []
    if not is_required(account):
        return []
    if not may_set_up:
        raise SecondFactorMissing
    if step.proof.code:
        return factor_confirm(account=account, code=step.proof.code)
    body = {"SetUp": factor_begin(account=account).wire, "Passkey": None}
    raise SecondFactorSetUpRequired(body=body)


def _build_proof_request(account: Account) -> SecondFactorRequired:
    """Return the error that asks the client for a passkey, a code, or either."""
    options = issue_passkey_challenge(account=account, session=SIGN_IN)
    body = {"SetUp": None, "Passkey": options}
    if options is None:
        return SecondFactorRequired(body=body)
    if has_authenticator(account):
        return PasskeyOrCodeRequired(body=body)
    return PasskeyRequired(body=body)


def factor_check(*, account: Account, proof: Proof) -> None:
    """Accept a code of the authenticator, an unused recovery code, or the use of a passkey. Each
    works once.

    Raises:
        WrongSecondFactor: the proof is wrong, or was used.
        SecondFactorSlowed: too many wrong proofs.
    """
    with _count_try(account):
        if proof.passkey is not None:
            passkey_use(account=account, session=proof.session, assertion=proof.passkey)
        elif not (_accept_totp(account, proof.code) or _accept_recovery(account, proof.code)):
            raise WrongSecondFactor


def own_factor_prove(*, account: Account, proof: Proof) -> None:
    """Check the second factor of an account that has one, before a dangerous act. Does nothing for
    an account without one.

    A proof that was accepted counts again for REPEAT_SECONDS in the same session, so that a form
    that was refused for another reason can be sent again.

    Raises:
        OwnFactorMissing: no proof is given.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if not has_second_factor(account):
        return
    if not proof.is_given:
        raise OwnFactorMissing
    given = f"{proof.session} {proof.code} {proof.passkey and proof.passkey.signature}"
    accepted = f"own-proof:{account.pk}:{sha256(given.encode()).hexdigest()[:40]}"
    if peek(name=accepted):
        return
    factor_check(account=account, proof=proof)
    add_hits(name=accepted, limit=1, window_seconds=REPEAT_SECONDS)


def recovery_codes_renew(*, account: Account, proof: Proof) -> list[str]:
    """Replace the recovery codes and return the new ones.

    Raises:
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    factor_check(account=account, proof=proof)
    with transaction.atomic():
        codes = _replace_codes(account)
        _log_act(account, account, "更换恢复码", RENEWED)
    return codes


def factor_remove(*, account: Account, proof: Proof) -> None:
    """Disable the own second factor: remove authenticator and passkeys, and forget the remembered
    devices.

    Raises:
        Forbidden: it is required for this account.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if is_required(account):
        raise SecondFactorCompulsory
    factor_check(account=account, proof=proof)
    with transaction.atomic():
        _delete_factors(account)
        _log_act(account, account, "关闭两步验证", DISABLED)


def authenticator_remove(*, account: Account, proof: Proof) -> None:
    """Remove the own authenticator. Without a passkey, this disables the second factor.

    Raises:
        Forbidden: it is the last factor, and one is required for this account.
        WrongState: the account has no authenticator.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if not has_passkey(account):
        _refuse_without_factor(account)
    factor_check(account=account, proof=proof)
    with transaction.atomic():
        _lock_account_of(account)
        confirmed = SecondFactor.objects.filter(account=account, confirmed_at__isnull=False)
        if not confirmed.delete()[0]:
            raise AuthenticatorGone
        _log_act(account, account, "移除验证器", DISABLED)
        _end_without_factor(account)


def passkey_remove(*, account: Account, passkey_id: int, proof: Proof | None) -> None:
    """Remove an own passkey. Without another factor, this disables the second factor. `proof`
    None: the caller has checked a fresh one.

    Raises:
        Forbidden: it is the last factor, and one is required for this account.
        PasskeyNotFound: the account has no passkey with this id.
        WrongSecondFactor, SecondFactorSlowed: as factor_check.
    """
    if not has_authenticator(account) and len(list_passkeys(account)) == 1:
        _refuse_without_factor(account)
    if proof is not None:
        factor_check(account=account, proof=proof)
    with transaction.atomic():
        _lock_account_of(account)
        passkey = passkey_delete(account=account, passkey_id=passkey_id)
        _log_act(account, account, f"移除通行密钥“{passkey.name}”", PASSKEY_GONE)
        _end_without_factor(account)


def _end_without_factor(account: Account) -> None:
    """Delete recovery codes and remembered devices if no factor is left. The caller has locked
    the account, so of two factors that are removed at the same moment, the second one is judged
    as the last.

    Raises:
        LastFactorCompulsory: none is left, and the account must have one.
    """
    if has_second_factor(account):
        return
    _refuse_without_factor(account)
    _delete_factors(account)


def _refuse_without_factor(account: Account) -> None:
    """Refuse to remove the last factor. Callers ask before they check the proof, so that a refusal
    uses up no recovery code, and again under the lock.

    Raises:
        LastFactorCompulsory: the account must have one.
    """
    if is_required(account):
        raise LastFactorCompulsory


@transaction.atomic
def factor_reset(*, staff: Account | None, account: Account, reason: str) -> None:
    """Remove the second factor of an account whose owner lost it, and end its sign-ins: whoever
    has the lost device may be signed in. The next sign-in sets the factor up again if it is
    required. The log has the person and the reason, and the owner is notified by mail and on the
    page. `staff` None is the operator at the command line.

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
    # A colleague may reset it at the same moment, or the lost device may add a passkey.
    _lock_account_of(account)
    if not (SecondFactor.objects.filter(account=account).exists() or has_passkey(account)):
        raise NoSecondFactor
    _delete_factors(account)
    families_revoke(account=account, why=FACTOR_RESET)
    _log_act(account, staff, f"重置两步验证；原因：{reason.strip()}", RESET)
    outbox_publish(
        topic=FACTOR_RESET_TOPIC,
        key=str(account.pk),
        payload={
            "AccountId": account.pk,
            "At": timezone.now().isoformat(),
            "By": staff.nickname if staff else "",
        },
    )


def handle_factor_reset(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of FACTOR_RESET_TOPIC: notify the owner, who may not have asked for the
    reset.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is not None and account.email:
        send_account_mail(
            account=account,
            subject="两步验证已重置",
            template="factor_reset",
            at=str(payload["At"]),
            by=str(payload["By"]),
        )


def is_required(account: Account) -> bool:
    """Return whether the account must have a second factor."""
    if account.is_staff:
        return settings.STAFF_SECOND_FACTOR
    return account.group is not None and account.group.requires_second_factor


@contextmanager
def _count_try(account: Account) -> Generator[None]:
    """Count one try of an account, before the check, so that concurrent tries gain nothing. A
    block that raises nothing forgets the failures.
    """
    lane = guess_lane(account)
    wait = get_seconds_left(name=lane.waits) or lane.count()[0]
    if wait:
        raise SecondFactorSlowed(seconds=wait)
    yield
    lane.forget()


def guess_lane(account: Account) -> Lane:
    """Return the counter of the account's wrong codes."""
    key = f"account:{account.pk}"
    return Lane(GUESSES, f"second-factor-failed:{key}", f"second-factor-wait:{key}")


def _lock_account_of(account: Account) -> None:
    """Lock the account until the transaction ends. At the sign-in no scope is open yet."""
    with platform_scope(reason="second factor"):
        lock_account(account.pk)


def _find_confirmed_factor(account: Account) -> SecondFactor | None:
    return SecondFactor.objects.filter(account=account, confirmed_at__isnull=False).first()


def find_step(*, secret: str, code: str, now: float) -> int | None:
    """Return the time step of the code, within one step of `now` (epoch seconds). None for a
    wrong code.
    """
    totp, step_now = pyotp.TOTP(secret), int(now) // STEP_SECONDS
    plain_code = code.replace(" ", "")
    if not plain_code.isascii():
        return None
    steps = [step_now + drift for drift in DRIFT]
    return next(
        (step for step in steps if hmac.compare_digest(totp.generate_otp(step), plain_code)), None
    )


def _find_matching_step(factor: SecondFactor, code: str) -> int | None:
    return find_step(secret=_decrypt(factor.secret), code=code, now=time.time())


def _accept_totp(account: Account, code: str) -> bool:
    """Return whether the code is valid. A valid code is used up: its time step cannot be used
    again.
    """
    factor = _find_confirmed_factor(account)
    step = _find_matching_step(factor, code) if factor is not None else None
    if factor is None or step is None:
        return False
    rows = SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step)
    return bool(rows.update(last_step=step))


def _accept_recovery(account: Account, code: str) -> bool:
    """Return whether the recovery code is valid. A valid code is used up, and logged."""
    unused = RecoveryCode.objects.filter(
        account=account, code_hash=_code_hash(account, code), used_at=None
    )
    if not unused.update(used_at=timezone.now()):
        return False
    _log_act(
        account, account, f"使用恢复码登录，剩余 {count_recovery_codes(account)} 个", RECOVERY_USED
    )
    return True


def _replace_codes(account: Account) -> list[str]:
    """Replace the recovery codes of the account. Return the new ones; only hashes are stored."""
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
    normal_code = code.replace("-", "").replace(" ", "").lower()
    return hmac.new(
        _get_root_key(), f"recovery:{account.pk}:{normal_code}".encode(), sha256
    ).hexdigest()


def _delete_factors(account: Account) -> None:
    SecondFactor.objects.filter(account=account).delete()
    RecoveryCode.objects.filter(account=account).delete()
    passkeys_delete(account=account)
    devices_forget(account=account)


def _log_act(account: Account, actor: Account | None, note: str, kind: str) -> None:
    act_log(subject=account, staff=actor, changes={NOTE: ("", note)}, kind=kind)


def _get_root_key() -> bytes:
    return (settings.SECOND_FACTOR_KEY or settings.SECRET_KEY).encode()


def _build_fernet() -> Fernet:
    key = hmac.new(_get_root_key(), b"second-factor", sha256).digest()
    return Fernet(urlsafe_b64encode(key))


def _encrypt(secret: str) -> str:
    return _build_fernet().encrypt(secret.encode()).decode()


def _decrypt(secret: str) -> str:
    return _build_fernet().decrypt(secret.encode()).decode()
