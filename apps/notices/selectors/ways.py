"""Which ways a kind takes to a person: as he has chosen, else as the kind's rule says, and only ways that lead to him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from apps.identity.selectors.wechat_work import members_of
from apps.notices.enums import KINDS, MailMode, NoticeKind
from apps.notices.models import NoticePreference
from apps.org.models import Account

DIGEST_HOUR = 9


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of one kind to one person; `digest_at` is when a letter of the day goes, None for one that goes at once."""

    page: bool
    mail: MailMode
    wechat_work: bool
    digest_at: datetime | None = None

    @property
    def any(self) -> bool:
        """Whether it reaches him at all."""
        return self.page or self.wechat_work or self.mail != MailMode.OFF


def default_ways(kind: NoticeKind) -> Ways:
    """Return the ways of a kind where nothing was chosen."""
    rule = KINDS[kind]
    return Ways(page=True, mail=rule.mail, wechat_work=rule.wechat_work)


def next_digest(now: datetime) -> datetime:
    """Return the next time at which the letters of the day go out."""
    local = timezone.localtime(now)
    today = digest_time(local.date())
    return today if now < today else today + timedelta(days=1)


def digest_time(day: date) -> datetime:
    """Return when the letters of a day go out."""
    return timezone.make_aware(datetime.combine(day, time(DIGEST_HOUR)))


def unmailed_kinds(account: Account) -> list[NoticeKind]:
    """Return the kinds of which he wants no letter now; one query."""
    chosen = dict(NoticePreference.objects.filter(account=account).values_list("kind", "mail"))
    return [kind for kind, rule in KINDS.items() if chosen.get(kind, rule.mail) == MailMode.OFF]


def ways_of(*, accounts: Sequence[Account], kind: NoticeKind) -> dict[int, Ways]:
    """Return the ways by account id; two queries however many people."""
    if not accounts:
        return {}
    keys = [account.pk for account in accounts]
    chosen = {row.account_id: row for row in NoticePreference.objects.filter(account__in=keys, kind=kind)}
    members = members_of(account_ids=keys)
    digest_at = next_digest(timezone.now())
    return {account.pk: _ways(account, kind, chosen.get(account.pk), account.pk in members, digest_at) for account in accounts}


def _ways(account: Account, kind: NoticeKind, chosen: NoticePreference | None, is_member: bool, digest_at: datetime) -> Ways:
    wanted = Ways(chosen.page, MailMode(chosen.mail), chosen.wechat_work) if chosen else default_ways(kind)
    rule = KINDS[kind]
    mail = wanted.mail if account.email and not rule.is_mailed_anyway else MailMode.OFF
    return Ways(
        page=wanted.page or rule.is_page_fixed,
        mail=mail,
        wechat_work=wanted.wechat_work and is_member,
        digest_at=digest_at if mail == MailMode.DAILY else None,
    )
