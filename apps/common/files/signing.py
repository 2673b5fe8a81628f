"""URLs of private files: same origin, signed for one file and one account, valid for 5 minutes."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.signing import BadSignature, TimestampSigner

from apps.common.models import StoredFile

if TYPE_CHECKING:
    from apps.org.models import Account

GOOD_FOR_SECONDS = 300
_signer = TimestampSigner(salt="common.files")


@dataclass(frozen=True, slots=True)
class FileGrant:
    """The content of a valid signature."""

    account_id: int
    group_id: int


def file_url(file: StoredFile, *, account: Account) -> str:
    """Return the URL with which `account` can read the file for 5 minutes. The caller has
    checked the account's access.
    """
    signed = _signer.sign(f"{file.public_id.hex}.{account.pk}.{file.group_id}")
    return f"/api/File/{file.public_id}?sig={signed.partition('.')[2]}"


def read_signature(public_id: uuid.UUID, signature: str) -> FileGrant | None:
    """Return the account and group that the signature was created for. Return None if it is
    invalid or older than 5 minutes.
    """
    try:
        value = _signer.unsign(f"{public_id.hex}.{signature}", max_age=GOOD_FOR_SECONDS)
    except BadSignature:
        return None
    _, account_id, group_id = value.split(".")
    return FileGrant(int(account_id), int(group_id))
