"""G7: parallel refreshes of one token keep all tabs signed in and return one successor; a
replay after the grace revokes the family.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from apps.common.testing import ApiClient
from apps.identity.models import Captcha, SessionKey, SessionKeyIssuer, TokenFamily
from apps.identity.services.captcha import captcha_issue
from apps.identity.services.session_key import session_key_issue
from apps.identity.tests.hand import solve
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
PARALLEL = 50


def together(work: Callable[[], Any], times: int) -> list[Any]:
    """Return the results of the same work in several parallel processes."""
    return [outcome.value for outcome in run_race([work] * times, processes=times)]


def sign_in() -> dict[str, Any]:
    body: dict[str, Any] = (
        ApiClient().post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD}).body
    )
    return body


def refresh(token: str, user_id: int) -> tuple[bool, str | None]:
    answer = ApiClient().post(
        "/api/Account/RefreshToken", {"RefreshToken": token, "UserId": str(user_id)}
    )
    return answer.ok, (answer.body or {}).get("RefreshToken")


def test_fifty_parallel_refreshes_get_one_successor(buyer: Account) -> None:
    token = sign_in()["RefreshToken"]

    answers = together(partial(refresh, token, buyer.pk), PARALLEL)

    assert [ok for ok, _ in answers] == [True] * PARALLEL
    assert len({successor for _, successor in answers}) == 1
    family = TokenFamily.objects.get()
    assert (family.generation, family.revoked_at) == (1, None)
    assert refresh(answers[0][1], buyer.pk)[0]


def list_chain(token: str, user_id: int) -> list[bool]:
    """Refresh five times, each time with the new token. A refused tab stops."""
    went: list[bool] = []
    for _ in range(5):
        ok, heir = refresh(token, user_id)
        went.append(ok)
        if heir is None:
            break
        token = heir
    return went


def test_tabs_that_refresh_on_and_on_never_log_one_another_out(buyer: Account) -> None:
    token = sign_in()["RefreshToken"]

    assert together(partial(list_chain, token, buyer.pk), 20) == [[True] * 5] * 20
    assert TokenFamily.objects.get().revoked_at is None


def test_parallel_replays_after_the_grace_all_fail_and_end_the_family(buyer: Account) -> None:
    token = sign_in()["RefreshToken"]
    heir = refresh(token, buyer.pk)[1]
    family = TokenFamily.objects.get()
    family.rotations = [[generation, at - 21] for generation, at in family.rotations]
    family.save()

    answers = together(partial(refresh, token, buyer.pk), 10)

    assert [ok for ok, _ in answers] == [False] * 10
    assert refresh(str(heir), buyer.pk) == (False, None)


def use_key(key: str) -> bool:
    return ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).ok


def test_a_session_key_used_by_twenty_at_once_signs_one_in(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO)

    assert sorted(together(partial(use_key, key), 20)) == [False] * 19 + [True]
    assert SessionKey.objects.filter(used_at__isnull=False).count() == 1


def unlock(answer: dict[str, Any]) -> bool:
    return ApiClient().post("/api/Account/UnLock", {"CaptchaVerifyParam": answer}).ok


def test_a_solved_puzzle_sent_twenty_times_at_once_counts_once(buyer: Account) -> None:
    answer = solve(str(captcha_issue()[0]))

    assert sorted(together(partial(unlock, answer), 20)) == [False] * 19 + [True]
    assert Captcha.objects.count() == 1


def guess(number: int) -> str:
    body = {"UserName": "buyer", "Password": f"wrong-{number}"}
    return ApiClient(REMOTE_ADDR=f"203.0.113.{number}").post("/api/Account/Login", body).code


def test_thirty_parallel_guesses_learn_no_more_than_five(buyer: Account) -> None:
    codes = [
        outcome.value
        for outcome in run_race([partial(guess, number) for number in range(1, 31)], processes=30)
    ]

    assert sorted(codes) == ["captcha_required"] * 25 + ["wrong_credentials"] * 5
