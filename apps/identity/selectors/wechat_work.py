"""Bindings of accounts to members of 企业微信."""

from __future__ import annotations

from collections.abc import Iterable

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.models import WeChatWorkAccount
from apps.identity.wechat_work import wechat_work_provider


def members_of(*, account_ids: Iterable[int]) -> dict[int, str]:
    """Return {account id: member UserId} for the configured corp. Empty if 企业微信 is not
    configured.
    """
    try:
        corp_id = wechat_work_provider().corp_id
    except WeChatWorkUnavailable:
        return {}
    return dict(
        WeChatWorkAccount.objects.filter(
            corp_id=corp_id, account__in=list(account_ids)
        ).values_list("account_id", "user_id")
    )
