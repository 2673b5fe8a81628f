"""Dangerous acts of the customers' API need the own password, and the second factor of an account
that has one.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.testing import ApiClient
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.tests.services.test_second_factor import compute_code
from apps.org.models import Account, Group
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
