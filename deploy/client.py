"""Generate a Python client of the mall's API from docs/openapi.yaml: python -m deploy.client
OUT.py. The client uses only the standard library.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import yaml

SCHEMA = Path(__file__).resolve().parents[1] / "docs" / "openapi.yaml"
HEAD = '''"""A client of the mall's API, one method for each operation; made of docs/openapi.yaml by deploy/client.py, not by hand."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

Opener = Callable[[str, str, dict[str, str], bytes | None], tuple[int, bytes]]


class Refused(Exception):
    """The mall has refused: `code` is its RetCode, `body` the MsgBody with particulars."""

    def __init__(self, code: str, message: str, body: Any, status: int) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.body, self.status = code, message, body, status


def opened(method: str, url: str, headers: dict[str, str], body: bytes | None) -> tuple[int, bytes]:
    """Make a call; the mall's answer is in the envelope whatever its status."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


class Mall:
    """Speaks as one account; an access token that has run out is refreshed once by itself."""

    def __init__(self, base: str, *, opener: Opener = opened) -> None:
        self.base, self._open = base.rstrip("/"), opener
        self.token = self.refresh_token = self.user_id = ""

    def sign_in(self, user_name: str, password: str) -> None:
        """Sign in for all later calls."""
        self._keep(self.call("POST", "/api/Account/Login", body={"UserName": user_name, "Password": password}))

    def call(self, method: str, path: str, *, query: dict[str, Any] | None = None, body: Any = None, key: str = "") -> Any:
        """Return the MsgBody, or raise Refused; `key` is the Idempotency-Key."""
        status, answer = self._sent(method, path, query, body, key)
        if status == 401 and self.refresh_token:
            given = {"RefreshToken": self.refresh_token, "UserId": self.user_id}
            _, renewed = self._sent("POST", "/api/Account/RefreshToken", None, given, "")
            self.refresh_token = ""
            self._keep(self._body(200, renewed))
            status, answer = self._sent(method, path, query, body, key)
        return self._body(status, answer)

    def _sent(self, method: str, path: str, query: dict[str, Any] | None, body: Any, key: str) -> tuple[int, bytes]:
        url = self.base + path + ("?" + urllib.parse.urlencode(query, doseq=True) if query else "")
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        return self._open(method, url, headers, None if body is None else json.dumps(body).encode())

    def _body(self, status: int, answer: bytes) -> Any:
        told = json.loads(answer)
        head = told["MsgHeader"]
        if not head["Success"]:
            raise Refused(head["RetCode"], head["RetMessage"], told["MsgBody"], status)
        return told["MsgBody"]

    def _keep(self, tokens: dict[str, Any]) -> None:
        self.token, self.refresh_token = tokens["Token"], tokens["RefreshToken"]
        payload = self.token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        self.user_id = str(claims["uid"])
'''
PLACE = re.compile(r"{(\w+)}")


def render_client(schema: dict[str, Any]) -> str:
    """Return the source of the client: one method per JSON operation, sorted by address. Operations
    with files are left to the caller.
    """
    methods = [
        _method(method, path, operation)
        for path, row in sorted(schema["paths"].items())
        for method, operation in sorted(row.items())
        if _is_json(operation)
    ]
    return HEAD + "\n" + "\n".join(methods)


def _is_json(operation: dict[str, Any]) -> bool:
    asks = operation.get("requestBody", {}).get("content", {"application/json": {}})
    gives = operation["responses"]["200"].get("content", {})
    return "application/json" in asks and "application/json" in gives


def _method(verb: str, path: str, operation: dict[str, Any]) -> str:
    places = PLACE.findall(path)
    name = "_".join([verb, *(part.strip("{}") for part in path.split("/")[2:])]).replace("-", "_")
    takes_body = verb != "get"
    arguments = [
        "self",
        *(f"{place}: str" for place in places),
        *(["body: Any = None", '*, key: str = ""'] if takes_body else []),
    ]
    arguments += [] if takes_body else ["**query: Any"]
    filled = PLACE.sub(lambda match: "{urllib.parse.quote(" + match[1] + ", safe='')}", path)
    passed = "body={} if body is None else body, key=key" if takes_body else "query=query"
    said = operation["summary"].replace("\\", "").replace('"', "'")
    address = f'f"{filled}"' if places else f'"{path}"'
    return (
        f"    def {name}({', '.join(arguments)}) -> Any:\n"
        f'        """{said}"""\n'
        f'        return self.call("{verb.upper()}", {address}, {passed})\n'
    )


def main() -> None:
    """Write the client to the path on the command line."""
    Path(sys.argv[1]).write_text(
        render_client(yaml.load(SCHEMA.read_text("utf-8"), Loader=yaml.CSafeLoader)), "utf-8"
    )


if __name__ == "__main__":
    main()
