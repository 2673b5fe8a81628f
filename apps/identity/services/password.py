"""Change one's password, or set a new one by a code sent by mail (api.md, Account)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import models, transaction
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.limits import forget, hit, peek
from apps.common.outbox import outbox_publish
from apps.common.tenancy import platform_scope
from apps.identity.models import ResetCode
from apps.identity.selectors.sign_in import account_by_username
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.org.models import Account

RESET_TOPIC = "identity.reset_code"
CODE_LIFETIME = timedelta(minutes=10)
CODE_TRIES = 5
CODES_PER_HOUR = 5
WRONG_TRIES, WRONG_WINDOW = 5, 15 * 60
CODE_WRONG = "验证码不正确或已过期，请重新获取"


def password_change(*, actor: Account, old_password: str, new_password: str, family: uuid.UUID | None) -> None:
    """Set the actor's new password and end all his other sign-ins; `family` is the one he is using.

    Raises:
        ValidationFailed: the old password is wrong, or the new one too weak.
    """
    counter = f"password:{actor.pk}"
    if peek(name=counter) >= WRONG_TRIES:
        raise ValidationFailed({"OldPassword": ["原密码错误次数过多，请 15 分钟后再试"]})
    if not actor.check_password(old_password):
        hit(name=counter, limit=WRONG_TRIES, window_seconds=WRONG_WINDOW)
        raise ValidationFailed({"OldPassword": ["原密码不正确，请重新输入"]})
    if old_password == new_password:
        raise ValidationFailed({"NewPassword": ["新密码不能与原密码相同"]})
    forget(name=counter)
    _set(actor, new_password, keep=family)


def reset_code_request(*, username: str) -> None:
    """Have a code sent to the account's mail address, if there is such an account; nothing tells the caller whether there is.

    The look-up, the code and the mail are made by the outbox, so that the answer takes the same time for any name.
    """
    counter = hashlib.sha256(username.casefold().encode()).hexdigest()[:40]
    if hit(name=f"reset-code:{counter}", limit=CODES_PER_HOUR, window_seconds=3600) <= CODES_PER_HOUR:
        outbox_publish(topic=RESET_TOPIC, key=counter, payload={"UserName": username})


def reset_code_send(*, username: str) -> None:
    """Make a code and mail it; called by the outbox. The codes before it end."""
    account = account_by_username(username)
    if account is None or not account.is_active or account.group is None or not account.email:
        return
    code = f"{secrets.randbelow(1_000_000):06d}"
    now = timezone.now()
    with transaction.atomic():
        ResetCode.objects.filter(account_id=account.pk, used_at__isnull=True).update(used_at=now)
        ResetCode.objects.create(account_id=account.pk, code_hash=_keyed(account, code), expires_at=now + CODE_LIFETIME)
    send_mail(
        f"{settings.MALL_NAME}：重置密码验证码",
        f"{account.nickname}，您好：\n\n您正在重置账号 {account.username} 的密码，验证码为 {code}，10 分钟内有效。\n"
        "如非本人操作，请忽略本邮件。",
        None,
        [account.email],
    )


def password_reset(*, username: str, code: str, new_password: str) -> None:
    """Set a new password by the code and end all sign-ins.

    Raises:
        ValidationFailed: one message for an unknown name and for a wrong, used, expired or over-tried code; or a weak password.
    """
    account = account_by_username(username)
    row = _usable_code(account) if account else None
    if account is None or row is None or not hmac.compare_digest(row.code_hash, _keyed(account, code)):
        raise ValidationFailed({"Code": [CODE_WRONG]})
    with transaction.atomic(), platform_scope(reason="password reset"):
        _set(account, new_password, keep=None)
        if not ResetCode.objects.filter(pk=row.pk, used_at__isnull=True).update(used_at=timezone.now()):
            raise ValidationFailed({"Code": [CODE_WRONG]})


def _usable_code(account: Account) -> ResetCode | None:
    """Return the account's live code after counting this try; None where there is none or it was tried too often."""
    row = ResetCode.objects.filter(account_id=account.pk, used_at__isnull=True, expires_at__gt=timezone.now()).order_by("-id").first()
    if row is None:
        return None
    counted = ResetCode.objects.filter(pk=row.pk, attempts__lt=CODE_TRIES).update(attempts=models.F("attempts") + 1)
    return row if counted else None


def _keyed(account: Account, code: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"reset:{account.pk}:{code}".encode(), hashlib.sha256).hexdigest()


def _set(account: Account, password: str, *, keep: uuid.UUID | None) -> None:
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise ValidationFailed({"NewPassword": list(error.messages)}) from error
    with transaction.atomic():
        fresh = Account.objects.select_for_update().get(pk=account.pk)
        fresh.set_password(password)
        fresh.save(update_fields=["password", "updated_at"])
        families_revoke(account=account, why=PASSWORD_NEW, but=keep)


def reset_code_handler(_key: str, payload: dict[str, str]) -> None:
    """The outbox's handler of RESET_TOPIC; a second delivery sends a second code, and the first one ends."""
    reset_code_send(username=payload["UserName"])
