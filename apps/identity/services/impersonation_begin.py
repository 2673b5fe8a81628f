"""以客户身份登录: create a session key with which staff act as a customer's account."""

from __future__ import annotations

from django.db import transaction

from apps.common.errors import ValidationFailed
from apps.identity.errors import NotImpersonated
from apps.identity.models.one_time import SessionKeyIssuer
from apps.identity.services.impersonation_log import impersonation_log
from apps.identity.services.session_key import session_key_issue
from apps.org.models import Account


@transaction.atomic
def impersonation_begin(*, actor: Account, account: Account, reason: str, client: str = "") -> str:
    """Return a session key with which `actor` signs in as the account. The log contains the
    actor and the reason.

    Raises:
        ValidationFailed: the reason is missing.
        NotImpersonated: the account is staff or disabled, or its group is disabled.
    """
    reason = reason.strip()
    if not reason:
        raise ValidationFailed({"reason": ["请填写代登录原因，客户可查询"]})
    if (
        account.is_staff
        or not account.is_active
        or account.group is None
        or not account.group.is_active
    ):
        raise NotImpersonated
    impersonation_log(staff=actor, account=account, what="已申请", reason=reason, client=client)
    return session_key_issue(
        account=account, issuer=SessionKeyIssuer.STAFF, issued_by=actor, reason=reason
    )
