"""Sign in with name and password.

Failures are counted by origin (`sign_in_pace.py`): after a stranger's failures, strangers need
the captcha but the owner does not. A solved captcha allows one try. It does not raise the limit of
failures of an account.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.hashers import make_password

from apps.common.limits.counters import (
    add_hits,
    build_client_limit_name,
    forget,
    get_seconds_left,
    peek,
)
from apps.common.tenancy import platform_scope
from apps.identity.errors import AccountDisabled, CaptchaRequired, SignInSlowed, WrongCredentials
from apps.identity.known_device import KnownDevice, hash_name
from apps.identity.selectors import find_account_by_username
from apps.identity.services.captcha import captcha_verify
from apps.identity.services.family import family_begin
from apps.identity.services.second_factor import SecondStep, check_second_step
from apps.identity.services.sign_in_pace import (
    DAY,
    STOREFRONT_DOOR,
    Lane,
    Origin,
    OriginKind,
    Pace,
    find_origin,
    get_unknown_origin,
    remember_address,
)
from apps.identity.tokens import TokenPair
from apps.org.models import Account

FAILURES_WITHOUT_CAPTCHA = 5
WINDOW_SECONDS = 15 * 60
MANY = 1000
# Per origin, with or without captcha: 20 failures, then waits of 1, 2, 4, … minutes up to an
# hour. This allows at most 26 failures in the first hour and 49 in the 24 hours after the first
# failure.
CEILING = Pace(free=20, first=60, longest=3600, window=DAY)
# Names that failed from one address. Unknown origins and people who work at the address have
# separate counters.
NAMES_COUNTER = {OriginKind.UNKNOWN: "login", OriginKind.ADDRESS: "login-colleagues"}


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A sign-in. `recovery_codes` are new if it has set up the second factor."""

    tokens: TokenPair
    account: Account
    recovery_codes: list[str]


def login(
    *,
    username: str,
    password: str,
    client: str,
    user_agent: str = "",
    captcha: object = None,
    device: KnownDevice | None = None,
    step: Callable[[Account], SecondStep] = lambda _account: SecondStep(),
) -> SignedIn:
    """Check the password and the second factor, and return the tokens of a new sign-in. They come
    with recovery codes if this sign-in has set up the second factor. `step` reads the second
    factor of the account from the request.

    Raises:
        SignInSlowed, CaptchaRequired, CaptchaFailed, WrongCredentials, AccountDisabled: as
            account_authenticate.
        SecondFactorRequired, WrongSecondFactor, SecondFactorSlowed: as check_second_step.
    """
    account = account_authenticate(
        username=username, password=password, client=client, captcha=captcha, device=device
    )
    recovery_codes = check_second_step(account=account, step=step(account))
    tokens = family_begin(account=account, client=client, user_agent=user_agent)
    return SignedIn(tokens, account, recovery_codes)


def account_authenticate(
    *,
    username: str,
    password: str,
    client: str,
    captcha: object = None,
    device: KnownDevice | None = None,
) -> Account:
    """Return the account after checking its password. `device` comes from the browser's cookie.

    Raises:
        SignInSlowed: this origin has failed too often with this name (CEILING). A solved captcha
            does not help.
        CaptchaRequired, CaptchaFailed: the captcha is not solved, and within 15 minutes this origin
            failed 5 times with this name, or this client failed with LOGIN_NAMES_PER_CLIENT names.
            In an office, several people may mistype behind one address; an attacker tries many
            names.
        WrongCredentials: unknown name, wrong password, or a staff account.
        AccountDisabled: the account or its group is disabled, and the password is right.
    """
    origin = find_origin(door=STOREFRONT_DOOR, username=username, client=client, device=device)
    ceiling, failures, names = (
        _get_ceiling_lane(origin),
        _get_failures_counter(origin),
        _get_names_counter(origin, client),
    )
    if wait := get_seconds_left(name=ceiling.waits):
        raise SignInSlowed(seconds=wait)
    is_solved = False
    if peek(name=failures) >= FAILURES_WITHOUT_CAPTCHA or _has_many_names(names):
        if not captcha:
            raise CaptchaRequired
        captcha_verify(answer=captcha)
        is_solved = True
    # Count before the password check, so that concurrent tries gain nothing over sequential ones.
    count = add_hits(name=failures, limit=MANY, window_seconds=WINDOW_SECONDS)
    if count > FAILURES_WITHOUT_CAPTCHA and not is_solved:
        raise CaptchaRequired
    wait, _ = ceiling.count()
    if wait:
        raise SignInSlowed(seconds=wait)
    account = find_account_with_password(username, password)
    if account is None:
        is_too_many = names is not None and _count_name(names, username)
        raise CaptchaRequired if is_too_many and not is_solved else WrongCredentials
    if not is_solved and _has_many_names(names):
        raise CaptchaRequired
    forget(name=failures)
    # Other people may share this origin, so their failures stay.
    if origin.kind is OriginKind.DEVICE:
        ceiling.forget()
    else:
        ceiling.take_back()
    if not account.is_active or not (account.group and account.group.is_active):
        raise AccountDisabled
    remember_address(origin)
    return account


def find_account_with_password(username: str, password: str) -> Account | None:
    """Return the customer account with this name and password, or None. The check takes the
    same time for an unknown name.
    """
    account = find_account_by_username(username)
    if account is None:
        make_password(password)
        return None
    with platform_scope(reason="password check may re-hash"):
        return account if account.check_password(password) and account.group is not None else None


def failures_forget(*, username: str, client: str, device: KnownDevice | None) -> None:
    """Forget the failures of strangers and of this origin for a name, after another proof of
    the owner.
    """
    for origin in (
        get_unknown_origin(username=username),
        find_origin(door=STOREFRONT_DOOR, username=username, client=client, device=device),
    ):
        forget(name=_get_failures_counter(origin))
        _get_ceiling_lane(origin).forget()


def _get_failures_counter(origin: Origin) -> str:
    return f"login-name:{origin.key}"


def _get_ceiling_lane(origin: Origin) -> Lane:
    return Lane(CEILING, f"login-guesses:{origin.key}", f"login-wait:{origin.key}")


def _get_names_counter(origin: Origin, client: str) -> str | None:
    """Return the counter of names that failed from this address. None for a known device,
    because its failures do not count for the address.
    """
    name = NAMES_COUNTER.get(origin.kind)
    return build_client_limit_name(name=name, client=client) if name else None


def _count_name(counter: str, username: str) -> bool:
    """Count the name, once in 15 minutes. Return whether the number of names exceeds the limit."""
    pair = (
        f"login-pair:{hashlib.sha256(f'{counter} {hash_name(username)}'.encode()).hexdigest()[:40]}"
    )
    if add_hits(name=pair, limit=1, window_seconds=WINDOW_SECONDS) > 1:
        return False
    most = settings.LOGIN_NAMES_PER_CLIENT
    return add_hits(name=counter, limit=MANY, window_seconds=WINDOW_SECONDS, holds_from=most) > most


def _has_many_names(counter: str | None) -> bool:
    return counter is not None and peek(name=counter) >= settings.LOGIN_NAMES_PER_CLIENT
