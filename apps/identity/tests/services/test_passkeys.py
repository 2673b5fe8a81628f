"""Tests of passkeys: register, use, remove, and each kind of attack on them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.utils import timezone
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AuthenticatorData
from pytest_django import Settings

from apps.common.errors import Forbidden, ValidationFailed, WrongState
from apps.identity.errors import (
    PasskeyCopied,
    PasskeyNotFound,
    SecondFactorMoved,
    SecondFactorSlowed,
    WrongPasskey,
    WrongSecondFactor,
)
from apps.identity.models import Passkey, PasskeyChallenge
from apps.identity.services.passkeys import (
    MAX_PASSKEYS,
    Assertion,
    Attestation,
    has_passkey,
    issue_new_passkey_challenge,
    issue_passkey_challenge,
    list_passkeys,
)
from apps.identity.services.purge import identity_purge
from apps.identity.services.remembered_devices import device_remember, is_device_remembered
from apps.identity.services.second_factor import (
    Proof,
    authenticator_remove,
    count_recovery_codes,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_reset,
    guess_lane,
    has_second_factor,
    passkey_register,
    passkey_remove,
)
from apps.identity.tests.authenticator import Authenticator
from apps.identity.tests.services.test_second_factor import compute_code
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory

pytestmark = pytest.mark.usefixtures("platform")
SESSION = "session-1"


def register(account: Account, device: Authenticator, *, name: str = "办公电脑") -> list[str]:
    options = issue_new_passkey_challenge(account=account, session=SESSION)
    return passkey_register(
        account=account, session=SESSION, name=name, attestation=device.create(options)
    )


def get_options(account: Account, *, session: str = SESSION) -> dict[str, Any]:
    options = issue_passkey_challenge(account=account, session=session)
    assert options is not None
    return options


def check(account: Account, assertion: Assertion, *, session: str = SESSION) -> None:
    factor_check(account=account, proof=Proof(passkey=assertion, session=session))


@pytest.fixture
def device() -> Authenticator:
    return Authenticator()


@pytest.fixture
def codes(staff: Account, device: Authenticator) -> list[str]:
    """The recovery codes of `staff`, who has one passkey, on `device`."""
    return register(staff, device)


def test_first_passkey_enables_the_second_factor_and_a_second_keeps_the_codes(
    staff: Account, device: Authenticator
) -> None:
    codes = register(staff, device)
    assert (has_second_factor(staff), len(codes)) == (True, 10)
    assert register(staff, Authenticator(), name="安全密钥") == []
    assert count_recovery_codes(staff) == 10
    assert [each.name for each in list_passkeys(staff)] == ["办公电脑", "安全密钥"]
    note = LogEntry.objects.filter(additional_data={"kind": "second_factor.passkey_on"}).first()
    assert note is not None
    assert note.changes["note"][1] == "添加通行密钥“安全密钥”"


def test_first_passkey_discards_an_unconfirmed_authenticator(staff: Account) -> None:
    seen = factor_begin(account=staff).secret
    register(staff, Authenticator())
    with pytest.raises(SecondFactorMoved):
        factor_confirm(account=staff, code=compute_code(seen))
    assert factor_begin(account=staff).secret != seen


def test_a_passkey_is_used_and_its_last_use_is_shown(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    check(staff, device.get(get_options(staff)))
    passkey = Passkey.objects.get()
    assert passkey.sign_count == 1
    assert passkey.used_at is not None


@pytest.mark.parametrize(
    ("change", "client_data"),
    [
        ({"origin": "https://localhost:8000"}, {}),
        ({"origin": "http://localhost:8000.evil.example"}, {}),
        ({"rp_id": "evil.example"}, {}),
        ({"flags": AuthenticatorData.FLAG(0)}, {}),
        ({}, {"crossOrigin": True}),
        ({}, {"type": "webauthn.create"}),
        ({}, {"challenge": websafe_encode(b"x" * 32)}),
    ],
)
def test_passkey_proof_for_another_origin_is_refused(
    staff: Account,
    codes: list[str],
    device: Authenticator,
    change: dict[str, Any],
    client_data: dict[str, Any],
) -> None:
    with pytest.raises(WrongPasskey):
        check(staff, replace(device, **change).get(get_options(staff), **client_data))


@pytest.mark.parametrize(
    ("change", "client_data"),
    [
        ({"origin": "https://evil.example"}, {}),
        ({"rp_id": "evil.example"}, {}),
        ({}, {"type": "webauthn.get"}),
        ({}, {"crossOrigin": True}),
    ],
)
def test_passkey_registration_for_another_origin_is_refused(
    staff: Account, change: dict[str, Any], client_data: dict[str, Any]
) -> None:
    options = issue_new_passkey_challenge(account=staff, session=SESSION)
    attestation = Authenticator(**change).create(options, **client_data)
    with pytest.raises(WrongPasskey):
        passkey_register(account=staff, session=SESSION, name="x", attestation=attestation)
    assert not has_passkey(staff)


def test_passkey_challenge_is_valid_for_one_try_one_session_and_five_minutes(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    options = get_options(staff)
    used = device.get(options)
    check(staff, used)
    with pytest.raises(WrongPasskey):
        check(staff, used)
    with pytest.raises(WrongPasskey):
        check(staff, device.get(options))
    with pytest.raises(WrongPasskey):
        check(staff, device.get(get_options(staff)), session="session-2")
    # A wrong try uses the challenge up, too.
    options = get_options(staff)
    with pytest.raises(WrongPasskey):
        check(staff, replace(device, origin="https://evil.example").get(options))
    with pytest.raises(WrongPasskey):
        check(staff, device.get(options))
    guess_lane(staff).forget()
    options = get_options(staff)
    PasskeyChallenge.objects.update(expires_at=timezone.now())
    with pytest.raises(WrongPasskey):
        check(staff, device.get(options))
    assert identity_purge() == 5


def test_registration_and_proof_challenges_are_not_interchangeable(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    attestation = Authenticator().create(get_options(staff))
    with pytest.raises(WrongPasskey):
        passkey_register(account=staff, session=SESSION, name="x", attestation=attestation)
    with pytest.raises(WrongPasskey):
        check(staff, device.get(issue_new_passkey_challenge(account=staff, session=SESSION)))


def test_passkey_or_challenge_of_another_account_is_refused(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    other, own = StaffFactory(), Authenticator()
    register(other, own)
    with pytest.raises(WrongPasskey):
        check(staff, own.get(get_options(staff)))
    with pytest.raises(WrongPasskey):
        check(staff, device.get(get_options(other)))
    # Its own key under the name of the other's credential.
    with pytest.raises(WrongPasskey):
        check(staff, replace(own, credential_id=device.credential_id).get(get_options(staff)))
    with pytest.raises(WrongPasskey, match="已经登记"):
        register(other, device, name="他人的密钥")
    with pytest.raises(PasskeyNotFound):
        passkey_remove(
            account=other,
            passkey_id=Passkey.objects.get(account=staff).pk,
            proof=Proof(passkey=own.get(get_options(other)), session=SESSION),
        )


def test_a_counter_that_does_not_grow_is_refused_and_logged(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    copy = replace(device)
    check(staff, device.get(get_options(staff)))
    check(staff, device.get(get_options(staff)))
    with pytest.raises(PasskeyCopied):
        check(staff, copy.get(get_options(staff)))
    with pytest.raises(PasskeyCopied):
        check(staff, replace(device, counter=0, counts=False).get(get_options(staff)))
    entry = LogEntry.objects.filter(additional_data={"kind": "second_factor.passkey_copied"}).last()
    assert entry is not None
    assert "签名计数为 1，不大于上次的 2" in entry.changes["note"][1]


def test_a_synchronised_passkey_always_sends_zero(staff: Account) -> None:
    device = Authenticator(counts=False)
    register(staff, device)
    for _ in range(2):
        check(staff, device.get(get_options(staff)))


def test_wrong_passkeys_wait_as_wrong_codes_do(
    staff: Account, codes: list[str], device: Authenticator
) -> None:
    for _ in range(6):
        with pytest.raises(WrongPasskey):
            check(staff, replace(device, rp_id="evil.example").get(get_options(staff)))
    with pytest.raises(SecondFactorSlowed):
        check(staff, device.get(get_options(staff)))


def test_damaged_data_are_refused(staff: Account, codes: list[str], device: Authenticator) -> None:
    dice = random.Random(7)

    def damage(text: str) -> str:
        data = bytearray(websafe_decode(text))
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        return websafe_encode(bytes(data[: dice.choice([len(data), dice.randrange(len(data))])]))

    for _ in range(25):
        assertion = device.get(get_options(staff))
        part = dice.choice(["client_data", "authenticator_data", "signature"])
        with pytest.raises(WrongPasskey):
            check(staff, replace(assertion, **{part: damage(getattr(assertion, part))}))
        guess_lane(staff).forget()
    for _ in range(60):
        options = issue_new_passkey_challenge(account=staff, session=SESSION)
        given = Authenticator().create(options)
        broken = Attestation(given.client_data, damage(given.attestation_object))
        try:
            passkey_register(account=staff, session=SESSION, name="x", attestation=broken)
        except WrongPasskey:
            continue
        # One bit of the identifier or the counter makes another, valid credential.
        Passkey.objects.get(name="x").delete()


@pytest.mark.parametrize("client_data", ["A", "bnVsbA", "W10", "e30", websafe_encode(b"[" * 3000)])
def test_malformed_client_data_is_refused(
    staff: Account, codes: list[str], device: Authenticator, client_data: str
) -> None:
    with pytest.raises(WrongPasskey):
        check(staff, replace(device.get(get_options(staff)), client_data=client_data))


def test_a_name_is_needed_once_and_there_is_an_end(staff: Account) -> None:
    for number in range(MAX_PASSKEYS):
        register(staff, Authenticator(), name=f"密钥 {number}")
        if number == 0:
            for name in ("密钥 0 ", " ", "长" * 41):
                with pytest.raises(ValidationFailed):
                    register(staff, Authenticator(), name=name)
    with pytest.raises(WrongState, match="最多 10 个"):
        issue_new_passkey_challenge(account=staff, session=SESSION)


def test_last_factor_is_removable_only_if_none_is_required(
    staff: Account, codes: list[str], device: Authenticator, settings: Settings
) -> None:
    key = device_remember(account=staff, user_agent="")
    [passkey] = list_passkeys(staff)
    settings.STAFF_SECOND_FACTOR = True
    with pytest.raises(Forbidden, match="最后一种"):
        passkey_remove(account=staff, passkey_id=passkey.pk, proof=Proof(codes[0]))
    assert has_passkey(staff)
    secret = factor_begin(account=staff).secret
    assert factor_confirm(account=staff, code=compute_code(secret)) == []
    passkey_remove(account=staff, passkey_id=passkey.pk, proof=Proof(codes[1]))
    with pytest.raises(Forbidden, match="最后一种"):
        authenticator_remove(account=staff, proof=Proof(codes[2]))
    settings.STAFF_SECOND_FACTOR = False
    authenticator_remove(account=staff, proof=Proof(codes[3]))
    assert not has_second_factor(staff)
    assert (count_recovery_codes(staff), is_device_remembered(account=staff, key=key)) == (0, False)


def test_removing_needs_a_proof(staff: Account, codes: list[str]) -> None:
    [passkey] = list_passkeys(staff)
    with pytest.raises(WrongSecondFactor):
        passkey_remove(account=staff, passkey_id=passkey.pk, proof=Proof("000000"))
    assert has_passkey(staff)


def test_a_reset_removes_the_passkeys(staff: Account, codes: list[str]) -> None:
    factor_reset(staff=StaffFactory(), account=staff, reason="电脑丢失")
    assert not has_second_factor(staff)


def test_missing_domain_disables_passkeys(
    staff: Account, codes: list[str], settings: Settings
) -> None:
    settings.PASSKEY_RP_ID = ""
    assert issue_passkey_challenge(account=staff, session=SESSION) is None
    with pytest.raises(WrongState, match="未启用"):
        issue_new_passkey_challenge(account=staff, session=SESSION)
