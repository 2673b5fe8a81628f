"""Change and undo an account's mobile or mail address.

A code proves the new value. The password, or a code to the present mail address, proves the owner;
a thief with only an access token has neither. The former mail address gets a letter with a link.
The link undoes the change without a sign-in: its page shows the change first, a click undoes it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.limits.counters import add_hits
from apps.common.tenancy import platform_scope, tenant_scope
from apps.identity.errors import (
    ContactTooOften,
    ContactUnchanged,
    ContactUndone,
    ContactUndoSpent,
    ContactUndoTaken,
    ContactUndoUnknown,
    MobileInvalid,
    NoOldAddress,
    NoWayToReach,
    ResetTooSoon,
    UndoOfDisabledAccount,
)
from apps.identity.models import (
    ContactCode,
    ContactKind,
    ContactUndo,
    FormerPassword,
    ResetCode,
    WeChatWorkAccount,
)
from apps.identity.selectors import find_account
from apps.identity.services.invitation import ways_in_end
from apps.identity.services.mail import send_account_mail
from apps.identity.services.password import (
    CODE_LIFETIME,
    CODE_TRIES,
    CODE_WRONG,
    CODES_PER_HOUR,
    RESEND_SECONDS,
    password_prove,
)
from apps.identity.services.second_factor import Proof, own_factor_prove
from apps.org.enums import ChangeAction
from apps.org.locks import lock_account, lock_group
from apps.org.models import Account
from apps.org.services.account import account_change_record, get_account_values
from apps.org.validators import MOBILE

CHANGED_TOPIC, STAFF_CHANGED_TOPIC = "identity.contact_changed", "identity.contact_changed_by_staff"
LABELS = dict(ContactKind.choices)
UNDO_LIFETIME = timedelta(hours=72)
UNDO_PAGE = "/contactUndo"
SALT = "identity.contact_undo"


CODE_TOPIC = "identity.contact_code"
PROOF_MISSING = "请输入登录密码，或发送到原邮箱的验证码，以证明是您本人操作"
WHY = "撤销更换联系方式"
NOTE = "由原邮箱收到的链接撤销更换"


def get_contacts(account: Account) -> dict[str, str]:
    """Return the mobile number and the mail address of the account, by kind."""
    return {kind: str(getattr(account, kind)) for kind in ContactKind.values}


def contact_change_announce(
    *, account: Account, before: dict[str, str], by: Account | None = None
) -> list[str]:
    """Return the kinds of contact that changed. Each change ends the codes that were sent to the
    former contacts, creates the row that can undo it, and notifies the former mail address. Call it
    in the transaction of the change.

    `before` is an earlier result of `get_contacts`. `by` is the administrator or staff member who
    made the change, or None for the owner.
    """
    kinds = [kind for kind, value in get_contacts(account).items() if value != before[kind]]
    if not kinds:
        return []
    contact_codes_end(account=account, with_reset=ContactKind.EMAIL in kinds)
    now, to = timezone.now(), before[ContactKind.EMAIL]
    topic = STAFF_CHANGED_TOPIC if by is not None and by.is_staff else CHANGED_TOPIC
    has_link = bool(to) and not _is_fresh_address(account=account, address=to)
    for kind in kinds:
        letter = {
            "AccountId": account.pk,
            "Kind": kind,
            "To": to,
            "At": now.isoformat(),
            "By": by.nickname if by else "",
        }
        if to:
            new_value = str(getattr(account, kind))
            row = ContactUndo.objects.create(
                account=account,
                kind=kind,
                old_value=before[kind],
                new_value=new_value,
                expires_at=now + UNDO_LIFETIME,
            )
            if has_link:
                letter["UndoId"] = row.pk
        outbox_publish(topic=topic, key=str(account.pk), payload=letter)
    return kinds


def _is_fresh_address(*, account: Account, address: str) -> bool:
    """Return whether the account got this mail address by a change in the last 72 hours, or was
    created with it and never had a password.

    Such an address gets no undo link, because it may be a thief's. The thief could undo every
    correction. The link of the change that set the address still works and restores the address
    before it. The address of a new account may contain a typing error; nothing proves it until the
    owner sets a password.
    """
    had_password = account.has_usable_password() or (
        FormerPassword.objects.filter(account=account).exists()
    )
    if not had_password:
        return True
    changes = ContactUndo.objects.filter(
        account=account, kind=ContactKind.EMAIL, new_value=address, expires_at__gt=timezone.now()
    )
    return bool(changes.exists())


def contact_codes_end(*, account: Account, with_reset: bool) -> None:
    """End the codes that could change a contact of the account. `with_reset`: also end codes
    that could set its password.
    """
    now = timezone.now()
    ContactCode.objects.filter(
        account_id=account.pk, used_at__isnull=True, expires_at__gt=now
    ).update(expires_at=now)
    if with_reset:
        # A reset code may be on its way to the former address.
        ResetCode.objects.filter(
            account_id=account.pk, used_at__isnull=True, expires_at__gt=now
        ).update(expires_at=now)


def undo_link(pk: object) -> str:
    """Return the full URL of the undo page. The key comes after the #, so that servers, proxies
    and logs do not see it.
    """
    return f"{settings.MALL_URL}{UNDO_PAGE}#key={Signer(salt=SALT).sign(str(pk))}"


def undo_key_read(key: str) -> int | None:
    """Return the id of the row for a link's key. None if the signature is invalid."""
    try:
        return int(Signer(salt=SALT).unsign(key))
    except (BadSignature, ValueError):
        return None


def handle_contact_changed(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CHANGED_TOPIC: notify the former address, also if the owner did not
    make the change.
    """
    _send_letter(payload, subject="已更换", template="contact_changed")


def handle_contact_changed_by_staff(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of STAFF_CHANGED_TOPIC."""
    _send_letter(payload, subject="已由客服更换", template="contact_changed_by_staff")


def _send_letter(payload: dict[str, object], *, subject: str, template: str) -> None:
    """Mail the account about its new contact, with the link that undoes the change if there is
    one.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is None or not payload["To"]:
        return
    label = LABELS[str(payload["Kind"])]
    send_account_mail(
        account=account,
        subject=f"{label}{subject}",
        template=template,
        to=str(payload["To"]),
        at=str(payload["At"]),
        label=label,
        by=str(payload.get("By", "")),
        link=undo_link(payload["UndoId"]) if payload.get("UndoId") else "",
        hours=int(UNDO_LIFETIME.total_seconds() // 3600),
    )


@dataclass(frozen=True, slots=True)
class Delivery:
    """The channel of a code and the address on this channel."""

    channel: str
    to: str


def get_delivery(*, account: Account, kind: str, value: str) -> Delivery:
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
        NoWayToReach, NoOldAddress: as get_delivery; the code is a proof, and the account has no
            mail address.
        ResetTooSoon, ContactTooOften: the actor requested a code of this kind in the last 60
            seconds, or 5 times in the last hour.
    """
    _refuse_value(actor, kind, value)
    delivery = (
        _get_proof_delivery(actor)
        if is_proof
        else get_delivery(account=actor, kind=kind, value=value)
    )
    limit = "contact-proof" if is_proof else "contact-code"
    wait = f"contact-wait:{'proof:' if is_proof else ''}{kind}:{actor.pk}"
    if add_hits(name=wait, limit=1, window_seconds=RESEND_SECONDS) > 1:
        raise ResetTooSoon(body={"RetryAfter": RESEND_SECONDS})
    if (
        add_hits(name=f"{limit}:{actor.pk}", limit=CODES_PER_HOUR, window_seconds=3600)
        > CODES_PER_HOUR
    ):
        raise ContactTooOften(body={"RetryAfter": 3600})
    payload = {"AccountId": actor.pk, "Kind": kind, "Value": value, "Proof": is_proof}
    outbox_publish(topic=CODE_TOPIC, key=str(actor.pk), payload=payload)
    return delivery


def handle_contact_code(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CODE_TOPIC: create a code and send it. Earlier codes with the same
    purpose end.
    """
    account = find_account(int(str(payload["AccountId"])))
    kind, value, is_proof = str(payload["Kind"]), str(payload["Value"]), bool(payload.get("Proof"))
    if account is None or not account.is_active:
        return
    delivery = (
        _get_proof_delivery(account)
        if is_proof
        else get_delivery(account=account, kind=kind, value=value)
    )
    code, now = f"{secrets.randbelow(1_000_000):06d}", timezone.now()
    with transaction.atomic():
        ContactCode.objects.filter(
            account_id=account.pk, is_proof=is_proof, used_at__isnull=True
        ).update(used_at=now)
        code_hash = _hash_code(account.pk, kind, value, code, is_proof=is_proof)
        ContactCode.objects.create(
            account_id=account.pk,
            kind=kind,
            is_proof=is_proof,
            code_hash=code_hash,
            expires_at=now + CODE_LIFETIME,
        )
    mail_values: dict[str, Any] = {
        "code": code,
        "minutes": int(CODE_LIFETIME.total_seconds() // 60),
        "label": LABELS[kind],
        "value": value,
    }
    subject = f"更换{LABELS[kind]}{'身份' if is_proof else ''}验证码"
    send_account_mail(
        account=account, subject=subject, template="contact_code", to=delivery.to, **mail_values
    )


def contact_change(
    *,
    actor: Account,
    kind: str,
    value: str,
    code: str,
    password: str = "",
    proof_code: str = "",
    proof: Proof | None = None,
) -> Account:
    """Set the mobile or mail address for which the code was requested. Return the changed
    account. The former mail address gets a letter.

    The password or `proof_code` proves the owner, with `proof` for an account that has a second
    factor. A code that was itself sent to the present mail
    address is also a proof. This applies to mobile numbers as long as there is no gateway for text
    messages.

    Raises:
        ValidationFailed: as contact_code_request; or the proof is missing or wrong; or the code is
            wrong, used, expired, tried too often or for another value.
        NoWayToReach: as get_delivery.
        OwnFactorMissing, WrongSecondFactor, SecondFactorSlowed: as own_factor_prove.
    """
    _refuse_value(actor, kind, value)
    codes: list[ContactCode] = []
    if password:
        password_prove(actor=actor, password=password, field="Password", label="登录密码")
    elif proof_code:
        codes.append(_prove_code(actor, kind, value, proof_code, is_proof=True))
    elif get_delivery(account=actor, kind=kind, value=value).to != actor.email:
        raise ValidationFailed({"Password": [PROOF_MISSING]})
    codes.append(_prove_code(actor, kind, value, code))
    own_factor_prove(account=actor, proof=proof or Proof())
    now = timezone.now()
    with transaction.atomic():
        account: Account = Account.objects.select_for_update().get(pk=actor.pk)
        for row in codes:
            # The conditional UPDATE makes the code one-time. It fails if a concurrent undo or
            # change has ended the code.
            usable_codes = ContactCode.objects.filter(
                pk=row.pk, used_at__isnull=True, expires_at__gt=now
            )
            if not usable_codes.update(used_at=now):
                raise ValidationFailed({_get_field(row): [CODE_WRONG]})
        contacts_before = get_contacts(account)
        setattr(account, kind, value)
        account.save(update_fields=[kind, "updated_at"])
        contact_change_announce(account=account, before=contacts_before)
    return account


def _get_proof_delivery(account: Account) -> Delivery:
    if not account.email:
        raise NoOldAddress
    return Delivery("email", account.email)


def _get_field(row: ContactCode) -> str:
    return "ProofCode" if row.is_proof else "Code"


def _refuse_value(actor: Account, kind: str, value: str) -> None:
    if kind == ContactKind.MOBILE and not MOBILE.fullmatch(value):
        raise MobileInvalid
    if value.casefold() == str(getattr(actor, kind)).casefold():
        raise ContactUnchanged(LABELS[kind])


def _prove_code(
    actor: Account, kind: str, value: str, code: str, *, is_proof: bool = False
) -> ContactCode:
    """Return the active code that matches. The try is counted before the comparison, so that a
    wrong code costs one.

    Raises:
        ValidationFailed: no active code matches.
    """
    active_codes = ContactCode.objects.filter(
        account_id=actor.pk,
        kind=kind,
        is_proof=is_proof,
        used_at__isnull=True,
        expires_at__gt=timezone.now(),
    )
    row = active_codes.order_by("-pk").first()
    if row is not None:
        guessable = ContactCode.objects.filter(pk=row.pk, attempts__lt=CODE_TRIES)
        is_counted = guessable.update(attempts=models.F("attempts") + 1)
        if is_counted and hmac.compare_digest(
            row.code_hash, _hash_code(actor.pk, kind, value, code, is_proof=is_proof)
        ):
            return row
    raise ValidationFailed({"ProofCode" if is_proof else "Code": [CODE_WRONG]})


def _hash_code(owner: int, kind: str, value: str, code: str, *, is_proof: bool) -> str:
    """Return the keyed hash of a code. It is valid only for this owner, contact and purpose."""
    purpose = "contact-proof" if is_proof else "contact"
    return hmac.new(
        settings.SECRET_KEY.encode(),
        f"{purpose}:{owner}:{kind}:{value}:{code}".encode(),
        hashlib.sha256,
    ).hexdigest()


@dataclass(frozen=True, slots=True)
class DisputedChange:
    """A change of a contact, and the 企业微信 members that were bound to the account after it."""

    row: ContactUndo
    members: list[str]


def get_disputed_change(*, key: str) -> DisputedChange:
    """Return the change that the link undoes, with its account. Changes nothing.

    Raises:
        ContactUndoUnknown, ContactUndoSpent, ContactUndoTaken: as contact_undo.
    """
    row = _get_undo(key)
    with tenant_scope(group_id=_get_group_id(row)):
        _refuse_undo(row)
    return DisputedChange(row, _list_members(_list_later_bindings(row)))


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
    unlocked = _get_undo(key)
    group_id = _get_group_id(unlocked)
    with tenant_scope(group_id=group_id), transaction.atomic():
        lock_group(group_id)
        lock_account(unlocked.account_id)
        row = _get_undo(key)
        _refuse_undo(row)
        account: Account = Account.objects.select_related("enterprise", "department").get(
            pk=row.account_id
        )
        before, now = get_account_values(account), timezone.now()
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
        contact_codes_end(account=account, with_reset=True)
        # Before the sign-ins end: a sign-in with a binding locks the binding until its session is
        # stored (`wechat_work_sign_in`), so the session is ended as well.
        bindings = _list_later_bindings(row)
        members = _list_members(bindings)
        bindings.delete()
        ways_in_end(account=account, why=WHY)
        note = f"{NOTE}；解除此后绑定的企业微信 {'、'.join(members)}" if members else NOTE
        account_change_record(None, account, ChangeAction.UPDATE, before, note=note)
    return DisputedChange(row, members)


def _list_later_bindings(row: ContactUndo) -> QuerySet[WeChatWorkAccount]:
    """Return the bindings of the account that were made after the change."""
    return WeChatWorkAccount.objects.filter(
        account_id=row.account_id, created_at__gte=row.created_at
    )


def _list_members(bindings: QuerySet[WeChatWorkAccount]) -> list[str]:
    return list(bindings.order_by("pk").values_list("user_id", flat=True))


def _get_undo(key: str) -> ContactUndo:
    """Return the change that the key of a mail undoes.

    Raises:
        ContactUndoUnknown: the key is wrong, or its change no longer exists.
    """
    pk = undo_key_read(key)
    with platform_scope(reason="identity: the link that undoes a change"):
        row: ContactUndo | None = (
            ContactUndo.objects.select_related("account").filter(pk=pk).first() if pk else None
        )
    if row is None:
        raise ContactUndoUnknown
    return row


def _get_group_id(row: ContactUndo) -> int:
    if row.account.group_id is None:
        raise ContactUndoUnknown
    return int(row.account.group_id)


def _refuse_undo(row: ContactUndo) -> None:
    """Raise if the change cannot be undone, or not at present. Call it inside the group's
    scope.
    """
    if row.used_at is not None:
        raise ContactUndone(timezone.localtime(row.used_at))
    if row.expires_at <= timezone.now():
        raise ContactUndoSpent
    if not row.account.is_active:
        raise UndoOfDisabledAccount
    is_mail = row.kind == ContactKind.EMAIL and row.old_value
    # Colleagues may share a mobile number, because letters and codes go to the mail address.
    if (
        is_mail
        and Account.objects.filter(email__iexact=row.old_value, is_active=True)
        .exclude(pk=row.account_id)
        .exists()
    ):
        raise ContactUndoTaken
