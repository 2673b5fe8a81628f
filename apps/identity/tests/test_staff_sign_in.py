"""Staff sign-in slows down after failures. The counters use name, address and known device.
Nobody is locked out.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.common.models import RateBlock, RateCounter
from apps.common.tenancy import platform_scope
from apps.identity.known_device import AGE_SECONDS, COOKIE
from apps.identity.services.sign_in_pace import BY_NAME, attempt_begin
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD, StaffFactory
from apps.org.tests.office import create_staff, open_office

OFFICE, THIEF = "198.51.100.20", "203.0.113.66"


def sign_in(
    client: Client, *, password: str = PASSWORD, username: str = "ops", address: str = THIEF
) -> Any:
    form = {"username": username, "password": password}
    return client.post(reverse("admin:login"), form, REMOTE_ADDR=address)


def is_in(answer: Any) -> bool:
    return answer.status_code == 302


def wait_of(answer: Any) -> int:
    """Return the waiting time in seconds that the page shows, or 0 if it shows none."""
    match = re.search(r"请 (\d+) 秒后再试", answer.content.decode())
    return int(match[1]) if match else 0


def fail(times: int, *, username: str = "ops", address: str = THIEF) -> list[int]:
    return [
        wait_of(sign_in(Client(), password="wrong", username=username, address=address))
        for _ in range(times)
    ]


def sign_out(browser: Client) -> None:
    """End the session. The other cookies of the browser remain."""
    browser.post(reverse("admin:logout"))


def let_seconds_pass(seconds: int) -> None:
    """Move the windows of all rate counters back, as if this time had passed."""
    for counter in RateCounter.objects.all():
        counter.expires_at -= timedelta(seconds=seconds)
        counter.save()


@pytest.fixture(autouse=True)
def _table(settings: Any) -> None:
    settings.CACHE_URL = ""


def test_failures_from_five_addresses_delay_a_right_password(
    staff: Account,
) -> None:
    for number in range(5):
        fail(9, address=f"203.0.113.{number}")

    answer = sign_in(Client(), address="203.0.113.9")
    assert not is_in(answer)
    assert wait_of(answer) > 0


def test_the_fifth_wrong_password_under_a_name_begins_a_wait_that_grows(staff: Account) -> None:
    assert fail(5) == [0, 0, 0, 0, 5]
    waits = []
    for _ in range(8):
        let_seconds_pass(300)
        waits += fail(1)
    assert waits == [10, 20, 40, 80, 160, 300, 300, 300]


def test_the_right_password_is_not_looked_at_before_the_wait_is_over(staff: Account) -> None:
    fail(5)

    early = sign_in(Client())
    assert (is_in(early), 1 <= wait_of(early) <= 5) == (False, True)
    let_seconds_pass(5)
    assert is_in(sign_in(Client()))


def test_early_try_does_not_prolong_the_wait(staff: Account) -> None:
    fail(5)
    fail(30)
    let_seconds_pass(5)

    assert fail(1) == [10]


@pytest.mark.parametrize("name", ["nobody", "ops"])
def test_wait_is_the_same_for_an_unknown_name(staff: Account, name: str) -> None:
    assert fail(5, username=name) == [0, 0, 0, 0, 5]


def test_a_strangers_failures_do_not_keep_out_the_owner_from_his_browser(staff: Account) -> None:
    browser = Client()
    assert is_in(sign_in(browser, address=OFFICE))
    sign_out(browser)
    fail(5)
    fail(5, address="203.0.113.77")

    assert browser.cookies[COOKIE]["max-age"] == AGE_SECONDS
    assert is_in(sign_in(browser, address="192.0.2.200"))


def test_a_strangers_failures_do_not_keep_out_the_owner_from_his_address(staff: Account) -> None:
    assert is_in(sign_in(Client(), address=OFFICE))
    fail(5)

    assert is_in(sign_in(Client(), address=OFFICE))


def test_known_browser_waits_after_its_own_failures(staff: Account) -> None:
    browser = Client()
    sign_in(browser, address=OFFICE)
    sign_out(browser)
    waits = [wait_of(sign_in(browser, password="wrong", address=OFFICE)) for _ in range(5)]

    assert waits == [0, 0, 0, 0, 5]
    assert not is_in(sign_in(browser, address=OFFICE))


def test_device_cookie_of_another_name_does_not_avoid_the_wait(staff: Account) -> None:
    with platform_scope(reason="test"):
        StaffFactory(username="colleague")
    browser = Client()
    sign_in(browser, username="colleague", address=THIEF)
    fail(5)

    assert not is_in(sign_in(browser, username="ops", address=THIEF))


@pytest.mark.parametrize("cookie", ["", "x", "eyJLZXkiOiAiYSJ9:1x:forged"])
def test_a_cookie_that_we_have_not_signed_is_none(staff: Account, cookie: str) -> None:
    fail(5)
    browser = Client()
    browser.cookies[COOKIE] = cookie

    assert not is_in(sign_in(browser))


def test_failures_of_colleagues_at_one_address_do_not_block_a_sign_in(staff: Account) -> None:
    for number in range(12):
        fail(1, username=f"colleague{number}", address=OFFICE)

    assert is_in(sign_in(Client(), address=OFFICE))


def test_failures_on_many_names_from_one_address_are_slowed_and_listed(staff: Account) -> None:
    waits = [fail(1, username=f"name{number}")[0] for number in range(21)]
    assert waits == [0] * 20 + [5]
    assert wait_of(sign_in(Client())) > 0

    block = RateBlock.objects.get()
    assert (block.rule, block.client) == ("admin-login", THIEF)
    assert block.until < timezone.now() + timedelta(seconds=6)


def test_successes_are_not_counted_against_an_address(staff: Account) -> None:
    with platform_scope(reason="test"):
        names = [StaffFactory().username for _ in range(22)]

    assert all(is_in(sign_in(Client(), username=name, address=OFFICE)) for name in names)


def test_tries_at_once_are_counted_before_the_password_is_looked_at(db: None) -> None:
    begun = [attempt_begin(door="x", username="ops", client=THIEF, device=None) for _ in range(8)]

    assert [attempt.wait for attempt in begun] == [0, 0, 0, 0, 0, 5, 5, 5]


def test_successful_sign_in_resets_the_failures(staff: Account) -> None:
    fail(BY_NAME.free)
    assert is_in(sign_in(Client()))

    assert fail(4) == [0, 0, 0, 0]


REASON = "本人来电，更换电脑，已核对身份"


def release(person: Account, account: Account, reason: str = REASON) -> Any:
    """Release the account's name as this person, and return the page that follows."""
    page = reverse("admin:org_account_sign_in_release", args=[account.pk])
    return open_office(person).post(page, {"reason": reason}, follow=True)


def test_staff_with_the_right_release_a_name_and_the_log_has_the_reason(staff: Account) -> None:
    fail(6)
    let_seconds_pass(5)
    fail(1)
    assert not is_in(sign_in(Client()))
    system = create_staff("系统")
    release(system, staff)

    assert is_in(sign_in(Client()))
    entry = LogEntry.objects.get(object_id=staff.pk, additional_data__kind="sign_in_release")
    assert (entry.actor_id, entry.changes["note"][1]) == (
        system.pk,
        f"解除登录限速（登录失败 6 次）；原因：{REASON}",
    )
    assert fail(4) == [0, 0, 0, 0]


def test_a_release_needs_a_reason(staff: Account) -> None:
    fail(5)
    page = release(create_staff("系统"), staff, reason=" ")

    assert "请填写原因" in page.content.decode()
    assert not is_in(sign_in(Client()))


def test_a_name_without_failures_needs_no_release(staff: Account) -> None:
    page = release(create_staff("系统"), staff)

    assert "该账号当前没有登录限速，无需操作" in page.content.decode()
    assert not LogEntry.objects.filter(additional_data__kind="sign_in_release").exists()


def test_release_of_a_name_requires_the_permission(staff: Account) -> None:
    fail(5)

    assert release(create_staff("客服"), staff).status_code == 403
    assert not is_in(sign_in(Client()))


def test_a_customers_page_offers_no_release(buyer: Account) -> None:
    person = create_staff("系统")

    assert release(person, buyer).status_code == 403
    page = open_office(person).get(reverse("admin:org_account_change", args=[buyer.pk]))
    assert "解除登录限速" not in page.content.decode()


def test_the_page_of_a_staff_account_offers_the_release(staff: Account) -> None:
    page = open_office(create_staff("系统")).get(
        reverse("admin:org_account_change", args=[staff.pk])
    )

    assert reverse("admin:org_account_sign_in_release", args=[staff.pk]) in page.content.decode()
