"""An API client for tests. It unpacks the envelope and signs in without a password."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.core.signals import setting_changed
from django.dispatch import receiver
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler

from apps.common.api.renderers import is_api

# Loading the middleware takes longer than many calls, so all clients share one handler.
HANDLER: Any = ClientHandler(enforce_csrf_checks=False)


@receiver(setting_changed)
def reload_middleware(*, setting: str, **_: Any) -> None:
    """Load the middleware again at the next call, because it reads settings when it is loaded.
    Counters read their prefix, which each test changes, at each call.
    """
    if setting != "CACHE_PREFIX":
        HANDLER._middleware_chain = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its envelope unpacked. Without an envelope, `ok` is a status below 400,
    `code` is "" and `body` has the bytes.
    """

    ok: bool
    code: str
    message: str
    body: Any
    status: int
    response: HttpResponse

    @property
    def errors(self) -> dict[str, list[str]]:
        """The messages per field of a validation error."""
        messages: dict[str, list[str]] = self.body["Errors"]
        return messages


class ApiClient:
    """`ApiClient(account)` calls as that account, `ApiClient()` is anonymous. The root conftest
    sets `mint`, which creates a bearer token.
    """

    mint: ClassVar[Callable[[Any], str] | None] = None

    def __init__(self, account: Any = None, *, bearer: str = "", **defaults: Any) -> None:
        self.client = Client(raise_request_exception=False, **defaults)
        self.client.handler = HANDLER
        self.bearer = bearer
        if account is not None:
            self.login_as(account)

    def login_as(self, account: Any) -> ApiClient:
        """Call as this account from now on. Return the client."""
        mint = type(self).mint
        assert mint is not None, "the root conftest sets ApiClient.mint"
        self.bearer = mint(account)
        return self

    def get(self, path: str, query: dict[str, Any] | None = None, **headers: str) -> Answer:
        return self._parse_answer(
            self.client.get(path, query or {}, headers=self._add_authorization(headers))
        )

    def post(
        self, path: str, body: Any = None, *, key: str | None = None, **headers: str
    ) -> Answer:
        """Send JSON; `key` is the Idempotency-Key."""
        return self._send_json(
            "post", path, body, headers if key is None else {**headers, "Idempotency-Key": key}
        )

    def patch(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self._send_json("patch", path, body, headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self._send_json("put", path, body, headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self._send_json("delete", path, body, headers)

    def upload(self, path: str, fields: dict[str, Any], **headers: str) -> Answer:
        """Send a multipart form. File-like values become files."""
        return self._parse_answer(
            self.client.post(path, fields, headers=self._add_authorization(headers))
        )

    def _send_json(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        data = (
            body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        )
        call = getattr(self.client, method)
        return self._parse_answer(
            call(
                path,
                data=data,
                content_type="application/json",
                headers=self._add_authorization(headers),
            )
        )

    def _add_authorization(self, headers: dict[str, str]) -> dict[str, str]:
        return {**({"Authorization": f"Bearer {self.bearer}"} if self.bearer else {}), **headers}

    @staticmethod
    def _parse_answer(response: Any) -> Answer:
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        if not (is_json and is_api(response.request["PATH_INFO"])):
            raw = b"".join(response.streaming_content) if response.streaming else response.content
            return Answer(response.status_code < 400, "", "", raw, response.status_code, response)
        answer = json.loads(response.content)
        header = answer["MsgHeader"]
        return Answer(
            header["Success"],
            header["RetCode"],
            header["RetMessage"],
            answer["MsgBody"],
            response.status_code,
            response,
        )


def make_key() -> str:
    """Return a new Idempotency-Key."""
    return uuid.uuid4().hex
