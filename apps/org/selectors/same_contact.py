"""Whether an account shares its mobile or mail with a colleague: codes and letters of both would come to one person."""

from __future__ import annotations

from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import accounts_visible

LABELS = {"mobile": "手机号码", "email": "邮箱"}


def same_contacts(*, actor: Account, account: Account, fields: set[str]) -> list[str]:
    """Return in words which of `fields` (mobile, email) an enabled colleague has too; who it is only where the actor sees him."""
    texts = []
    for field, label in LABELS.items():
        value = getattr(account, field)
        if field not in fields or not value:
            continue
        others = Account.objects.filter(**{f"{field}__iexact": value, "is_active": True}).exclude(pk=account.pk)
        if others.exists():
            known = accounts_visible(actor=actor, menu=MenuCode.MANAGEMENT_ACCOUNT).filter(pk__in=others).order_by("pk").first()
            texts.append(f"{label}与{f' {known.nickname}（{known.username}）' if known else '集团内其他账号'}相同")
    return texts
