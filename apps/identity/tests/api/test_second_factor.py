"""Customers sign in with a second factor: by choice, or because the group requires it."""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.identity.models import RememberedDevice
from apps.identity.services.passkeys import Assertion
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.tests.authenticator import Authenticator
from apps.identity.tests.services.test_second_factor import compute_code
from apps.org.models import Account, Group
from apps.org.tests.factories import PASSWORD

OWN = "/api/Account/SecondFactor"


def sign_in(client: ApiClient, account: Account, **more: Any) -> Any:
    body = {"UserName": account.username, "Password": PASSWORD, **more}
    return client.post("/api/Account/Login", body)


@pytest.fixture
def codes(buyer: Account) -> list[str]:
    """The recovery codes of the buyer, who has a second factor. They serve as codes here."""
    with platform_scope(reason="test"):
        secret = factor_begin(account=buyer).secret
        return factor_confirm(account=buyer, code=compute_code(secret))


def test_password_alone_returns_no_token_with_a_second_factor(
    buyer: Account, codes: list[str]
) -> None:
    client = ApiClient()
    query = sign_in(client, buyer)
    assert (query.code, query.body) == ("second_factor_required", {"SetUp": None, "Passkey": None})
    assert sign_in(client, buyer, SecondFactorCode="000000").code == "wrong_second_factor"
    done = sign_in(client, buyer, SecondFactorCode=codes[0])
    assert done.ok
    assert done.body["Token"]
    assert done.body["RecoveryCodes"] == []
    assert sign_in(client, buyer, SecondFactorCode=codes[0]).code == "wrong_second_factor"


def test_a_code_does_not_replace_the_password(buyer: Account, codes: list[str]) -> None:
    answer = sign_in(ApiClient(), buyer, Password="wrong-Mall-2026", SecondFactorCode=codes[0])
    assert answer.code == "wrong_credentials"
    assert sign_in(ApiClient(), buyer, SecondFactorCode=codes[0]).ok


def test_a_remembered_browser_needs_the_password_only(buyer: Account, codes: list[str]) -> None:
    client = ApiClient()
    assert sign_in(client, buyer, SecondFactorCode=codes[0], RememberDevice=True).ok
    assert sign_in(client, buyer).ok
    assert sign_in(ApiClient(), buyer).code == "second_factor_required"
    # Without a right code, the browser is not remembered for another thirty days.
    again = sign_in(client, buyer, SecondFactorCode="000000", RememberDevice=True)
    assert again.code == "wrong_second_factor"
    assert RememberedDevice.objects.count() == 1


def test_guessing_waits_and_the_wait_is_named(buyer: Account, codes: list[str]) -> None:
    for _ in range(6):
        sign_in(ApiClient(), buyer, SecondFactorCode="000000")
    answer = sign_in(ApiClient(), buyer, SecondFactorCode=codes[0])
    assert (answer.status, answer.code) == (429, "rate_limited")


def test_required_group_second_factor_is_set_up_at_the_first_sign_in(
    buyer: Account, api: ApiClient
) -> None:
    assert sign_in(ApiClient(), buyer).ok
    Group.objects.update(requires_second_factor=True)
    query = sign_in(ApiClient(), buyer)
    assert query.code == "second_factor_required"
    secret = query.body["SetUp"]["Secret"]
    assert query.body["SetUp"]["Qr"].startswith("data:image/svg+xml")
    assert sign_in(ApiClient(), buyer).body["SetUp"]["Secret"] == secret
    code = compute_code(secret)
    done = sign_in(ApiClient(), buyer, SecondFactorCode=code)
    assert len(done.body["RecoveryCodes"]) == 10
    assert sign_in(ApiClient(), buyer, SecondFactorCode=code).code == "wrong_second_factor"
    api.login_as(buyer)
    refused = api.post(f"{OWN}/Remove", {"SecondFactorCode": done.body["RecoveryCodes"][0]})
    assert refused.code == "forbidden"


def test_owner_enables_renews_and_disables_the_second_factor(
    buyer: Account, api: ApiClient
) -> None:
    api.login_as(buyer)
    assert api.get(OWN).body == {
        "Enabled": False,
        "Required": False,
        "HasAuthenticator": False,
        "Passkeys": [],
        "PasskeyOrigins": ["http://localhost:8000"],
        "RecoveryCodesLeft": 0,
        "RememberedDevices": 0,
    }
    assert not api.post(f"{OWN}/Begin", {"Password": "wrong-Mall-2026"}).ok
    secret = api.post(f"{OWN}/Begin", {"Password": PASSWORD}).body["Secret"]
    stolen = ApiClient(buyer)
    assert stolen.get(OWN).ok
    confirmed = api.post(f"{OWN}/Confirm", {"SecondFactorCode": compute_code(secret)})
    assert stolen.get(OWN).status == 401
    first, second, third, *_rest = confirmed.body["RecoveryCodes"]
    assert api.get(OWN).body["RecoveryCodesLeft"] == 10
    renewed = api.post(f"{OWN}/RenewCodes", {"SecondFactorCode": first}).body["RecoveryCodes"]
    assert not api.post(f"{OWN}/ForgetDevices", {"SecondFactorCode": second}).ok
    assert api.post(f"{OWN}/ForgetDevices", {"SecondFactorCode": renewed[0]}).ok
    assert api.post(f"{OWN}/Remove", {"SecondFactorCode": renewed[1]}).ok
    assert not api.get(OWN).body["Enabled"]
    assert third not in renewed


def get_wire(assertion: Assertion) -> dict[str, str]:
    return {
        "CredentialId": assertion.credential_id,
        "ClientData": assertion.client_data,
        "AuthenticatorData": assertion.authenticator_data,
        "Signature": assertion.signature,
    }


def add_passkey(api: ApiClient, device: Authenticator, **proof: Any) -> Any:
    options = api.post(f"{OWN}/PasskeyBegin", proof).body["PublicKey"]
    created = device.create(options)
    body = {"ClientData": created.client_data, "AttestationObject": created.attestation_object}
    return api.post(f"{OWN}/PasskeyAdd", {"Name": "办公电脑", **body})


def test_a_passkey_is_added_signs_in_proves_and_is_removed(buyer: Account, api: ApiClient) -> None:
    device = Authenticator()
    api.login_as(buyer)
    assert api.post(f"{OWN}/PasskeyBegin", {"Password": "wrong-Mall-2026"}).code == "validation"
    stolen = ApiClient(buyer)
    assert len(add_passkey(api, device, Password=PASSWORD).body["RecoveryCodes"]) == 10
    assert stolen.get(OWN).status == 401

    browser = ApiClient()
    query = sign_in(browser, buyer)
    assert query.message == "请使用通行密钥，或输入一个恢复码"
    given = get_wire(device.get(query.body["Passkey"]))
    done = sign_in(browser, buyer, Passkey=given, RememberDevice=True)
    assert done.body["RecoveryCodes"] == []
    assert sign_in(ApiClient(), buyer, Passkey=given).code == "wrong_second_factor"
    assert sign_in(browser, buyer).ok

    # A second one needs the first one: the password is not enough.
    assert api.post(f"{OWN}/PasskeyBegin", {"Password": PASSWORD}).code == "validation"
    proof = get_wire(device.get(api.post(f"{OWN}/PasskeyChallenge").body["PublicKey"]))
    assert api.post(f"{OWN}/Begin", {"Passkey": proof}).ok
    assert not api.post(f"{OWN}/Remove", {"Passkey": proof}).ok

    [passkey] = api.get(OWN).body["Passkeys"]
    assert (passkey["Name"], passkey["UsedAt"] is not None) == ("办公电脑", True)
    proof = get_wire(device.get(api.post(f"{OWN}/PasskeyChallenge").body["PublicKey"]))
    assert api.post(f"{OWN}/PasskeyRemove", {"Id": passkey["Id"], "Passkey": proof}).ok
    assert not api.get(OWN).body["Enabled"]


def test_passkey_challenge_is_valid_only_for_its_own_session(
    buyer: Account, api: ApiClient
) -> None:
    device = Authenticator()
    api.login_as(buyer)
    add_passkey(api, device, Password=PASSWORD)
    other = ApiClient(buyer)
    options = other.post(f"{OWN}/PasskeyChallenge").body["PublicKey"]
    refused = api.post(f"{OWN}/RenewCodes", {"Passkey": get_wire(device.get(options))})
    assert refused.code == "wrong_second_factor"
    at_sign_in = sign_in(ApiClient(), buyer).body["Passkey"]
    refused = api.post(f"{OWN}/RenewCodes", {"Passkey": get_wire(device.get(at_sign_in))})
    assert refused.code == "wrong_second_factor"


def test_the_group_keeps_the_last_factor(buyer: Account, api: ApiClient) -> None:
    device = Authenticator()
    api.login_as(buyer)
    [code, *_rest] = add_passkey(api, device, Password=PASSWORD).body["RecoveryCodes"]
    Group.objects.update(requires_second_factor=True)
    [passkey] = api.get(OWN).body["Passkeys"]
    refused = api.post(f"{OWN}/PasskeyRemove", {"Id": passkey["Id"], "SecondFactorCode": code})
    assert (refused.status, refused.code) == (403, "forbidden")
    assert api.get(OWN).body["Enabled"]
    assert api.get(OWN).body["RecoveryCodesLeft"] == 10


def test_refused_removal_of_the_authenticator_uses_no_recovery_code(
    buyer: Account, codes: list[str], api: ApiClient
) -> None:
    api.login_as(buyer)
    Group.objects.update(requires_second_factor=True)
    refused = api.post(f"{OWN}/RemoveAuthenticator", {"SecondFactorCode": codes[0]})
    assert (refused.status, refused.code) == (403, "forbidden")
    assert api.get(OWN).body["RecoveryCodesLeft"] == 10
    Group.objects.update(requires_second_factor=False)
    assert api.post(f"{OWN}/RemoveAuthenticator", {"SecondFactorCode": codes[0]}).ok
