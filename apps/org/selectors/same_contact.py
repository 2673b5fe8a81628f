"""A check for colleagues with the same mobile or mail. One person would receive the codes and
letters of both accounts.
"""

from __future__ import annotations

from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import accounts_visible

LABELS = {"mobile": "手机号码", "email": "邮箱"}


def same_contacts(*, actor: Account, account: Account, fields: set[str]) -> list[str]:
    """Return, in words, which of `fields` (mobile, email) an enabled colleague also has. The
    text names the colleague only if the actor may see that account.
    """
    texts = []
    for field, label in LABELS.items():
        value = getattr(account, field)
        if field not in fields or not value:
            continue
        others = Account.objects.filter(**{f"{field}__iexact": value, "is_active": True}).exclude(
            pk=account.pk
        )
        if others.exists():
            known = (
                accounts_visible(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT)
                .filter(pk__in=others)
                .order_by("pk")
                .first()
            )
            texts.append(
                f"{label}"
                f"与{f' {known.nickname}（{known.username}）' if known else '集团内其他账号'}"
                "相同"
            )
    return texts
