"""A stranger's failed sign-ins do not block the owner. A solved captcha does not raise the
limit of failures of an account.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from apps.common.limits.counters import get_seconds_left
from apps.common.models import RateCounter
from apps.common.testing import Answer, ApiClient
from apps.identity.known_device import AGE_SECONDS, COOKIE
from apps.identity.services.login import CEILING
from apps.identity.services.sign_in_pace import STOREFRONT_DOOR, get_unknown_origin
from apps.identity.tests.api.forgetful import NEW, request_code
from apps.identity.tests.hand import solve_new
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

OFFICE, THIEF, HOTEL = "198.51.100.20", "203.0.113.66", "192.0.2.200"
LOGIN = "/api/Account/Login"


@pytest.fixture(autouse=True)
def _table(settings: Any) -> None:
    settings.CACHE_URL = ""


def login(api: ApiClient, password: str = PASSWORD, username: str = "buyer", **more: Any) -> Answer:
    return api.post(LOGIN, {"UserName": username, "Password": password, **more})


def at(address: str) -> ApiClient:
    """Return a client at this address, without cookies."""
    return ApiClient(REMOTE_ADDR=address)


def solved_login(api: ApiClient, password: str = PASSWORD) -> Answer:
    return login(api, password, CaptchaVerifyParam=solve_new())


def fail(times: int, address: str = THIEF) -> list[str]:
    """Fail to sign in as the buyer, with a solved captcha each time. Return the error codes."""
    thief = at(address)
    return [solved_login(thief, "wrong").code for _ in range(times)]


def let_seconds_pass(seconds: float) -> None:
    """Move the windows of all rate counters back, as if this time had passed."""
    for counter in RateCounter.objects.all():
        counter.expires_at -= timedelta(seconds=seconds)
        counter.save()


def test_failures_of_a_stranger_require_no_captcha_in_a_known_browser(buyer: Account) -> None:
    browser = at(OFFICE)
    assert login(browser).ok
    fail(5)

    browser.client.defaults["REMOTE_ADDR"] = HOTEL
    assert login(browser).ok
    assert login(at("192.0.2.7")).code == "captcha_required"


def test_failures_of_a_stranger_require_no_captcha_at_a_known_address(buyer: Account) -> None:
    assert login(at(OFFICE)).ok
    fail(5)

    assert login(at(OFFICE)).ok


def test_an_address_is_known_for_thirty_days(buyer: Account) -> None:
    login(at(OFFICE))
    let_seconds_pass(30 * 24 * 3600 - 60)
    fail(5)
    assert login(at(OFFICE)).ok

    let_seconds_pass(30 * 24 * 3600 + 60)
    fail(5)
    assert login(at(OFFICE)).code == "captcha_required"


def test_a_success_sets_a_cookie_that_scripts_do_not_read(buyer: Account) -> None:
    cookie = login(at(OFFICE)).response.cookies[COOKIE]

    assert (cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (AGE_SECONDS, True, "Lax")


def test_a_failure_sets_no_cookie(buyer: Account) -> None:
    assert COOKIE not in login(at(OFFICE), "wrong").response.cookies


@pytest.mark.parametrize("is_known_browser", [True, False])
def test_failures_from_a_known_origin_require_the_captcha_only_there(
    buyer: Account, is_known_browser: bool
) -> None:
    browser = at(OFFICE)
    login(browser)
    known = browser if is_known_browser else at(OFFICE)

    assert [login(known, "wrong").code for _ in range(6)] == ["wrong_credentials"] * 5 + [
        "captcha_required"
    ]
    assert login(known).code == "captcha_required"
    assert login(at(HOTEL)).ok


def test_device_cookie_of_another_name_does_not_avoid_the_captcha(
    buyer: Account, ga: Account
) -> None:
    thief = at(THIEF)
    login(thief, username="ga")
    fail(5, HOTEL)

    assert login(thief).code == "captcha_required"


def test_names_that_strangers_fail_under_at_a_shared_address_hinder_no_known_account(
    buyer: Account, settings: Any
) -> None:
    settings.LOGIN_NAMES_PER_CLIENT = 3
    login(at(OFFICE))
    for name in "abcd":
        login(at(OFFICE), "wrong", username=name)

    assert login(at(OFFICE), username="e").code == "captcha_required"
    assert login(at(OFFICE)).ok


def test_failures_on_many_names_from_one_origin_require_the_captcha(
    buyer: Account, ga: Account, settings: Any
) -> None:
    settings.LOGIN_NAMES_PER_CLIENT = 2
    for name in ("buyer", "ga"):
        login(at(OFFICE), username=name)
    for name in ("buyer", "ga"):
        login(at(OFFICE), "wrong", username=name)

    assert login(at(OFFICE)).code == "captcha_required"


def test_solved_captcha_is_refused_after_twenty_failures(buyer: Account) -> None:
    assert fail(21) == ["wrong_credentials"] * 21

    refused = solved_login(at(HOTEL))
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert refused.response["Retry-After"] == "60"
    assert refused.message == (
        "该账号密码错误次数过多，请 1 分钟后再试；也可以通过邮箱重置密码，"
        "或在以前登录过的设备上登录"
    )
    assert refused.body == {"RetryAfter": 60}


def test_captcha_solving_guesser_has_26_tries_in_an_hour_and_49_in_a_day(
    buyer: Account,
) -> None:
    passed, failures = 0, []
    while passed < CEILING.window:
        assert fail(1) == ["wrong_credentials"]
        failures.append(passed)
        wait = get_seconds_left(
            name=f"{STOREFRONT_DOOR}-wait:{get_unknown_origin(username='buyer').key}"
        )
        let_seconds_pass(wait)
        passed += wait

    assert sum(moment < 3600 for moment in failures) == 26
    assert len(failures) == 49


def test_sign_in_ceiling_applies_to_an_unknown_name(db: None) -> None:
    thief = at(THIEF)
    answers = [
        login(thief, "wrong", username="nobody", CaptchaVerifyParam=solve_new()).status
        for _ in range(22)
    ]

    assert answers == [200] * 21 + [429]


def test_the_owners_known_browser_and_address_stay_open_above_the_ceiling(buyer: Account) -> None:
    browser = at(OFFICE)
    login(browser)
    fail(21)

    assert login(at(OFFICE)).ok
    browser.client.defaults["REMOTE_ADDR"] = HOTEL
    assert login(browser).ok


def test_sign_ins_from_new_origins_give_a_guesser_no_new_tries(
    buyer: Account,
) -> None:
    fail(20)
    assert solved_login(at(HOTEL)).ok

    assert fail(1) == ["wrong_credentials"]
    assert solved_login(at("192.0.2.7")).status == 429


def test_successes_are_no_failures(buyer: Account) -> None:
    assert all(login(at(OFFICE)).ok for _ in range(30))
    assert all(login(at(f"192.0.2.{number}")).ok for number in range(30))


def test_a_colleagues_guesses_at_a_known_address_have_the_ceiling_too(buyer: Account) -> None:
    login(at(OFFICE))
    fail(10, OFFICE)
    assert solved_login(at(OFFICE)).ok
    fail(11, OFFICE)

    assert solved_login(at(OFFICE)).status == 429


def test_a_reset_by_mail_opens_the_account_and_makes_its_browser_known(mailed: Account) -> None:
    fail(21)
    browser = at(HOTEL)
    code = request_code()
    assert browser.post(
        "/api/Account/ResetPassword", {"UserName": "buyer", "Code": code, "NewPassword": NEW}
    ).ok
    assert login(at(OFFICE), NEW).ok

    fail(21)
    assert login(browser, NEW).ok
