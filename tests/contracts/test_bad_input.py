"""G9, short form: every operation of the published schema × the corpus of bad input. No answer
is a 5xx, and a refusal names the field in Chinese.

The corpus does not know endpoints. New operations of `docs/openapi.yaml` are included
automatically.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from typing import Any, cast
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django.http import QueryDict
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve
from pytest_django import DjangoDbBlocker
from rest_framework.exceptions import APIException

from apps.catalog.tests.factories import ProductFactory
from apps.common.api.exceptions import exception_handler
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.serializers import BodySerializer, QuerySerializer, get_shared_serializer
from apps.common.errors import DomainError
from apps.common.middleware.bad_input import MAX_QUERY, is_path_bad, is_query_bad
from apps.common.tenancy import platform_scope, tenant_scope
from apps.common.testing import Answer, ApiClient, undone
from apps.common.testing.client import make_key
from apps.identity.services.second_factor import guess_lane
from apps.org.models import Account
from apps.org.tests.people import make_department, make_enterprise, make_group, make_group_admin
from tests.contracts.objects import OBJECTS
from tests.contracts.operations import (
    Operation,
    build_fitting_value,
    iterate_leaves,
    list_money_trails,
    mark_operations,
    plant_value,
    plant_values,
    resolve_schema,
)

CHINESE = re.compile("[\u4e00-\u9fff]")
STATUSES = {200, 403, 404}
# What stands in the address, by the parameter's name: the object the corpus is thrown at must be
# there.
IN_ADDRESS = {
    "Id": "address",
    "ApprovalId": "approval",
    "BudgetId": "budget",
    "DimensionId": "dimension",
    "CancelOrderId": "cancel_order",
    "TransferId": "budget_transfer",
    "ItemId": "cart_item",
    "FileId": "file",
    "OrderNo": "order",
    "InquiryNo": "inquiry",
    "ApplicationNo": "invoice_application",
    "ReturnOrderId": "return",
}
# Kinds of whatever an address calls Id, by the part before it.
BY_PART = (
    ("/Role/", "role"),
    ("/Account/", "account"),
    ("/InvoiceTitle/", "invoice_title"),
    ("/Invoice/", "invoice"),
    ("/Import/", "import_run"),
    ("/Statement/", "statement"),
    ("/ReportSubscription/", "report_subscription"),
    ("/Webhook/", "webhook"),
)
UNREADABLE = b"{"
# The view reads these: its serializer must refuse what is no object.
RAW_BODIES: tuple[bytes, ...] = (b"", b"[]")
# The parser and the guard in front of all views refuse these. All operations share both, so three
# operations show it. These also send each wrong value of a field: in the others the parser and the
# serializer alone refuse it.
GUARDED_OPERATIONS = (
    "/api/Order",
    "/api/Account/{Id}",
    "/api/ShoppingCart/AddToCart",
)
GUARDED_BODIES: tuple[bytes, ...] = (
    b"null",
    b"3",
    b'"text"',
    b"[[[]]]",
    b'{"a":1}}',
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"[" * 3000 + b"]" * 3000,
    b'{"a":' * 500 + b"1" + b"}" * 500,
    b'{"\\ud800": 1}',
    b'{"\\u0000": 1}',
    b'{"a": NaN}',
    b'{"a": 1e999}',
    b'{"a": ' + b"9" * 5000 + b"}",
)
# These send each wrong query, as GUARDED_OPERATIONS each wrong body. The middleware in front of all
# views refuses some.
GUARDED_PATHS = ("/api/Order/{OrderNo}", "/api/Account/{Id}", "/api/Product/{ProductCode}")
GUARDED_QUERIES = ("/api/Order", "/api/Product", "/api/Budget")
MEDIA_TYPES = ("multipart/form-data", "nonsense")
GUARDED_MEDIA_TYPES = (
    "text/plain",
    "application/xml",
    "application/json; charset=utf-7",
    "application/x-www-form-urlencoded",
)
# Short texts that a field of text takes alike. Such a field meets one of them alone.
PLAIN_TEXTS = (
    "'; DROP TABLE org_account; --",
    "１２",
    "1E+5",
    "NaN",
    "1_0",
    "2026-02-30",
    "0001-01-01T00:00:00",
)
# Values that fit no field at all, then such as fit some: those may be taken, but never break
# anything.
HOSTILE: tuple[Any, ...] = (
    {"a": {"b": []}},
    [{"a": []}],
    "\x00",
    "\ud800",
    *PLAIN_TEXTS,
    "\u202e\u200b",
    "x" * 100_000,
    -1,
    2**31,
    10**17,
    2**63,
    1e15,
    True,
    None,
    [],
    [None],
    [1] * 2000,
)
IN_QUERY = (
    "%00",
    "%ff",
    "%zz",
    "%ED%A0%80",
    "",
    "-1",
    "0",
    "1.0",
    "1e5",
    "%EF%BC%91",
    "9" * 30,
    "9" * 18,
    "NaN",
    "2026-02-30",
    "0001-01-01",
    "9999-12-31",
    "null",
    "a:b:c",
    "%27%22%3B--%25%5C",
    "x" * 900,
    "%F0%9F%98%80",
    "*",
    "(",
)
# Values that a serializer may take and a column of PostgreSQL may not: SQLite keeps any length,
# any number and NUL.
COLUMN_LIMITS: tuple[Any, ...] = (
    "\x00",
    "\ud800",
    "\u202e\u200b",
    "x" * 100_000,
    2**31,
    10**17,
    2**63,
    1e15,
    "%00",
    "%ED%A0%80",
    "9" * 30,
    "9" * 18,
    "0001-01-01",
    "9999-12-31",
    "x" * 900,
)
# For a parameter that is a whole number or an id.
NO_WHOLE_NUMBERS = ("１", "1e3", " 1", "1 ", "+1", "1_0", "-1", str(10**30), "1.0", "0x1", "1\n")
ID = "^[0-9]{1,18}$"
PAGE = {"PageIndex", "PageSize"}
# Values of required parameters that their schema does not show.
REQUIRED = {"SubjectType": "department"}
IN_PATH = (
    "%00",
    "%ff",
    "%ED%A0%80",
    "-1",
    "0",
    "9" * 18,
    "9" * 40,
    "1.0",
    "%E4%B8%AD",
    "..",
    "%2e%2e%2f",
    "a" * 300,
    "%25",
    "'",
    "%EF%BC%91",
)


addresses = count(1)
PARSER = BoundedJSONParser()
# The only files that read a body or a query without `BodySerializer.parse` or
# `QuerySerializer.parse`.
OWN_READERS = {
    # what stands in front of many views
    "common/api/idempotency.py",
    "common/api/pagination.py",
    "common/api/serializers.py",
    # a signature, a word to search for, the parameters of attributes
    "common/api/files.py",
    "content/api/views.py",
    "search/api/views.py",
    # the password of the caller, and a form with a file
    "identity/api/account_views.py",
    "selection/api/views.py",
}


class Attacker:
    """Sends requests to one operation and rolls back their effects. Each request has another
    client address, so that no limit answers first.
    """

    def __init__(
        self, operation: Operation, caller: Account, bearer: str, keys: dict[str, str]
    ) -> None:
        self.operation = operation
        self.caller = caller
        self.client = ApiClient(bearer=bearer)
        self.keys = keys

    def path(self, **instead: str) -> str:
        return re.sub(
            r"\{(\w+)\}",
            lambda match: instead.get(match[1], self.keys.get(match[1], "6")),
            self.operation.path,
        )

    def send(
        self, path: str, data: bytes = b"", media: str = "application/json", accept: str = ""
    ) -> Answer:
        number = next(addresses)
        self.client.client.defaults["REMOTE_ADDR"] = (
            f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        )
        headers = {"Authorization": f"Bearer {self.client.bearer}"}
        if accept:
            headers["Accept"] = accept
        if "Idempotency-Key" in self.operation.names("header"):
            headers["Idempotency-Key"] = make_key()
        with undone():
            response = self.client.client.generic(
                self.operation.method.upper(), path, data, content_type=media, headers=headers
            )
            answer: Answer = self.client._parse_answer(response)
        if "SecondFactor" in self.operation.path:
            # Wrong codes count for the account. A counter in Redis is not rolled back.
            guess_lane(self.caller).forget()
        return answer

    def send_json(self, body: Any) -> Answer:
        return self.send(self.path(), json.dumps(body).encode())

    def try_json(self, body: Any, readers: set[Any]) -> Answer:
        """Return the answer to the body. What the parser or the only reader refuses is not sent:
        no operation does anything before (`OWN_READERS`), and a call takes ten times as long.
        """
        refusal = None
        if len(readers) == 1 and self.operation.path not in GUARDED_OPERATIONS:
            raw = json.dumps(body).encode()
            refusal = find_refusal(lambda: PARSER.parse(BytesIO(raw)), *readers)
        return refusal or self.send_json(body)

    def try_query(self, query: str, readers: set[Any]) -> Answer:
        """Return the answer to the query. What the only reader refuses is not sent, as in
        `try_json`.
        """
        refusal = None
        if len(readers) == 1 and self.operation.path not in GUARDED_QUERIES:
            refusal = find_refusal(lambda: QueryDict(query), *readers)
        return refusal or self.send(f"{self.path()}?{query}")


def find_refusal(read: Callable[[], Any], reader: Any) -> Answer | None:
    """Return the answer that refuses a body or a query, or None if the serializer takes what
    `read` returns.
    """
    try:
        reader.run_validation(read())
    except (APIException, DomainError) as error:
        response: Any = exception_handler(error, {})
        code, message = response.refusal
        return Answer(False, code, message, response.data, response.status_code, response)
    return None


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> set[Any]:
    """The serializers that have read a body or a query during the test."""
    used: set[Any] = set()
    for kind in (BodySerializer, QuerySerializer):
        monkeypatch.setattr(kind, "parse", build_noting_parse(kind, used))
    return used


def build_noting_parse(kind: Any, used: set[Any]) -> Any:
    """Return `parse` of the class, which also adds the serializer to `used`."""
    parse = vars(kind)["parse"].__func__

    def parse_noted(cls: Any, request: Any, **options: bool) -> dict[str, Any]:
        used.add(get_shared_serializer(cls, **options))
        return cast("dict[str, Any]", parse(cls, request, **options))

    return classmethod(parse_noted)


def test_views_read_a_body_and_a_query_through_their_serializer() -> None:
    reading = re.compile(r"request\.(data|query_params|GET|body)\b")
    files = (settings.BASE_DIR / "apps").glob("*/api/**/*.py")
    found = {file for file in files if reading.search(file.read_text("utf-8"))}

    assert {str(file.relative_to(settings.BASE_DIR / "apps")) for file in found} == OWN_READERS


@dataclass(frozen=True, slots=True)
class Admin:
    """The administrator as he was created, and his bearer."""

    account: Account
    bearer: str


@pytest.fixture(scope="module")
def admin(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Generator[Admin]:
    """Create and sign in the administrator once for all tests of this module. A test rolls back
    its own changes; the administrator is rolled back at the end.
    """
    with django_db_blocker.unblock(), undone():
        with platform_scope(reason="test: an administrator"):
            admin = make_group_admin(make_department(make_enterprise(make_group())))
            bearer = ApiClient(admin).bearer
        yield Admin(admin, bearer)


@pytest.fixture
def ga(admin: Admin, db: None) -> Generator[Account]:
    """The administrator. The tenant scope of the group is open during the test."""
    with tenant_scope(group_id=admin.account.group_id):
        yield copy.deepcopy(admin.account)


@pytest.fixture
def attacker(operation: Operation, admin: Admin, ga: Account) -> Attacker:
    # Those that look for their object before they read what came with it.
    of_id = next((kind for part, kind in BY_PART if part in operation.path), None)
    kinds = {**IN_ADDRESS, **({"Id": of_id} if of_id else {})}
    keys = {name: OBJECTS[kinds[name]](ga) for name in operation.names("path") if name in kinds}
    if "ProductCode" in operation.names("path"):
        keys["ProductCode"] = ProductFactory().code
    return Attacker(operation, ga, admin.bearer, keys)


def list_faults(answer: Answer, what: object) -> list[str]:
    """Return the faults of an answer: a wrong status, a message that is not Chinese, an error
    without its field.
    """
    shown = repr(what)[:120]
    if answer.status not in STATUSES:
        return [f"{answer.status} {answer.message} for {shown}"]
    if answer.ok or not answer.code:
        return []
    texts = (
        [answer.message, *(text for field in answer.errors.values() for text in field)]
        if answer.code == "validation"
        else [answer.message]
    )
    unnamed = (
        [f"no field named for {shown}"]
        if answer.code == "validation" and not all(answer.errors)
        else []
    )
    return unnamed + [
        f"no Chinese in {text!r} for {shown}" for text in texts if not CHINESE.search(text)
    ]


def list_named_fields(answer: Answer) -> set[str]:
    """Return the fields that a validation answer refuses.

    A field is refused whatever the other fields contain, so it needs no separate call with the same
    value.
    """
    return set(answer.errors) if answer.code == "validation" else set()


def join_trail(trail: tuple[Any, ...]) -> str:
    return ".".join(map(str, trail))


def is_within(name: str, field: str) -> bool:
    """Whether a dotted name is the field or a part of it."""
    return name == field or name.startswith(f"{field}.")


def list_always_refused(
    attacker: Attacker, readers: set[Any], body: dict[str, Any], refused: set[str]
) -> set[str]:
    """Return the refused fields that the serializer refuses whatever the other fields contain.

    The serializer reports all wrong fields in one answer, so a wrong value in another field is
    reported beside them. A service reports later.
    """
    other = next(
        (name for name in body if not any(is_within(field, name) for field in refused)), None
    )
    if not refused or other is None:
        return set()
    return refused & list_named_fields(attacker.try_json({**body, other: HOSTILE[0]}, readers))


def is_tried(value: Any, value_number: int, field_number: int) -> bool:
    """Whether a value is sent in a field alone: one pair of six, so that each value meets a sixth
    of the fields and each field a sixth of the values. On PostgreSQL also each value that a column
    there may refuse, in every field.
    """
    is_refused_by_columns = connection.vendor == "postgresql" and value in COLUMN_LIMITS
    return is_refused_by_columns or (value_number + field_number) % 6 == 0


@mark_operations(lambda operation: operation.method != "get")
def test_no_body_breaks_it(attacker: Attacker) -> None:
    is_guarded = attacker.operation.path in GUARDED_OPERATIONS
    bodies = RAW_BODIES + GUARDED_BODIES if is_guarded else RAW_BODIES
    media_types = MEDIA_TYPES + GUARDED_MEDIA_TYPES if is_guarded else MEDIA_TYPES
    answer = attacker.send(attacker.path(), UNREADABLE)
    found = list_faults(answer, UNREADABLE)
    # Any other answer: the operation does not read a body, or none of this type.
    for raw in bodies if answer.code == "bad_request" else ():
        found += list_faults(attacker.send(attacker.path(), raw), raw)
    is_read = answer.code in {"bad_request", "unsupported_media"}
    for media in media_types if is_read else media_types[:1]:
        found += list_faults(attacker.send(attacker.path(), b'{"a": 1}', media), media)

    assert not found, "\n".join(found)


@mark_operations(lambda operation: operation.body)
def test_no_field_breaks_it(attacker: Attacker, readers: set[Any]) -> None:
    schema = attacker.operation.body
    assert schema is not None
    body = build_fitting_value(schema)
    trails = list(iterate_leaves(schema, body))
    innermost = [
        trail
        for trail in trails
        if not any(other[: len(trail)] == trail for other in trails if other != trail)
    ]
    answer = attacker.send_json(body)
    found = list_faults(answer, body)
    stuck = list_always_refused(attacker, readers, body, list_named_fields(answer))
    took_text: set[tuple[Any, ...]] = set()
    for value_number, value in enumerate(HOSTILE):
        is_plain_text = isinstance(value, str) and value in PLAIN_TEXTS
        everywhere = plant_values(body, innermost, value)
        answer = attacker.try_json(everywhere, readers)
        found += list_faults(answer, ("every field", value))
        if answer.code == "bad_request":  # by the parser, whatever the field
            continue
        refused = list_named_fields(answer)
        for field_number, trail in enumerate(trails):
            name = join_trail(trail)
            was_read = trail in innermost and not any(is_within(name, field) for field in refused)
            # The serializer has taken the value. Alone in the body it meets the serializer only,
            # as long as another field is refused there.
            if was_read and any(
                not is_within(name, field) and not is_within(field, name) for field in stuck
            ):
                continue
            is_known_text = is_plain_text and trail in took_text
            is_left_out = not is_plain_text and not is_tried(value, value_number, field_number)
            if name in refused or is_known_text or is_left_out:
                continue
            alone = plant_value(body, trail, value)
            if alone == everywhere:
                continue
            if is_plain_text:
                took_text.add(trail)
            found += list_faults(attacker.try_json(alone, readers), (trail, value))

    assert not found, "\n".join(found)


@mark_operations(lambda operation: operation.body)
def test_an_unknown_field_is_refused_by_its_name(attacker: Attacker) -> None:
    assert attacker.operation.body is not None
    answer = attacker.send_json({**build_fitting_value(attacker.operation.body), "NoSuchField": 1})

    assert (answer.status, answer.code) == (200, "validation"), answer.message
    assert answer.errors["NoSuchField"] == ["不支持的字段"]


@mark_operations(lambda operation: operation.body)
def test_object_in_place_of_a_field_value_is_refused_under_its_field(attacker: Attacker) -> None:
    schema = attacker.operation.body
    assert schema is not None
    whole = build_fitting_value(schema)
    wrong = {"a": {"b": 1}}
    names = [
        name
        for name, part in schema.get("properties", {}).items()
        if resolve_schema(part).get("type")  # a field without a type takes any JSON
    ]
    # The serializer reports all wrong fields in one answer. Those it does not report are sent
    # alone.
    together = list_named_fields(attacker.send_json({**whole, **dict.fromkeys(names, wrong)}))
    for name in names:
        if any(is_within(field, name) for field in together):
            continue
        answer = attacker.send_json({**whole, name: wrong})
        assert answer.code == "validation", f"{name}: {answer.code} {answer.message}"
        assert any(field.partition(".")[0] == name for field in answer.errors), (
            f"{name} is not in {answer.errors}"
        )


@mark_operations(list_money_trails)
def test_money_as_a_json_float_is_refused_by_the_fields_name(attacker: Attacker) -> None:
    schema = attacker.operation.body
    assert schema is not None
    for trail in list_money_trails(attacker.operation):
        answer = attacker.send_json(plant_value(build_fitting_value(schema), trail, 12.5))

        assert answer.code == "validation", f"{trail}: {answer.code} {answer.message}"
        assert (
            "不支持带小数的 JSON 数字" in answer.errors.get(".".join(map(str, trail)), [""])[0]
        ), f"{trail}: {answer.errors}"


@mark_operations(lambda operation: operation.names("query"))
def test_no_query_breaks_it(attacker: Attacker, readers: set[Any]) -> None:
    names = attacker.operation.names("query")
    is_guarded = attacker.operation.path in GUARDED_QUERIES
    found: list[str] = []
    # All of them as often as fits into the longest query, and lists with 300 values.
    pairs = "&".join(f"{name}=1" for name in names)
    repeated = [
        "&".join([pairs] * (MAX_QUERY // (len(pairs) + 1))),
        *("&".join([f"{name}=1"] * 300) for name in list_array_parameters(attacker.operation)),
    ]
    for query in repeated:
        found += list_faults(attacker.send(f"{attacker.path()}?{query}"), query)
    for value_number, value in enumerate(IN_QUERY):
        if not is_guarded and is_query_bad(f"{names[0]}={value}"):
            continue
        everywhere = "&".join(f"{name}={value}" for name in names)
        answer = attacker.try_query(everywhere, readers)
        found += list_faults(answer, everywhere)
        if answer.code == "bad_request":  # by the middleware, whatever the parameter
            continue
        left = sorted(set(names) - list_named_fields(answer))
        together = "&".join(f"{name}={value}" for name in left)
        answer = answer if left == sorted(names) else attacker.try_query(together, readers)
        found += list_faults(answer, together)
        # An answer to all of them at once has used each of them. A parameter that is missing is
        # missed beside each of them too.
        is_missing = list_named_fields(answer) - set(left)
        for field_number, name in enumerate(left):
            is_known = answer.ok or is_missing or len(left) == 1
            if not is_known and is_tried(value, value_number, field_number):
                alone = f"{name}={value}"
                found += list_faults(attacker.try_query(alone, readers), alone)

    assert not found, "\n".join(found)


def list_array_parameters(operation: Operation) -> list[str]:
    """Return the query parameters that may be repeated."""
    return [
        parameter["name"]
        for parameter in operation.spec.get("parameters", ())
        if parameter["in"] == "query" and parameter["schema"].get("type") == "array"
    ]


def get_whole_numbers(operation: Operation) -> dict[str, bool]:
    """Return the query parameters that are whole numbers (True) or ids, which are text (False)."""
    asked = {
        parameter["name"]: parameter["schema"]
        for parameter in operation.spec.get("parameters", ())
        if parameter["in"] == "query"
    }
    return {
        name: schema.get("type") == "integer"
        for name, schema in asked.items()
        if schema.get("type") == "integer" or (ID in str(schema) and schema.get("type") != "array")
    }


def build_required_query(operation: Operation, but: Collection[str]) -> str:
    """Return the query parameters that must be sent, with valid values, without those of `but`."""
    query = ""
    for parameter in operation.spec.get("parameters", ()):
        name = parameter["name"]
        if parameter["in"] == "query" and parameter.get("required") and name not in but:
            query += f"&{name}={REQUIRED.get(name) or build_fitting_value(parameter['schema'])}"
    return query


@mark_operations(get_whole_numbers)
def test_a_whole_number_of_a_query_is_written_in_plain_digits(
    attacker: Attacker, readers: set[Any]
) -> None:
    kinds = get_whole_numbers(attacker.operation)
    is_guarded = attacker.operation.path in GUARDED_QUERIES
    for value in NO_WHOLE_NUMBERS:
        # The serializer reports all wrong parameters in one answer. Those it does not report are
        # sent alone.
        wrong = "&".join(f"{name}={quote(value)}" for name in kinds)
        together = attacker.try_query(
            wrong + build_required_query(attacker.operation, kinds), readers
        )
        for name, is_number in kinds.items():
            answer = together
            if name not in list_named_fields(together):
                # One function reads the page of every list.
                if name in PAGE and value != NO_WHOLE_NUMBERS[0] and not is_guarded:
                    continue
                others = build_required_query(attacker.operation, [name])
                answer = attacker.try_query(f"{name}={quote(value)}{others}", readers)

            assert answer.code == "validation", (name, value, answer.code, answer.message)
            (text,) = answer.errors[name]
            assert CHINESE.search(text), (name, value, text)
            assert name in text or not is_number, (name, value, text)


@mark_operations(lambda operation: operation.names("path"))
def test_no_address_breaks_it(attacker: Attacker) -> None:
    found: list[str] = []
    for name in attacker.operation.names("path"):
        for value in IN_PATH:
            path = attacker.path(**{name: value})
            # The middleware and the router refuse it in front of all views.
            if attacker.operation.path in GUARDED_PATHS or is_path_of_a_view(path):
                found += list_faults(attacker.send(path), (name, value))

    assert not found, "\n".join(found)


def is_path_of_a_view(path: str) -> bool:
    """Whether the middleware and the router pass a request for the path on to a view."""
    request = RequestFactory().get(path)
    if is_path_bad(request):
        return False
    try:
        resolve(request.path_info)
    except Resolver404:
        return False
    return True


@mark_operations(lambda _operation: True)
def test_a_browser_that_opens_it_gets_a_page(attacker: Attacker) -> None:
    is_guarded = attacker.operation.path in GUARDED_OPERATIONS
    for accept in ("text/html", "nonsense") if is_guarded else ("text/html",):
        answer = attacker.send(
            attacker.path(), b"{}" if attacker.operation.method != "get" else b"", accept=accept
        )
        assert answer.status in STATUSES, f"{answer.status} for {accept}"


@pytest.mark.parametrize(
    ("method", "accept"), [("POST", "*/*"), ("GET", "application/json"), ("GET", "nonsense")]
)
def test_the_schemas_page_refuses_in_the_envelope(client: Client, method: str, accept: str) -> None:
    answer = client.generic(method, "/api/docs", headers={"Accept": accept})

    assert answer.status_code == 200
    assert answer.json()["MsgHeader"]["RetCode"] == (
        "method_not_allowed" if method == "POST" else "unsupported_media"
    )
