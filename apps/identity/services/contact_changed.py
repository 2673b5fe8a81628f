"""Follow-up of a changed mobile or mail address: active codes end, and the former mail address
gets a letter with an undo link.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.identity.models import ContactCode, ContactKind, ContactUndo, FormerPassword, ResetCode
from apps.identity.selectors.sign_in import account_by_pk
from apps.identity.services.mail import account_mail
from apps.org.models import Account

CHANGED_TOPIC, STAFF_CHANGED_TOPIC = "identity.contact_changed", "identity.contact_changed_by_staff"
LABELS = dict(ContactKind.choices)
UNDO_LIFETIME = timedelta(hours=72)
UNDO_PAGE = "/contactUndo"
SALT = "identity.contact_undo"


def contacts_of(account: Account) -> dict[str, str]:
    """Return the mobile number and the mail address of the account, by kind."""
    return {kind: str(getattr(account, kind)) for kind in ContactKind.values}


def contact_changed(
    *, account: Account, before: dict[str, str], by: Account | None = None
) -> list[str]:
    """Notify the former mail address of each changed contact, and return the kinds that
    changed. Call it in the transaction of the change.

    `before` is an earlier result of `contacts_of`. `by` is the administrator or staff member who
    made the change, or None for the owner.
    """
    kinds = [kind for kind, value in contacts_of(account).items() if value != before[kind]]
    if not kinds:
        return []
    codes_end(account=account, with_reset=ContactKind.EMAIL in kinds)
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


def codes_end(*, account: Account, with_reset: bool) -> None:
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


def contact_changed_handler(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CHANGED_TOPIC: notify the former address, also if the owner did not
    make the change.
    """
    _letter(payload, subject="已更换", template="contact_changed")


def staff_changed_contact_handler(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of STAFF_CHANGED_TOPIC."""
    _letter(payload, subject="已由客服更换", template="contact_changed_by_staff")


def _letter(payload: dict[str, object], *, subject: str, template: str) -> None:
    account = account_by_pk(int(str(payload["AccountId"])))
    if account is None or not payload["To"]:
        return
    label = LABELS[str(payload["Kind"])]
    account_mail(
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
