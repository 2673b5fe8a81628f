"""Bind a member of 企业微信 to an account. The member does this with the account's password, or
staff do it in the back office.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.tenancy import platform_scope
from apps.identity.errors import WeChatWorkExpired, WeChatWorkRefused
from apps.identity.known_device import KnownDevice
from apps.identity.models import WeChatWorkAccount, WeChatWorkState
from apps.identity.selectors.sign_in import account_by_pk
from apps.identity.services.family import family_begin
from apps.identity.services.login import account_proved
from apps.identity.services.mail import account_mail
from apps.identity.services.session_key import SessionSignIn
from apps.identity.services.wechat_work_sign_in import admit
from apps.identity.tokens import hash_of
from apps.identity.wechat_work import wechat_work_provider
from apps.org.locks import lock_account
from apps.org.models import Account

BOUND_TOPIC = "identity.wechat_work_bound"
TAKEN = "该商城账号或企业微信成员已有绑定，请联系贵司管理员或客服解除后重试"


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
) -> SessionSignIn:
    """Bind the member of `state` to the account with this name and password, and begin a
    sign-in.

    Raises:
        WeChatWorkExpired: no member returned with this state in this browser in the last 10
            minutes, or the member is already bound.
        SignInSlowed, CaptchaRequired, CaptchaFailed, WrongCredentials, AccountDisabled: as
            account_proved, with the same limits.
        WeChatWorkRefused: the group does not allow this sign-in, or the member or account is
            already bound.
    """
    provider = wechat_work_provider()
    waiting = WeChatWorkState.objects.filter(
        state_hash=hash_of(state),
        browser_hash=hash_of(browser),
        bound_at__isnull=True,
        expires_at__gt=timezone.now(),
    ).exclude(user_id="")
    row = waiting.first()
    if row is None:
        raise WeChatWorkExpired
    account = account_proved(
        username=username, password=password, client=client, captcha=captcha, device=device
    )
    admit(account)
    with transaction.atomic():
        # The lock lasts until the session is stored, so the undo of a changed contact, which
        # removes the binding and then ends the sessions, finds both or neither.
        with platform_scope(reason="sign-in"):
            lock_account(account.pk)
        if not waiting.update(bound_at=timezone.now()):
            raise WeChatWorkExpired
        wechat_work_link(account=account, corp_id=provider.corp_id, user_id=row.user_id, by=None)
        tokens = family_begin(account=account, client=client, user_agent=user_agent)
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
            bound: WeChatWorkAccount = WeChatWorkAccount.objects.create(
                corp_id=corp_id, user_id=user_id, account=account, bound_by=by
            )
    except IntegrityError as error:
        raise WeChatWorkRefused(TAKEN) from error
    payload = {"AccountId": account.pk, "Member": user_id, "At": bound.created_at.isoformat()}
    outbox_publish(topic=BOUND_TOPIC, key=str(account.pk), payload=payload)
    return bound


def wechat_work_bound_handler(_key: str, payload: dict[str, object]) -> None:
    """Outbox handler of BOUND_TOPIC: notify the owner, also if the owner did not make the
    binding.
    """
    account = account_by_pk(int(str(payload["AccountId"])))
    if account is not None and account.email:
        account_mail(
            account=account,
            subject="已绑定企业微信",
            template="wechat_work_bound",
            at=str(payload["At"]),
            member=str(payload["Member"]),
        )
