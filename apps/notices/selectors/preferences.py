"""What a person has chosen for every kind, in the order of the kinds, and which ways lead to him."""

from __future__ import annotations

from dataclasses import dataclass

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.selectors.wechat_work import members_of
from apps.identity.wechat_work import wechat_work_provider
from apps.notices.enums import KINDS, MailMode, NoticeKind, NoticeSection
from apps.notices.models import NoticePreference
from apps.notices.selectors.ways import DIGEST_HOUR, default_ways
from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind with its ways; what `page_fixed` and `mail_fixed` say cannot be chosen otherwise."""

    kind: NoticeKind
    section: NoticeSection
    page: bool
    page_fixed: bool
    mail: MailMode
    mail_fixed: bool
    wechat_work: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """All kinds, and where letters and messages would go."""

    choices: list[Choice]
    email: str
    wechat_work_offered: bool
    wechat_work_bound: bool
    digest_hour: int = DIGEST_HOUR


def preferences(*, actor: Account) -> Preferences:
    """Return the actor's preferences; two queries."""
    chosen = {row.kind: row for row in NoticePreference.objects.filter(account=actor)}
    return Preferences(
        choices=[_choice(kind, chosen.get(kind)) for kind in KINDS],
        email=actor.email,
        wechat_work_offered=wechat_work_is_offered(),
        wechat_work_bound=actor.pk in members_of(account_ids=[actor.pk]),
    )


def _choice(kind: NoticeKind, row: NoticePreference | None) -> Choice:
    rule, ways = KINDS[kind], default_ways(kind)
    return Choice(
        kind=kind,
        section=rule.section,
        page=row.page or rule.is_page_fixed if row else ways.page,
        page_fixed=rule.is_page_fixed,
        mail=MailMode.INSTANT if rule.is_mailed_anyway else MailMode(row.mail) if row else ways.mail,
        mail_fixed=rule.is_mailed_anyway,
        wechat_work=row.wechat_work if row else ways.wechat_work,
    )


def wechat_work_is_offered() -> bool:
    """Whether the mall is told of a 企业微信 by its settings, or runs as a demo."""
    try:
        wechat_work_provider()
    except WeChatWorkUnavailable:
        return False
    return True
