"""Change one's mobile number or mail address: a code is sent, the code proves it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.limits.counters import hit
from apps.identity.errors import ContactTooOften, NoWayToReach, ResetTooSoon
from apps.identity.models import ContactCode, ContactKind, ResetCode
from apps.identity.selectors.sign_in import account_by_pk
from apps.identity.services.mail import account_mail
from apps.identity.services.password_reset import CODE_LIFETIME, CODE_TRIES, CODE_WRONG, CODES_PER_HOUR, RESEND_SECONDS
from apps.org.contact import MOBILE
from apps.org.models import Account

CODE_TOPIC, CHANGED_TOPIC = "identity.contact_code", "identity.contact_changed"
LABELS = dict(ContactKind.choices)


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a code goes out: the channel, and the address on it."""

    channel: str
    to: str


def delivery_of(*, account: Account, kind: str, value: str) -> Delivery:
    """Return how the code for this new contact goes out. A gateway for text messages comes in here; without one the code for a number
    goes to the person's mail address, which proves who asks but not the number.

    Raises:
        NoWayToReach: a number, and the account has no mail address.
    """
    if kind == ContactKind.EMAIL:
        return Delivery("email", value)
    if not account.email:
        raise NoWayToReach
    return Delivery("email", account.email)


def contact_code_request(*, actor: Account, kind: str, value: str) -> Delivery:
    """Have a code sent that will let the actor change his number or address to `value`; return where it goes.

    Raises:
        ValidationFailed: it is the present one, or no mobile number.
        NoWayToReach: as delivery_of.
        ResetTooSoon, ContactTooOften: the actor asked for one of this kind in the last 60 seconds, or 5 times in the last hour.
    """
    _refuse_wrong(actor, kind, value)
    delivery = delivery_of(account=actor, kind=kind, value=value)
    if hit(name=f"contact-wait:{kind}:{actor.pk}", limit=1, window_seconds=RESEND_SECONDS) > 1:
        raise ResetTooSoon(body={"RetryAfter": RESEND_SECONDS})
    if hit(name=f"contact-code:{actor.pk}", limit=CODES_PER_HOUR, window_seconds=3600) > CODES_PER_HOUR:
        raise ContactTooOften(body={"RetryAfter": 3600})
    outbox_publish(topic=CODE_TOPIC, key=str(actor.pk), payload={"AccountId": actor.pk, "Kind": kind, "Value": value})
    return delivery


def contact_code_handler(_key: str, payload: dict[str, object]) -> None:
    """The outbox's handler of CODE_TOPIC: make a code and send it; the codes before it end."""
    account = account_by_pk(int(str(payload["AccountId"])))
    kind, value = str(payload["Kind"]), str(payload["Value"])
    if account is None or not account.is_active:
        return
    delivery = delivery_of(account=account, kind=kind, value=value)
    code, now = f"{secrets.randbelow(1_000_000):06d}", timezone.now()
    with transaction.atomic():
        ContactCode.objects.filter(account_id=account.pk, used_at__isnull=True).update(used_at=now)
        hashed = _keyed(account.pk, kind, value, code)
        ContactCode.objects.create(account_id=account.pk, kind=kind, code_hash=hashed, expires_at=now + CODE_LIFETIME)
    known: dict[str, Any] = {"code": code, "minutes": int(CODE_LIFETIME.total_seconds() // 60), "label": LABELS[kind], "value": value}
    account_mail(account=account, subject=f"更换{LABELS[kind]}验证码", template="contact_code", to=delivery.to, **known)


def contact_change(*, actor: Account, kind: str, value: str, code: str) -> Account:
    """Set the number or address that the code was asked for; return the account as it is now. The mail address before is told.

    Raises:
        ValidationFailed: as contact_code_request, or the code is wrong, used, expired, over-tried or for another value.
    """
    _refuse_wrong(actor, kind, value)
    row = _proved(actor, kind, value, code)
    now = timezone.now()
    with transaction.atomic():
        account: Account = Account.objects.select_for_update().get(pk=actor.pk)
        # The conditional UPDATE is what makes it one-time.
        if not ContactCode.objects.filter(pk=row.pk, used_at__isnull=True).update(used_at=now):
            raise ValidationFailed({"Code": [CODE_WRONG]})
        told = account.email
        setattr(account, kind, value)
        account.save(update_fields=[kind, "updated_at"])
        if kind == ContactKind.EMAIL:
            # A code on its way to the old address could still set a password.
            ResetCode.objects.filter(account_id=account.pk, used_at__isnull=True, expires_at__gt=now).update(expires_at=now)
        letter = {"AccountId": account.pk, "Kind": kind, "To": told, "At": now.isoformat()}
        outbox_publish(topic=CHANGED_TOPIC, key=str(account.pk), payload=letter)
    return account


def contact_changed_handler(_key: str, payload: dict[str, object]) -> None:
    """The outbox's handler of CHANGED_TOPIC: the address that was known before hears of it, even if it was not the owner."""
    account = account_by_pk(int(str(payload["AccountId"])))
    if account is not None and payload["To"]:
        label, to, at = LABELS[str(payload["Kind"])], str(payload["To"]), str(payload["At"])
        account_mail(account=account, subject=f"{label}已更换", template="contact_changed", to=to, at=at, label=label)


def _refuse_wrong(actor: Account, kind: str, value: str) -> None:
    if kind == ContactKind.MOBILE and not MOBILE.fullmatch(value):
        raise ValidationFailed({"Value": ["请输入 11 位手机号码"]})
    if value.casefold() == str(getattr(actor, kind)).casefold():
        raise ValidationFailed({"Value": [f"与当前{LABELS[kind]}相同，无需更换"]})


def _proved(actor: Account, kind: str, value: str, code: str) -> ContactCode:
    """Return the live code that this is. A wrong one costs a try, which is counted before it is compared."""
    live = ContactCode.objects.filter(account_id=actor.pk, kind=kind, used_at__isnull=True, expires_at__gt=timezone.now())
    row = live.order_by("-pk").first()
    if row is not None:
        tried = ContactCode.objects.filter(pk=row.pk, attempts__lt=CODE_TRIES)
        if tried.update(attempts=models.F("attempts") + 1) and hmac.compare_digest(row.code_hash, _keyed(actor.pk, kind, value, code)):
            return row
    raise ValidationFailed({"Code": [CODE_WRONG]})


def _keyed(owner: int, kind: str, value: str, code: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"contact:{owner}:{kind}:{value}:{code}".encode(), hashlib.sha256).hexdigest()
