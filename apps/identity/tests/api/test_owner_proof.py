"""Dangerous acts of the customers' API need the own password, and the second factor of an account
that has one.
"""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from apps.common.models import ImportRun
from apps.common.testing import ApiClient
from apps.documents.excel import write_xlsx
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.tests.api.test_second_factor import OWN as FACTOR
from apps.identity.tests.api.test_second_factor import add_passkey, get_wire
from apps.identity.tests.authenticator import Authenticator
from apps.identity.tests.services.test_second_factor import compute_code
from apps.org.models import Account, Group
from apps.org.selectors.accounts import HEADER
from apps.org.tests.factories import PASSWORD, AccountFactory

OWN = {"Password": PASSWORD}
NEW = {"OldPassword": PASSWORD, "NewPassword": "Another-Mall-2026"}


@pytest.fixture
def boss(ga: Account) -> ApiClient:
    """The group's admin, signed in."""
    return ApiClient(ga)


def enable_factor(account: Account) -> list[str]:
    """Enable the second factor; the recovery codes serve as codes here."""
    return factor_confirm(account=account, code=compute_code(factor_begin(account=account).secret))


@pytest.fixture
def codes(ga: Account) -> list[str]:
    return enable_factor(ga)


def require(client: ApiClient, group: Group, *, is_required: bool, **proof: Any) -> Any:
    return client.patch(f"/api/Group/{group.pk}", {"RequiresSecondFactor": is_required, **proof})


def test_group_admin_does_not_require_what_he_lacks(boss: ApiClient, group: Group) -> None:
    answer = require(boss, group, is_required=True, **OWN)
    assert answer.code == "wrong_state"
    assert "请先在" in answer.message
    group.refresh_from_db()
    assert not group.requires_second_factor


@pytest.mark.parametrize("is_required", [True, False])
def test_requirement_changes_with_password_and_second_factor_only(
    ga: Account, codes: list[str], group: Group, is_required: bool
) -> None:
    Group.objects.filter(pk=group.pk).update(requires_second_factor=not is_required)
    boss = ApiClient(ga)
    alone = require(boss, group, is_required=is_required)
    assert (alone.code, list(alone.body["Errors"])) == ("validation", ["Password"])
    without = require(boss, group, is_required=is_required, **OWN)
    assert (without.code, list(without.body["Errors"])) == ("validation", ["SecondFactorCode"])
    wrong = require(boss, group, is_required=is_required, **OWN, SecondFactorCode="000000")
    assert wrong.code == "wrong_second_factor"
    group.refresh_from_db()
    assert group.requires_second_factor is not is_required
    right = require(boss, group, is_required=is_required, **OWN, SecondFactorCode=codes[0])
    assert right.ok
    assert right.body["Settings"]["RequiresSecondFactor"] is is_required


def test_other_settings_of_the_group_need_no_proof(
    ga: Account, codes: list[str], group: Group
) -> None:
    assert require(ApiClient(ga), group, is_required=False, HasSingleSession=True).ok


def test_group_admin_reads_how_many_people_lack_a_second_factor(
    ga: Account, buyer: Account, group: Group
) -> None:
    enable_factor(buyer)
    AccountFactory(department=buyer.department, is_active=False)
    gap = ApiClient(ga).get(f"/api/Group/{group.pk}/SecondFactorGap").body
    people = Account.objects.filter(is_active=True).count()
    assert gap == {"People": people, "Without": people - 1, "HasOwn": False}


def test_new_group_admin_needs_the_second_factor_of_his_creator(
    ga: Account, buyer: Account, codes: list[str]
) -> None:
    client = ApiClient(ga)
    promote = {"UserType": "GA", **OWN}
    path = f"/api/Account/{buyer.pk}"
    without = client.patch(path, promote)
    assert (without.code, list(without.body["Errors"])) == ("validation", ["SecondFactorCode"])
    assert client.patch(path, {**promote, "SecondFactorCode": codes[0]}).ok


def test_own_password_changes_with_the_second_factor(buyer: Account) -> None:
    codes = enable_factor(buyer)
    client = ApiClient(buyer)
    without = client.post("/api/Account/ChangePassword", NEW)
    assert (without.code, list(without.body["Errors"])) == ("validation", ["SecondFactorCode"])
    weak = {**NEW, "NewPassword": "1234", "SecondFactorCode": codes[0]}
    assert list(client.post("/api/Account/ChangePassword", weak).body["Errors"]) == ["NewPassword"]
    assert client.post("/api/Account/ChangePassword", {**NEW, "SecondFactorCode": codes[0]}).ok


def test_own_password_changes_without_a_second_factor_as_before(buyer: Account) -> None:
    assert ApiClient(buyer).post("/api/Account/ChangePassword", NEW).ok


def test_proof_counts_again_in_its_own_sign_in_only(ga: Account, buyer: Account) -> None:
    """A contact that two people share is refused first; the same form is then sent again."""
    [code, *_rest] = enable_factor(ga)
    client, path = ApiClient(ga), f"/api/Account/{buyer.pk}"
    shared = {"Email": "shared@yf.example", **OWN, "SecondFactorCode": code}
    Account.objects.filter(pk=ga.pk).update(email="shared@yf.example")
    assert "SameContact" in client.patch(path, shared).body["Errors"]
    assert ApiClient(ga).patch(path, {**shared, "Anyway": True}).code == "wrong_second_factor"
    assert client.patch(path, {**shared, "Anyway": True}).ok


def upload_accounts(client: ApiClient, **fields: Any) -> Any:
    """Upload a sheet with one new account."""
    file = io.BytesIO()
    row = ("li.si", "李四", "", "", "", "", "YF01", "YF01-ADM", "")
    write_xlsx(file, header=HEADER, rows=[row])
    file.seek(0)
    file.name = "账号.xlsx"
    return client.upload("/api/Account/Import", {"file": file, **fields})


def test_sheet_of_accounts_is_written_with_password_and_second_factor_only(
    ga: Account, codes: list[str]
) -> None:
    boss = ApiClient(ga)
    alone = upload_accounts(boss, Confirm="true")
    assert (alone.code, list(alone.errors)) == ("validation", ["Password"])
    without = upload_accounts(boss, Confirm="true", **OWN)
    assert (without.code, list(without.errors)) == ("validation", ["SecondFactorCode"])
    wrong = upload_accounts(boss, Confirm="true", **OWN, SecondFactorCode="000000")
    assert wrong.code == "wrong_second_factor"
    assert not Account.objects.filter(username="li.si").exists()
    assert not ImportRun.objects.exists()
    right = upload_accounts(boss, Confirm="true", **OWN, SecondFactorCode=codes[0])
    assert right.message == "已导入 1 个账号"


def test_sheet_of_accounts_is_checked_without_a_proof(ga: Account, codes: list[str]) -> None:
    assert upload_accounts(ApiClient(ga)).body["Wrong"] == 0


def test_sheet_of_accounts_is_written_with_a_passkey(ga: Account, api: ApiClient) -> None:
    device = Authenticator()
    api.login_as(ga)
    add_passkey(api, device, **OWN)
    given = get_wire(device.get(api.post(f"{FACTOR}/PasskeyChallenge").body["PublicKey"]))
    malformed = upload_accounts(api, Confirm="true", **OWN, Passkey="{")
    assert malformed.errors == {"Passkey": ["通行密钥的数据格式不正确，请重试"]}
    done = upload_accounts(api, Confirm="true", **OWN, Passkey=json.dumps(given))
    assert done.message == "已导入 1 个账号"


def test_wrong_passwords_at_the_import_of_accounts_are_counted(boss: ApiClient) -> None:
    answers = [upload_accounts(boss, Confirm="true", Password=f"wrong-{n}") for n in range(6)]
    assert [answer.errors["Password"] for answer in answers] == [
        *[["登录密码不正确，请重新输入"]] * 5,
        ["登录密码错误次数过多，请 15 分钟后再试"],
    ]


def test_password_with_a_null_character_at_the_import_is_refused_in_words(boss: ApiClient) -> None:
    """The guard in front of all views reads no text of a multipart form."""
    refused = upload_accounts(boss, Confirm="true", Password="a\0b")
    assert refused.errors == {"Password": ["不能包含空字符，请删除后重试"]}
