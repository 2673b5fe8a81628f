"""Sign in by name and password."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.contrib.auth.hashers import make_password

from apps.common.limits.counters import client_limit_name, forget, hit, peek
from apps.common.tenancy import platform_scope
from apps.identity.errors import AccountDisabled, CaptchaRequired, WrongCredentials
from apps.identity.selectors.sign_in import account_by_username
from apps.identity.services.captcha import captcha_verify
from apps.identity.services.family import family_begin
from apps.identity.tokens import TokenPair
from apps.org.models import Account

FAILURES_WITHOUT_CAPTCHA = 5
WINDOW_SECONDS = 15 * 60


def login(*, username: str, password: str, client: str, user_agent: str = "", captcha: object = None) -> TokenPair:
    """Return the tokens of a new sign-in.

    Raises:
        CaptchaRequired, CaptchaFailed, WrongCredentials, AccountDisabled: as account_proved.
    """
    account = account_proved(username=username, password=password, client=client, captcha=captcha)
    return family_begin(account=account, client=client, user_agent=user_agent)


def account_proved(*, username: str, password: str, client: str, captcha: object = None) -> Account:
    """Return the account whose owner has proved himself by its password.

    Raises:
        CaptchaRequired, CaptchaFailed: no solved puzzle, and in 15 minutes 5 failures under this name, or failures under
            LOGIN_NAMES_PER_CLIENT names from this client: an office behind one address may mistype, a guesser tries many names.
        WrongCredentials: unknown name, wrong password, or a staff account.
        AccountDisabled: the account or its group is disabled, and the password is right.
    """
    counters = (_name_counter(username), client_limit_name(name="login", client=client))
    solved = False
    if _too_many(counters):
        if not captcha:
            raise CaptchaRequired
        captcha_verify(answer=captcha)
        solved = True
    account = account_with_password(username, password)
    if account is None:
        # A guess that ran beside the one too many learns nothing either.
        raise CaptchaRequired if _failed(counters) and not solved else WrongCredentials
    if not solved and _too_many(counters):
        raise CaptchaRequired
    if not account.is_active or not (account.group and account.group.is_active):
        raise AccountDisabled
    forget(name=counters[0])
    return account


def account_with_password(username: str, password: str) -> Account | None:
    """Return the customer's account with this name and password; an unknown name takes the same time to refuse."""
    account = account_by_username(username)
    if account is None:
        make_password(password)
        return None
    with platform_scope(reason="password check may re-hash"):
        return account if account.check_password(password) and account.group is not None else None


def failures_forget(*, username: str) -> None:
    """Forget the failures under a name whose owner has proved himself otherwise."""
    forget(name=_name_counter(username))


def _name_counter(username: str) -> str:
    return f"login-name:{hashlib.sha256(username.casefold().encode()).hexdigest()[:40]}"


def _failed(counters: tuple[str, str]) -> bool:
    """Count a failure; a client's counter holds the names it failed under, each once. Return whether it was one too many."""
    name, client = counters
    under_name = hit(name=name, limit=1000, window_seconds=WINDOW_SECONDS)
    pair = f"login-pair:{hashlib.sha256(f'{client} {name}'.encode()).hexdigest()[:40]}"
    is_new = hit(name=pair, limit=1, window_seconds=WINDOW_SECONDS) == 1
    most = settings.LOGIN_NAMES_PER_CLIENT
    names = hit(name=client, limit=1000, window_seconds=WINDOW_SECONDS, holds_from=most) if is_new else 0
    return under_name > FAILURES_WITHOUT_CAPTCHA or names > most


def _too_many(counters: tuple[str, str]) -> bool:
    name, client = counters
    return peek(name=name) >= FAILURES_WITHOUT_CAPTCHA or peek(name=client) >= settings.LOGIN_NAMES_PER_CLIENT
