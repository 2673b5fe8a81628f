"""A forgotten password: a code by mail, checked, spent for a new password.

Nothing here tells whether a name exists: neither an answer, nor the number and kind of statements that make it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.limits.counters import hit
from apps.common.tenancy import platform_scope
from apps.identity.errors import ResetTooOften, ResetTooSoon
from apps.identity.models import ResetCode, ResetCodeKind
from apps.identity.selectors.sign_in import account_by_username
from apps.identity.services.login import failures_forget
from apps.identity.services.mail import account_mail
from apps.identity.services.password import password_set
from apps.org.models import Account

RESET_TOPIC = "identity.reset_code"
CODE_LIFETIME = timedelta(minutes=10)
CODE_TRIES = 5
# Of an invitation, which nobody guesses: strangers who know the name do not end it by trying.
MOST_TRIES = 30_000
RESEND_SECONDS = 60
CODES_PER_HOUR = 5
CODE_WRONG = "验证码不正确或已过期，请核对邮件或重新获取"
NOBODY = 0  # a primary key that no row has


def reset_code_request(*, username: str) -> None:
    """Have a code sent to the account's mail address, if there is such an account.

    The look-up, the code and the mail are made by the outbox, so that the answer takes the same time for any name.

    Raises:
        ResetTooSoon, ResetTooOften: this name, whether it exists or not, was asked for in the last 60 seconds, or 5 times in the last hour.
    """
    name = hashlib.sha256(username.casefold().encode()).hexdigest()[:40]
    if hit(name=f"reset-wait:{name}", limit=1, window_seconds=RESEND_SECONDS) > 1:
        raise ResetTooSoon(body={"RetryAfter": RESEND_SECONDS})
    if hit(name=f"reset-code:{name}", limit=CODES_PER_HOUR, window_seconds=3600) > CODES_PER_HOUR:
        raise ResetTooOften(body={"RetryAfter": 3600})
    outbox_publish(topic=RESET_TOPIC, key=name, payload={"UserName": username})


def reset_code_handler(_key: str, payload: dict[str, str]) -> None:
    """The outbox's handler of RESET_TOPIC: make a code and mail it. The codes before it end, so that a second delivery does no harm."""
    account = _reachable(payload["UserName"])
    if account is None or not account.email:
        return
    code = f"{secrets.randbelow(1_000_000):06d}"
    now = timezone.now()
    with transaction.atomic():
        # Whoever knows a name can ask for a code: that ends no invitation.
        ResetCode.objects.filter(account_id=account.pk, kind=ResetCodeKind.ASKED, used_at__isnull=True).update(used_at=now)
        ResetCode.objects.create(account_id=account.pk, code_hash=code_keyed(account.pk, code), expires_at=now + CODE_LIFETIME)
    minutes = int(CODE_LIFETIME.total_seconds() // 60)
    account_mail(account=account, subject="重置密码验证码", template="reset_code", code=code, minutes=minutes)


def reset_code_check(*, username: str, code: str) -> None:
    """Tell whether the code is right before a new password is thought up; the code stays good.

    Raises:
        ValidationFailed: as password_reset.
    """
    _proved(username, code)


def password_reset(*, username: str, code: str, new_password: str) -> None:
    """Set a new password by the code and end all sign-ins.

    Raises:
        ValidationFailed: one message for an unknown name and for a wrong, used, expired or over-tried code; or a weak password,
            which leaves the code good.
    """
    account, row = _proved(username, code)
    with transaction.atomic(), platform_scope(reason="password reset"):
        # The conditional UPDATE is what makes it one-time: of two resets at once one finds it unused.
        if not ResetCode.objects.filter(pk=row.pk, used_at__isnull=True).update(used_at=timezone.now()):
            raise ValidationFailed({"Code": [CODE_WRONG]})
        password_set(account=account, password=new_password, keep=None)
    failures_forget(username=username)


def _proved(username: str, code: str) -> tuple[Account, ResetCode]:
    """Return the account and the live code that this is. A wrong code costs a try, which is counted before it is compared."""
    account = _reachable(username)
    owner = account.pk if account else NOBODY
    kind = ResetCodeKind.ASKED if len(code) == 6 else ResetCodeKind.INVITED
    live = ResetCode.objects.filter(account_id=owner, kind=kind, used_at__isnull=True, expires_at__gt=timezone.now())
    row = live.order_by("-id").first()
    tried = ResetCode.objects.filter(pk=row.pk if row else NOBODY)
    guessable = tried.filter(attempts__lt=CODE_TRIES) if kind == ResetCodeKind.ASKED else tried.filter(attempts__lt=MOST_TRIES)
    counted = guessable.update(attempts=models.F("attempts") + 1)
    is_right = hmac.compare_digest(row.code_hash if row else "", code_keyed(owner, code))
    if account is None or row is None or not counted or not is_right:
        raise ValidationFailed({"Code": [CODE_WRONG]})
    tried.update(attempts=models.F("attempts") - 1)
    return account, row


def _reachable(username: str) -> Account | None:
    """Return the customer's account with this name while it may sign in."""
    account = account_by_username(username)
    return account if account and account.is_active and account.group and account.group.is_active else None


def code_keyed(owner: int, code: str) -> str:
    """Return the hash that a code of this account is kept as."""
    return hmac.new(settings.SECRET_KEY.encode(), f"reset:{owner}:{code}".encode(), hashlib.sha256).hexdigest()
