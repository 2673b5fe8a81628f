"""Change one's own mobile or mail address. A code proves the new value. The password, or a code
to the present mail address, proves the owner.

A thief with only an access token has neither.
"""

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
from apps.identity.errors import ContactTooOften, NoOldAddress, NoWayToReach, ResetTooSoon
from apps.identity.models import ContactCode, ContactKind
from apps.identity.selectors.sign_in import account_by_pk
from apps.identity.services.contact_changed import LABELS, contact_changed, contacts_of
from apps.identity.services.mail import account_mail
from apps.identity.services.password import password_prove
from apps.identity.services.password_reset import (
    CODE_LIFETIME,
    CODE_TRIES,
    CODE_WRONG,
    CODES_PER_HOUR,
    RESEND_SECONDS,
)
from apps.org.models import Account
from apps.org.validators import MOBILE

CODE_TOPIC = "identity.contact_code"
PROOF_MISSING = "请输入登录密码，或发送到原邮箱的验证码，以证明是您本人操作"


@dataclass(frozen=True, slots=True)
class Delivery:
    """The channel of a code and the address on this channel."""

    channel: str
    to: str


def delivery_of(*, account: Account, kind: str, value: str) -> Delivery:
    """Return how the code for this new contact is sent. Add a gateway for text messages here.
    Without one, the code for a mobile number goes to the account's mail address. This proves
    the owner, but not the number.

    Raises:
        NoWayToReach: the contact is a number, and the account has no mail address.
    """
    if kind == ContactKind.EMAIL:
        return Delivery("email", value)
    if not account.email:
        raise NoWayToReach
    return Delivery("email", account.email)


def contact_code_request(
    *, actor: Account, kind: str, value: str, is_proof: bool = False
) -> Delivery:
    """Send the code that the actor needs to change a mobile or mail address to `value`. Return
    its recipient.

    `is_proof`: the code goes to the present mail address and replaces the password.

    Raises:
        ValidationFailed: the value equals the present one, or is not a mobile number.
        NoWayToReach, NoOldAddress: as delivery_of; the code is a proof, and the account has no mail
            address.
        ResetTooSoon, ContactTooOften: the actor requested a code of this kind in the last 60
            seconds, or 5 times in the last hour.
    """
    _refuse_wrong(actor, kind, value)
    delivery = (
        _proof_delivery(actor) if is_proof else delivery_of(account=actor, kind=kind, value=value)
    )
    limit = "contact-proof" if is_proof else "contact-code"
    wait = f"contact-wait:{'proof:' if is_proof else ''}{kind}:{actor.pk}"
    if hit(name=wait, limit=1, window_seconds=RESEND_SECONDS) > 1:
        raise ResetTooSoon(body={"RetryAfter": RESEND_SECONDS})
    if hit(name=f"{limit}:{actor.pk}", limit=CODES_PER_HOUR, window_seconds=3600) > CODES_PER_HOUR:
        raise ContactTooOften(body={"RetryAfter": 3600})
    asked = {"AccountId": actor.pk, "Kind": kind, "Value": value, "Proof": is_proof}
    outbox_publish(topic=CODE_TOPIC, key=str(actor.pk), payload=asked)
    return delivery


def contact_code_handler(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CODE_TOPIC: create a code and send it. Earlier codes with the same
    purpose end.
    """
    account = account_by_pk(int(str(payload["AccountId"])))
    kind, value, is_proof = str(payload["Kind"]), str(payload["Value"]), bool(payload.get("Proof"))
    if account is None or not account.is_active:
        return
    delivery = (
        _proof_delivery(account)
        if is_proof
        else delivery_of(account=account, kind=kind, value=value)
    )
    code, now = f"{secrets.randbelow(1_000_000):06d}", timezone.now()
    with transaction.atomic():
        ContactCode.objects.filter(
            account_id=account.pk, is_proof=is_proof, used_at__isnull=True
        ).update(used_at=now)
        hashed = _keyed(account.pk, kind, value, code, is_proof=is_proof)
        ContactCode.objects.create(
            account_id=account.pk,
            kind=kind,
            is_proof=is_proof,
            code_hash=hashed,
            expires_at=now + CODE_LIFETIME,
        )
    known: dict[str, Any] = {
        "code": code,
        "minutes": int(CODE_LIFETIME.total_seconds() // 60),
        "label": LABELS[kind],
        "value": value,
    }
    subject = f"更换{LABELS[kind]}{'身份' if is_proof else ''}验证码"
    account_mail(account=account, subject=subject, template="contact_code", to=delivery.to, **known)


def contact_change(
    *, actor: Account, kind: str, value: str, code: str, password: str = "", proof_code: str = ""
) -> Account:
    """Set the mobile or mail address for which the code was requested. Return the changed
    account. The former mail address gets a letter.

    The password or `proof_code` proves the owner. A code that was itself sent to the present mail
    address is also a proof. This applies to mobile numbers as long as there is no gateway for text
    messages.

    Raises:
        ValidationFailed: as contact_code_request; or the proof is missing or wrong; or the code is
            wrong, used, expired, tried too often or for another value.
        NoWayToReach: as delivery_of.
    """
    _refuse_wrong(actor, kind, value)
    codes: list[ContactCode] = []
    if password:
        password_prove(actor=actor, password=password, field="Password", label="登录密码")
    elif proof_code:
        codes.append(_proved(actor, kind, value, proof_code, is_proof=True))
    elif delivery_of(account=actor, kind=kind, value=value).to != actor.email:
        raise ValidationFailed({"Password": [PROOF_MISSING]})
    codes.append(_proved(actor, kind, value, code))
    now = timezone.now()
    with transaction.atomic():
        account: Account = Account.objects.select_for_update().get(pk=actor.pk)
        for row in codes:
            # The conditional UPDATE makes the code one-time. It fails if a concurrent undo or
            # change
            # has ended the code.
            live = ContactCode.objects.filter(pk=row.pk, used_at__isnull=True, expires_at__gt=now)
            if not live.update(used_at=now):
                raise ValidationFailed({_field(row): [CODE_WRONG]})
        before = contacts_of(account)
        setattr(account, kind, value)
        account.save(update_fields=[kind, "updated_at"])
        contact_changed(account=account, before=before)
    return account


def _proof_delivery(account: Account) -> Delivery:
    if not account.email:
        raise NoOldAddress
    return Delivery("email", account.email)


def _field(row: ContactCode) -> str:
    return "ProofCode" if row.is_proof else "Code"


def _refuse_wrong(actor: Account, kind: str, value: str) -> None:
    if kind == ContactKind.MOBILE and not MOBILE.fullmatch(value):
        raise ValidationFailed({"Value": ["请输入 11 位手机号码"]})
    if value.casefold() == str(getattr(actor, kind)).casefold():
        raise ValidationFailed({"Value": [f"与当前{LABELS[kind]}相同，无需更换"]})


def _proved(
    actor: Account, kind: str, value: str, code: str, *, is_proof: bool = False
) -> ContactCode:
    """Return the active code that matches. The try is counted before the comparison, so that a
    wrong code costs one.
    """
    live = ContactCode.objects.filter(
        account_id=actor.pk,
        kind=kind,
        is_proof=is_proof,
        used_at__isnull=True,
        expires_at__gt=timezone.now(),
    )
    row = live.order_by("-pk").first()
    if row is not None:
        tried = ContactCode.objects.filter(pk=row.pk, attempts__lt=CODE_TRIES)
        counted = tried.update(attempts=models.F("attempts") + 1)
        if counted and hmac.compare_digest(
            row.code_hash, _keyed(actor.pk, kind, value, code, is_proof=is_proof)
        ):
            return row
    raise ValidationFailed({"ProofCode" if is_proof else "Code": [CODE_WRONG]})


def _keyed(owner: int, kind: str, value: str, code: str, *, is_proof: bool) -> str:
    purpose = "contact-proof" if is_proof else "contact"
    return hmac.new(
        settings.SECRET_KEY.encode(),
        f"{purpose}:{owner}:{kind}:{value}:{code}".encode(),
        hashlib.sha256,
    ).hexdigest()
