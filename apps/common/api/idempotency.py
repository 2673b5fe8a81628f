"""`Idempotency-Key`: the key, the effect and the stored answer are written in one transaction.
Only successful answers are stored, for seven days.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar, cast

from django.db import connection, transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.renderers import Ok, WireEncoder
from apps.common.api.views import AuthedRequest
from apps.common.errors import IdempotencyMismatch, ValidationFailed
from apps.common.models import IdempotencyRecord
from apps.common.sql import fetch_prepared

KEY = re.compile(r"[0-9A-Za-z_.:-]{8,80}")
# For API clients. The storefront always sends a valid key.
MISSING = (
    "请求缺少请求头 Idempotency-Key：请为每次提交生成一个新的键（8 至 80 位字母、数字或 -_.:），"
    "没有收到应答时用同一个键、同样的内容重发"
)
ILLEGAL = "请求头 Idempotency-Key 须为 8 至 80 位字母、数字或 -_.:，例如一个 UUID"
# Waits for another transaction with the same key, and returns no row if that one has committed.
# Unlike handling an IntegrityError, this needs no savepoint.
CLAIM = """
INSERT INTO common_idempotencyrecord (account_id, key, endpoint, body_hash, message, created_at)
    VALUES (%s, %s, %s, %s, '', %s)
ON CONFLICT (account_id, key) DO NOTHING RETURNING id
"""
F = TypeVar("F", bound=Callable[..., Response])


RETENTION = timedelta(days=7)


def body_hash(request: Request) -> str:
    """Return the SHA-256 of the canonical JSON body without `Password`.

    The password only proves the caller's identity, and a stored hash of it could be guessed.
    """
    body = request.data
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name != "Password"}
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def idempotent(view: F) -> F:
    """Make a state-changing action return the same answer for the same key. Without the header
    the action runs normally.

    Raises:
        IdempotencyMismatch: the key was used with another body or address.
    """

    @wraps(view)
    def wrapper(self: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key", "")
        if not key:
            return view(self, request, *args, **kwargs)
        if not KEY.fullmatch(key):
            raise ValidationFailed({"Idempotency-Key": [ILLEGAL]})
        return _run_once(self, view, request, key, *args, **kwargs)

    wrapper.is_idempotent = True  # type: ignore[attr-defined]
    return cast("F", wrapper)


def require_key(view: F) -> F:
    """Refuse a call without the header. Apply it above `idempotent` if a repeated call must
    never act twice.

    Raises:
        ValidationFailed: the header is missing.
    """

    @wraps(view)
    def wrapper(self: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        if not request.headers.get("Idempotency-Key"):
            raise ValidationFailed({"Idempotency-Key": [MISSING]})
        return view(self, request, *args, **kwargs)

    wrapper.is_key_required = True  # type: ignore[attr-defined]
    return cast("F", wrapper)


def _run_once(
    self: Any, view: Callable[..., Response], request: Request, key: str, *args: Any, **kwargs: Any
) -> Response:
    """Run the view once per account and key. A later call with the same key gets the stored
    answer.
    """
    account = cast("AuthedRequest", request).user
    endpoint, digest = request.path[:200], body_hash(request)
    with transaction.atomic():
        claimed_rows = fetch_prepared(
            CLAIM,
            [
                account.pk,
                key,
                endpoint,
                digest,
                connection.ops.adapt_datetimefield_value(timezone.now()),
            ],
        )
        if not claimed_rows:
            return _answer_again(
                IdempotencyRecord.objects.get(account=account, key=key), endpoint, digest
            )
        response = view(self, request, *args, **kwargs)
        response_data = json.loads(json.dumps(response.data, cls=WireEncoder))
        IdempotencyRecord.objects.filter(pk=claimed_rows[0][0]).update(
            answer=response_data, message=getattr(response, "ret_message", "")
        )
    return response


def _answer_again(record: IdempotencyRecord, endpoint: str, digest: str) -> Response:
    """Return the stored answer. Refuse a key that was used for another request."""
    if record.endpoint != endpoint or record.body_hash != digest:
        raise IdempotencyMismatch
    return Ok(record.answer, message=record.message)


def idempotency_purge() -> int:
    """Delete records older than 7 days. Return how many were deleted."""
    deleted, _ = IdempotencyRecord.objects.filter(
        created_at__lt=timezone.now() - RETENTION
    ).delete()
    return deleted
