"""Addresses of private files: on this site, signed for one file and one account, good for 5 minutes."""

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
    """What a good signature says."""

    account_id: int
    group_id: int


def file_url(file: StoredFile, *, account: Account) -> str:
    """Return the address under which `account` can read the file for 5 minutes; the caller has checked that it may."""
    signed = _signer.sign(f"{file.public_id.hex}.{account.pk}.{file.group_id}")
    return f"/api/File/{file.public_id}?sig={signed.partition('.')[2]}"


def read_signature(public_id: uuid.UUID, signature: str) -> FileGrant | None:
    """Return whom the signature lets read this file, or None where it is false or over 5 minutes old."""
    try:
        value = _signer.unsign(f"{public_id.hex}.{signature}", max_age=GOOD_FOR_SECONDS)
    except BadSignature:
        return None
    _, account_id, group_id = value.split(".")
    return FileGrant(int(account_id), int(group_id))
