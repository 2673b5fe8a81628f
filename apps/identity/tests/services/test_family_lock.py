"""A token refresh waits for the lock on the token family, then uses the committed state."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.identity.errors import RefreshRefused
from apps.identity.models import TokenFamily
from apps.identity.services.family import LOGGED_OUT, family_begin, family_refresh
from apps.identity.tokens import RefreshToken
from apps.org.models import Account

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS_TO_ARRIVE = 1.0


def in_a_thread(work: Callable[[], Any]) -> tuple[Thread, list[Any]]:
    """Run the work in a thread with its own database connection. The list receives its result,
    or the RefreshRefused that it raised.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(work())
        except RefreshRefused as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread, outcome


def refresh_beside(token: RefreshToken, account: Account, **meanwhile: Any) -> Any:
    """Start a refresh while another transaction has changed the family but has not committed.
    Return the result of the refresh.
    """
    with transaction.atomic():
        TokenFamily.objects.filter(public_id=token.family).update(**meanwhile)
        thread, outcome = in_a_thread(
            lambda: family_refresh(refresh_token=str(token), user_id=str(account.pk))
        )
        thread.join(SECONDS_TO_ARRIVE)
        assert thread.is_alive(), f"it did not wait: {outcome}"
    thread.join(30)
    return outcome[0]


@pytest.fixture
def first(buyer: Account) -> RefreshToken:
    token = RefreshToken.parse(family_begin(account=buyer, client="203.0.113.1").refresh)
    assert token is not None
    return token


def test_refresh_returns_the_youngest_concurrent_rotation(
    first: RefreshToken, buyer: Account
) -> None:
    youngest, now = first.with_generation(2), timezone.now().timestamp()

    pair = refresh_beside(
        first, buyer, generation=2, token_hash=youngest.hash, rotations=[[0, now], [1, now]]
    )

    assert pair.refresh == str(youngest)
    assert TokenFamily.objects.get().generation == 2


def test_refresh_is_refused_after_a_concurrent_logout(first: RefreshToken, buyer: Account) -> None:
    outcome = refresh_beside(first, buyer, revoked_at=timezone.now(), revoked_why=LOGGED_OUT)

    assert isinstance(outcome, RefreshRefused)
