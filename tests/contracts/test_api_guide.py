"""Every example of docs/api.md runs in its order, and the generated client works as the guide
says.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from django.test import Client

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.webhooks.outgoing import build_signature_header, derive_secret
from apps.webhooks.tests.receiver import receiving
from deploy.client import SCHEMA, render_client

GUIDE = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text("utf-8")
CALLS = re.findall(r"```http\n(.*?)```\n\n```json\n(.*?)```", GUIDE, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
PASSWORD = "demo-Mall-2026"


@pytest.fixture
def demo(shopper: Account, ga: Account) -> Account:
    """The account and product that the guide uses."""
    for account in (shopper, ga):
        account.set_password(PASSWORD)
        account.save()
    ProductFactory(code="110001", market_price=Decimal("16.70"))
    return shopper


def fill_template(text: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def fits(shown: Any, got: Any) -> bool:
    """Whether an answer contains everything that the guide shows; … matches anything."""
    match shown:
        case "…":
            return got not in (None, "")
        case dict():
            return isinstance(got, dict) and all(
                name in got and fits(value, got[name]) for name, value in shown.items()
            )
        case list():
            return isinstance(got, list) and len(got) == len(shown) and all(map(fits, shown, got))
    return bool(shown == got)


def test_every_example_of_the_guide_answers_as_it_is_shown(demo: Account, ga: Account) -> None:
    known, wrong = {"UserId": str(demo.pk)}, []
    for row, item in CALLS:
        first, *rest = fill_template(row, known).strip().splitlines()
        method, path = first.split(" ", 1)
        headers = dict(line.split(": ", 1) for line in rest if not line.startswith("{"))
        who = headers.pop("Authorization", None)
        client = (
            ApiClient(ga)
            if who == "ga"
            else ApiClient(bearer="" if who == "none" else known.get("Token", ""))
        )
        body = next((json.loads(line) for line in rest if line.startswith("{")), None)
        answer = client.get(path) if method == "GET" else client.post(path, body, **headers)
        got = json.loads(answer.response.content)
        if not fits(json.loads(fill_template(item, known)), got):
            wrong.append((first, got))
        texts = got["MsgBody"] if isinstance(got["MsgBody"], dict) else {}
        known |= {
            name: str(texts[name]) for name in ("Token", "RefreshToken", "OrderNo") if name in texts
        }
    assert wrong == []
    assert len(CALLS) == count_calls_in_guide()


def count_calls_in_guide() -> int:
    return GUIDE.count("```http")


def test_the_guides_check_of_a_signature_takes_ours_and_no_other() -> None:
    names: dict[str, Any] = {}
    exec(PYTHON[0], names)  # noqa: S102
    body, now = b'{"Id":"evt_1"}', int(time.time())
    secret, header = (
        derive_secret("seed"),
        build_signature_header(seeds=["other", "seed"], timestamp=now, body=body),
    )
    late = build_signature_header(seeds=["seed"], timestamp=now - 600, body=body)

    assert names["is_from_mall"](secret, header, body)
    assert not names["is_from_mall"](secret, header, body + b" ")
    assert not names["is_from_mall"]("whsec_x", header, body)
    assert not names["is_from_mall"](secret, late, body)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The client generated from the committed schema."""
    path = tmp_path_factory.mktemp("client") / "mall_client.py"
    path.write_text(
        render_client(yaml.load(SCHEMA.read_text("utf-8"), Loader=yaml.CSafeLoader)), "utf-8"
    )
    spec = importlib.util.spec_from_file_location("mall_client", path)
    assert spec
    assert spec.loader
    created = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(created)
    return created


def through(client: Client) -> Any:
    """Calls the mall directly instead of through a socket."""

    def opener(
        method: str, url: str, headers: dict[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        parts = urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        answer = client.generic(
            method, path, body or b"", content_type="application/json", headers=headers
        )
        return answer.status_code, answer.content

    return opener


def test_generated_client_runs_the_example_of_the_guide(
    module: Any, demo: Account, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mall_client", module)
    monkeypatch.setattr(module.Mall, "__init__", with_opener(module, through(Client())))

    exec(PYTHON[1], {})  # noqa: S102

    assert capsys.readouterr().out == "not_found\n"


def with_opener(module: Any, opener: Any) -> Any:
    first = module.Mall.__init__

    def made(self: Any, base: str) -> None:
        first(self, base, opener=opener)

    return made


def test_the_generated_client_refreshes_a_token_that_has_run_out(
    module: Any, demo: Account
) -> None:
    mall = module.Mall("", opener=through(Client()))
    mall.sign_in("buyer", PASSWORD)
    mall.token = "run.out.1"

    assert mall.get_Order(PageSize=10)["Total"] == 0
    mall.post_ShoppingCart_AddToCart({"Items": [{"ProductCode": "110001", "Quantity": 2}]})
    order_no = mall.post_Order({}, key="client-0001")["OrderNo"]
    assert mall.get_Order_OrderNo(order_no)["Amounts"]["Total"] == "33.40"


def test_the_generated_client_calls_over_a_real_socket(module: Any) -> None:
    with receiving() as server:
        server.answers = [
            (
                404,
                b'{"MsgHeader":{"Success":false,"RetCode":"not_found","RetMessage":"x","RequestId":""},"MsgBody":null}',
            )
        ]
        with pytest.raises(module.Refused) as refused:
            module.Mall(f"http://{server.host}").post_Order({})

    assert (refused.value.code, refused.value.status) == ("not_found", 404)


def test_the_generated_client_has_every_call_of_the_envelope(module: Any) -> None:
    methods = [
        name
        for name in vars(module.Mall)
        if name.split("_")[0] in {"get", "post", "patch", "put", "delete"}
    ]

    assert len(methods) > 190
    assert {"post_Order_OrderNo_Cancel", "get_Webhook_Id_Delivery", "delete_Webhook_Id"} <= set(
        methods
    )
