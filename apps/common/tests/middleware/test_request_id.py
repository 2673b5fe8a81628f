"""The request id and the access log."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
import structlog
from django.test import Client

from apps.common.logging import configure
from apps.common.middleware.request_id import mask_query


@pytest.fixture
def lines(settings: Any) -> Any:
    """A function that returns the log lines of the test so far, as JSON objects."""
    configure({"level": "INFO", "json": True})
    stream = io.StringIO()
    handler: Any = logging.root.handlers[0]
    handler.setStream(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    configure(settings.LOGGING)


def test_valid_request_id_is_returned(client: Client) -> None:
    assert (
        client.get("/healthz", headers={"X-Request-Id": "abc-12345"})["X-Request-Id"] == "abc-12345"
    )


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "has blank 1", "a;b=12345678"])
def test_invalid_request_id_is_replaced(client: Client, given: str) -> None:
    answered = client.get("/healthz", headers={"X-Request-Id": given})["X-Request-Id"]
    assert answered != given
    assert len(answered) == 32


def test_every_request_writes_one_log_line_with_its_id(client: Client, lines: Any) -> None:
    client.get("/api/Nothing?PageIndex=2", headers={"X-Request-Id": "abc-12345"})
    (line,) = [line for line in lines() if line["logger"] == "mall.access"]
    assert (line["request_id"], line["method"], line["path"], line["status"]) == (
        "abc-12345",
        "GET",
        "/api/Nothing",
        404,
    )
    assert (line["query"], line["ip"], line["account"]) == ("PageIndex=2", "127.0.0.1", None)


def test_log_lines_after_the_request_have_no_request_id(
    client: Client, lines: Any, db: None
) -> None:
    client.get("/metrics", headers={"X-Request-Id": "abc-12345"})
    structlog.get_logger("x").info("after")
    assert "request_id" not in lines()[-1]


def test_health_checks_leave_no_line(client: Client, lines: Any) -> None:
    client.get("/healthz")
    assert lines() == []


@pytest.mark.parametrize(
    "secret", ["token", "sessionKey", "sig", "ticket", "code", "Keyword", "mobile"]
)
def test_secret_query_values_are_masked_in_the_log(secret: str) -> None:
    assert mask_query(f"{secret}=canary&PageSize=20") == f"{secret}=***&PageSize=20"


def test_bearer_token_is_not_logged(client: Client, lines: Any) -> None:
    client.get("/api/Nothing", headers={"Authorization": "Bearer canary-canary"})
    assert "canary" not in json.dumps(lines())


def test_a_secret_given_to_the_logger_is_masked(lines: Any) -> None:
    structlog.get_logger("x").warning("x", RefreshToken="canary", password="canary")
    (line,) = lines()
    assert (line["RefreshToken"], line["password"]) == ("***", "***")


def test_lines_of_libraries_are_json_too(lines: Any) -> None:
    logging.getLogger("some.library").warning("hello %s", "world")
    (line,) = lines()
    assert (line["event"], line["level"], line["logger"]) == (
        "hello world",
        "warning",
        "some.library",
    )
