"""Set an account's password. This module checks the old password; password_reset.py uses a
mailed code.
"""

from __future__ import annotations

import uuid

from django.contrib.auth.hashers import check_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.limits.counters import forget, hit
from apps.identity.errors import (
    PasswordUnchanged,
    PasswordUsedBefore,
    ProofMissing,
    ProofSlowed,
    ProofWrong,
)
from apps.identity.models import FormerPassword, OldMallTicket, ResetCode, SessionKey
from apps.identity.selectors import find_account
from apps.identity.services.family import PASSWORD_NEW, families_revoke
from apps.identity.services.mail import account_mail
from apps.identity.services.remembered_devices import devices_forget
from apps.identity.services.second_factor import pending_forget
from apps.org.models import Account

CHANGED_TOPIC = "identity.password_changed"
WRONG_TRIES, WRONG_WINDOW = 5, 15 * 60
# The number of passwords that cannot be used again, the present one included.
HISTORY = 5


def password_change(
    *, actor: Account, old_password: str, new_password: str, family: uuid.UUID | None
) -> None:
    """Set the actor's new password and end all other sign-ins. `family` is the current sign-in.

    Raises:
        ValidationFailed: the old password is wrong, or the new one is too weak or one of the latest
            five.
    """
    password_prove(actor=actor, password=old_password, field="OldPassword", label="原密码")
    if old_password == new_password:
        raise PasswordUnchanged
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
    if hit(name=counter, limit=WRONG_TRIES, window_seconds=WRONG_WINDOW) > WRONG_TRIES:
        raise ProofSlowed(field=field, label=label)
    if not actor.check_password(password):
        raise ProofWrong(field=field, label=label)
    forget(name=counter)


@transaction.atomic
def password_set(*, account: Account, password: str, keep: uuid.UUID | None) -> None:
    """Set the password, end every sign-in except `keep` and every key or code that could begin
    one, and notify the owner by mail. A person who knew the old password keeps no remembered
    browser and no secret of a second factor that the owner confirms later.

    Raises:
        ValidationFailed: the password is too weak, or one of the latest five.
    """
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise ValidationFailed({"NewPassword": list(error.messages)}) from error
    fresh = Account.objects.select_for_update().get(pk=account.pk)
    _refuse_former(fresh, password)
    fresh.set_password(password)
    fresh.save(update_fields=["password", "updated_at"])
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
    """Reject one of the latest passwords. Otherwise store the present hash in the history."""
    former = FormerPassword.objects.filter(account=account).order_by("-pk")
    latest = [account.password, *former.values_list("password", flat=True)[: HISTORY - 1]]
    if any(check_password(password, encoded) for encoded in latest):
        raise PasswordUsedBefore(HISTORY)
    if account.has_usable_password():
        FormerPassword.objects.create(account=account, password=account.password)
        FormerPassword.objects.filter(account=account).exclude(
            pk__in=list(former.values_list("pk", flat=True)[: HISTORY - 1])
        ).delete()


def password_changed_handler(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of CHANGED_TOPIC: notify the owner, also if the owner did not make the
    change.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is not None and account.email:
        account_mail(
            account=account,
            subject="登录密码已修改",
            template="password_changed",
            at=str(payload["At"]),
        )
