"""G14: an unreachable or full database in front of the views gives 503 with Retry-After, never
a bare 500.
"""

from __future__ import annotations

import json

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import RequestFactory

from mall.errors import server_error


def fail_request(path: str, error: Exception) -> HttpResponse:
    """Return Django's answer to the error."""
    try:
        raise error
    except type(error):
        return server_error(RequestFactory().get(path))


@pytest.mark.parametrize("path", ["/api/Order", "/admin/"])
def test_exhausted_database_connections_answer_503_with_retry_after(path: str) -> None:
    answer = fail_request(path, OperationalError("too many clients"))

    assert (answer.status_code, answer["Retry-After"]) == (503, "3")


def test_any_other_failure_is_a_500_in_the_envelope() -> None:
    answer = fail_request("/api/Order", ValueError("a fault"))

    assert (answer.status_code, json.loads(answer.content)["MsgHeader"]["RetCode"]) == (
        500,
        "server_error",
    )
