"""Which members of 企业微信 the accounts are bound to."""

from __future__ import annotations

from collections.abc import Iterable

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.models import WeChatWorkAccount
from apps.identity.wechat_work import wechat_work_provider


def members_of(*, account_ids: Iterable[int]) -> dict[int, str]:
    """Return the members' UserIds by account id, of the corp that the mall is told by; none where it knows no 企业微信."""
    try:
        corp_id = wechat_work_provider().corp_id
    except WeChatWorkUnavailable:
        return {}
    return dict(WeChatWorkAccount.objects.filter(corp_id=corp_id, account__in=list(account_ids)).values_list("account_id", "user_id"))
