"""Save the preferences of an account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from apps.notices.enums import KINDS, MailMode, NoticeKind
from apps.notices.errors import PageNoticeFixed, PreferenceRepeated
from apps.notices.models import NoticePreference
from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """The channels wanted for one kind."""

    kind: NoticeKind
    page: bool
    mail: MailMode
    wechat_work: bool


@transaction.atomic
def preferences_save(*, actor: Account, changes: Sequence[PreferenceChange]) -> None:
    """Save the changes. Other kinds stay as they are.

    Raises:
        ValidationFailed: a kind is given twice, or a fixed kind would be hidden from the page.
    """
    if len({row.kind for row in changes}) < len(changes):
        raise PreferenceRepeated
    hidden = [row.kind.label for row in changes if KINDS[row.kind].is_page_fixed and not row.page]
    if hidden:
        raise PageNoticeFixed(hidden[0])
    rows = [
        NoticePreference(
            account=actor, kind=row.kind, page=row.page, mail=row.mail, wechat_work=row.wechat_work
        )
        for row in changes
    ]
    NoticePreference.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["group", "account", "kind"],
        update_fields=["page", "mail", "wechat_work"],
    )
