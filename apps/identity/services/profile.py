"""Changes that a person may make to the own profile."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.common.errors import ValidationFailed
from apps.common.models import StoredFile
from apps.identity.errors import AvatarUnavailable
from apps.org.models import Account
from apps.org.services.account import account_fields_check

# A contact can be used to reset the password, so a new one needs a proof (contacts.py).
BY_CODE = (
    ("mobile", "Mobile", "更换手机号码需要验证码，请在“更换手机号码”中办理"),
    ("email", "Email", "更换邮箱需要验证码，请在“更换邮箱”中办理"),
)


@transaction.atomic
def profile_update(*, actor: Account, changes: dict[str, Any]) -> Account:
    """Change nickname, name, job or avatar (a file of the actor, or None to remove it). Return
    the changed account.

    Raises:
        ValidationFailed: a name has an invisible character, the avatar is not a picture that the
            actor uploaded, or the change affects mobile or email, which need a code
            (contact_change).
    """
    account: Account = Account.objects.select_for_update().get(pk=actor.pk)
    _refuse_contacts(account, changes)
    fields: list[str] = [name for name in ("nickname", "full_name", "job_title") if name in changes]
    for name in fields:
        setattr(account, name, changes[name])
    account_fields_check(account, fields)
    if "avatar" in changes:
        account.avatar = _picture(actor, changes["avatar"]) if changes["avatar"] else None
        fields.append("avatar")
    account.save(update_fields=[*fields, "updated_at"])
    return account


def _refuse_contacts(account: Account, changes: dict[str, Any]) -> None:
    wrong = {
        wire: [text]
        for name, wire, text in BY_CODE
        if name in changes and changes[name] != getattr(account, name)
    }
    if wrong:
        raise ValidationFailed(wrong)


def _picture(actor: Account, public_id: object) -> StoredFile:
    file: StoredFile | None = StoredFile.objects.filter(
        public_id=public_id, owner=actor, content_type__startswith="image/"
    ).first()
    if file is None:
        raise AvatarUnavailable
    return file
