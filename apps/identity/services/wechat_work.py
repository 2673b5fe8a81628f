"""Sign in with 企业微信: begin with a state that works once, in this browser only; sign in with the
code that 企业微信 returned; and bind a member to an account, by the account's password or by staff.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.redirects import get_safe_target
from apps.common.tenancy import platform_scope
from apps.identity.errors import (
    AccountDisabled,
    WeChatWorkClosed,
    WeChatWorkExpired,
    WeChatWorkRefused,
    WeChatWorkUnbound,
)
from apps.identity.known_device import KnownDevice
from apps.identity.models import WeChatWorkAccount, WeChatWorkState
from apps.identity.selectors import find_account
from apps.identity.services.family import family_begin
from apps.identity.services.login import account_authenticate
from apps.identity.services.mail import send_account_mail
from apps.identity.services.second_factor import Proof, SecondStep, check_second_step
from apps.identity.services.session_key import SessionSignIn
from apps.identity.tokens import hash_text
from apps.identity.wechat_work import get_wechat_work_provider
from apps.org.locks import lock_account
from apps.org.models import Account

LIFETIME = timedelta(minutes=10)
BROWSER = re.compile(r"[0-9A-Za-z_-]{43}")


BOUND_TOPIC = "identity.wechat_work_bound"
TAKEN = "该商城账号或企业微信成员已有绑定，请联系贵司管理员或客服解除后重试"


@dataclass(frozen=True, slots=True)
class WeChatWorkBegun:
    """The redirect URL, and the browser's secret (stored in an HttpOnly cookie)."""

    url: str
    browser: str


def wechat_work_begin(
    *, callback: str, browser: str, return_url: str, is_inside: bool
) -> WeChatWorkBegun:
    """Return the URL of 企业微信, which redirects back to `callback`. If `browser` already has a
    secret, the secret stays the same, so that other tabs still work.

    Raises:
        WeChatWorkUnavailable: sign-in with 企业微信 is off.
    """
    provider = get_wechat_work_provider()
    secret = browser if BROWSER.fullmatch(browser) else secrets.token_urlsafe(32)
    state = secrets.token_hex(32)  # 企业微信 accepts only letters and digits
    WeChatWorkState.objects.create(
        state_hash=hash_text(state),
        browser_hash=hash_text(secret),
        return_url=get_safe_target(return_url) or "",
        expires_at=timezone.now() + LIFETIME,
    )
    return WeChatWorkBegun(
        url=provider.authorize_url(callback=callback, state=state, is_inside=is_inside),
        browser=secret,
    )


def wechat_work_sign_in(
    *, code: str, state: str, browser: str, client: str, user_agent: str = ""
) -> SessionSignIn:
    """Use up the state and the code, and begin a sign-in of the member's account.

    Raises:
        WeChatWorkExpired: the state is unknown, used, too old or from another browser, the code
            is no longer valid, or the binding was removed meanwhile.
        WeChatWorkUnbound: the member has no account. The member has 10 minutes to bind one in this
            browser (wechat_work_bind).
        AccountDisabled, WeChatWorkRefused: the account may not sign in, or not with 企业微信; or
            the person is not a member.
        WeChatWorkUnavailable: 企业微信 does not answer.
    """
    provider = get_wechat_work_provider()
    row = _use_state(state, browser)
    user_id = provider.get_member(code=code)
    binding = WeChatWorkAccount.objects.filter(corp_id=provider.corp_id, user_id=user_id).first()
    if binding is None:
        row.user_id, row.expires_at = user_id, timezone.now() + LIFETIME
        row.save(update_fields=["user_id", "expires_at"])
        raise WeChatWorkUnbound(body={"Member": user_id})
    account = find_account(binding.account_id)
    if account is None:
        raise AccountDisabled
    check_sign_in_allowed(account)
    with transaction.atomic(), platform_scope(reason="sign-in"):
        # The locks last until the session is stored, so the undo of a changed contact, which
        # removes the binding and then ends the sessions, ends this one too.
        lock_account(account.pk)
        if not WeChatWorkAccount.objects.filter(pk=binding.pk).update(used_at=timezone.now()):
            raise WeChatWorkExpired
        tokens = family_begin(
            account=account, client=client, user_agent=user_agent, is_by_password=False
        )
    return SessionSignIn(tokens=tokens, redirect=None, return_url=row.return_url or None)


def check_sign_in_allowed(account: Account) -> None:
    """Check that the account may sign in with 企业微信.

    Raises:
        AccountDisabled: the account or its group is disabled.
        WeChatWorkRefused: the group does not allow this sign-in.
    """
    if not account.is_active or account.group is None or not account.group.is_active:
        raise AccountDisabled
    if not account.group.allows_wechat_work:
        raise WeChatWorkClosed


def _use_state(state: str, browser: str) -> WeChatWorkState:
    """Use up the state of a sign-in that this browser began.

    Raises:
        WeChatWorkExpired: it is unknown, expired or used, or began in another browser.
    """
    now = timezone.now()
    states = WeChatWorkState.objects.filter(
        state_hash=hash_text(state), browser_hash=hash_text(browser)
    )
    # The conditional UPDATE makes the state one-time: of two concurrent requests, only one
    # succeeds.
    if not states.filter(used_at__isnull=True, expires_at__gt=now).update(used_at=now):
        raise WeChatWorkExpired
    return states.get()


def wechat_work_bind(
    *,
    state: str,
    browser: str,
    username: str,
    password: str,
    client: str,
    user_agent: str = "",
    captcha: object = None,
    device: KnownDevice | None = None,
    proof: Proof | None = None,
) -> SessionSignIn:
    """Bind the member of `state` to the account with this name and password, and begin a
    sign-in.

    Raises:
        WeChatWorkExpired: no member returned with this state in this browser in the last 10
            minutes, or the member is already bound.
        SignInSlowed, CaptchaRequired, CaptchaFailed, WrongCredentials, AccountDisabled: as
            account_authenticate, with the same limits.
        WeChatWorkRefused: the group does not allow this sign-in, or the member or account is
            already bound.
        SecondFactorRequired, WrongSecondFactor, SecondFactorSlowed, WrongState: as
            check_second_step.
    """
    provider = get_wechat_work_provider()
    open_states = WeChatWorkState.objects.filter(
        state_hash=hash_text(state),
        browser_hash=hash_text(browser),
        bound_at__isnull=True,
        expires_at__gt=timezone.now(),
    ).exclude(user_id="")
    row = open_states.first()
    if row is None:
        raise WeChatWorkExpired
    account = account_authenticate(
        username=username, password=password, client=client, captcha=captcha, device=device
    )
    check_sign_in_allowed(account)
    check_second_step(account=account, step=SecondStep(proof or Proof()), may_set_up=False)
    with transaction.atomic():
        # The lock lasts until the session is stored, so the undo of a changed contact, which
        # removes the binding and then ends the sessions, finds both or neither.
        with platform_scope(reason="sign-in"):
            lock_account(account.pk)
        if not open_states.update(bound_at=timezone.now()):
            raise WeChatWorkExpired
        wechat_work_link(account=account, corp_id=provider.corp_id, user_id=row.user_id, by=None)
        tokens = family_begin(
            account=account, client=client, user_agent=user_agent, is_by_password=False
        )
    return SessionSignIn(tokens=tokens, redirect=None, return_url=row.return_url or None)


@transaction.atomic
def wechat_work_link(
    *, account: Account, corp_id: str, user_id: str, by: Account | None
) -> WeChatWorkAccount:
    """Bind the member to the account and notify the owner by mail. `by` is the staff member, or
    None for the owner.

    Raises:
        WeChatWorkRefused: the member or the account is already bound.
    """
    try:
        with transaction.atomic():
            binding: WeChatWorkAccount = WeChatWorkAccount.objects.create(
                corp_id=corp_id, user_id=user_id, account=account, bound_by=by
            )
    except IntegrityError as error:
        raise WeChatWorkRefused(TAKEN) from error
    payload = {"AccountId": account.pk, "Member": user_id, "At": binding.created_at.isoformat()}
    outbox_publish(topic=BOUND_TOPIC, key=str(account.pk), payload=payload)
    return binding


def handle_wechat_work_bound(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of BOUND_TOPIC: notify the owner, also if the owner did not make the
    binding.
    """
    account = find_account(int(str(payload["AccountId"])))
    if account is not None and account.email:
        send_account_mail(
            account=account,
            subject="已绑定企业微信",
            template="wechat_work_bound",
            at=str(payload["At"]),
            member=str(payload["Member"]),
        )
