"""Sign in with the code that 企业微信 returned."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.common.tenancy import platform_scope
from apps.identity.errors import (
    AccountDisabled,
    WeChatWorkExpired,
    WeChatWorkRefused,
    WeChatWorkUnbound,
)
from apps.identity.models import WeChatWorkAccount, WeChatWorkState
from apps.identity.selectors.sign_in import account_by_pk
from apps.identity.services.family import family_begin
from apps.identity.services.session_key import SessionSignIn
from apps.identity.services.wechat_work_begin import LIFETIME
from apps.identity.tokens import hash_of
from apps.identity.wechat_work import wechat_work_provider
from apps.org.locks import lock_account
from apps.org.models import Account


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
    provider = wechat_work_provider()
    row = _taken(state, browser)
    user_id = provider.member_of(code=code)
    bound = WeChatWorkAccount.objects.filter(corp_id=provider.corp_id, user_id=user_id).first()
    if bound is None:
        row.user_id, row.expires_at = user_id, timezone.now() + LIFETIME
        row.save(update_fields=["user_id", "expires_at"])
        raise WeChatWorkUnbound(body={"Member": user_id})
    account = account_by_pk(bound.account_id)
    if account is None:
        raise AccountDisabled
    admit(account)
    with transaction.atomic(), platform_scope(reason="sign-in"):
        # The locks last until the session is stored, so the undo of a changed contact, which
        # removes the binding and then ends the sessions, ends this one too.
        lock_account(account.pk)
        if not WeChatWorkAccount.objects.filter(pk=bound.pk).update(used_at=timezone.now()):
            raise WeChatWorkExpired
        tokens = family_begin(account=account, client=client, user_agent=user_agent)
    return SessionSignIn(tokens=tokens, redirect=None, return_url=row.return_url or None)


def admit(account: Account) -> None:
    """Check that the account may sign in with 企业微信.

    Raises:
        AccountDisabled: the account or its group is disabled.
        WeChatWorkRefused: the group does not allow this sign-in.
    """
    if not account.is_active or account.group is None or not account.group.is_active:
        raise AccountDisabled
    if not account.group.allows_wechat_work:
        raise WeChatWorkRefused("贵司未开放企业微信登录，请使用账号密码登录")


def _taken(state: str, browser: str) -> WeChatWorkState:
    now = timezone.now()
    found = WeChatWorkState.objects.filter(state_hash=hash_of(state), browser_hash=hash_of(browser))
    # The conditional UPDATE makes the state one-time: of two concurrent requests, only one
    # succeeds.
    if not found.filter(used_at__isnull=True, expires_at__gt=now).update(used_at=now):
        raise WeChatWorkExpired
    return found.get()
