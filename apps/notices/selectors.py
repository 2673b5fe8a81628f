"""The inbox of an account, and the channels of each kind of notice: the account's choice,
otherwise the kind's default.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.selectors import list_members
from apps.identity.wechat_work import get_wechat_work_provider
from apps.notices.enums import KINDS, MailMode, NoticeKind, NoticeSection
from apps.notices.models import Notice, NoticePreference
from apps.org.models import Account

DIGEST_HOUR = 9


@dataclass(frozen=True, slots=True)
class Ways:
    """The channels of one kind for one account. `digest_at` is the time of the daily digest;
    None: the mail is sent at once.
    """

    page: bool
    mail: MailMode
    wechat_work: bool
    digest_at: datetime | None = None

    @property
    def any(self) -> bool:
        """Return whether any channel reaches the account."""
        return self.page or self.wechat_work or self.mail != MailMode.OFF


def get_default_ways(kind: NoticeKind) -> Ways:
    """Return the default channels of a kind."""
    rule = KINDS[kind]
    return Ways(page=True, mail=rule.mail, wechat_work=rule.wechat_work)


def get_next_digest_time(now: datetime) -> datetime:
    """Return the time of the next daily digest."""
    local = timezone.localtime(now)
    today = get_digest_time(local.date())
    return today if now < today else today + timedelta(days=1)


def get_digest_time(day: date) -> datetime:
    """Return the time of the digest on a day."""
    return timezone.make_aware(datetime.combine(day, time(DIGEST_HOUR)))


def list_unmailed_kinds(account: Account) -> list[NoticeKind]:
    """Return the kinds for which the account wants no mail. One query."""
    mail_by_kind = dict(
        NoticePreference.objects.filter(account=account).values_list("kind", "mail")
    )
    return [
        kind for kind, rule in KINDS.items() if mail_by_kind.get(kind, rule.mail) == MailMode.OFF
    ]


def get_ways(
    *, accounts: Collection[Account], kinds: Collection[NoticeKind]
) -> dict[tuple[int, NoticeKind], Ways]:
    """Return {(account id, kind): channels}. Two queries for any number of accounts and kinds."""
    if not accounts:
        return {}
    keys = [account.pk for account in accounts]
    preferences = {
        (row.account_id, row.kind): row
        for row in NoticePreference.objects.filter(account__in=keys, kind__in=kinds)
    }
    members = list_members(account_ids=keys)
    digest_at = get_next_digest_time(timezone.now())
    return {
        (account.pk, kind): _get_effective_ways(
            account, kind, preferences.get((account.pk, kind)), account.pk in members, digest_at
        )
        for account in accounts
        for kind in kinds
    }


def _get_effective_ways(
    account: Account,
    kind: NoticeKind,
    preference: NoticePreference | None,
    is_member: bool,
    digest_at: datetime,
) -> Ways:
    """Return the ways in which the account gets notices of the kind: its preference or the default,
    without mail and WeChat Work that it cannot receive.
    """
    ways = (
        Ways(preference.page, MailMode(preference.mail), preference.wechat_work)
        if preference
        else get_default_ways(kind)
    )
    rule = KINDS[kind]
    mail = ways.mail if account.email and not rule.has_own_mail else MailMode.OFF
    return Ways(
        page=ways.page or rule.is_page_fixed,
        mail=mail,
        wechat_work=ways.wechat_work and is_member,
        digest_at=digest_at if mail == MailMode.DAILY else None,
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind with its channels; `page_fixed` and `mail_fixed` cannot be changed."""

    kind: NoticeKind
    section: NoticeSection
    page: bool
    page_fixed: bool
    mail: MailMode
    mail_fixed: bool
    wechat_work: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """All kinds, and the addresses of the channels."""

    choices: list[Choice]
    email: str
    wechat_work_offered: bool
    wechat_work_bound: bool
    digest_hour: int = DIGEST_HOUR


def get_preferences(*, actor: Account) -> Preferences:
    """Return the actor's preferences. Two queries."""
    row_by_kind = {row.kind: row for row in NoticePreference.objects.filter(account=actor)}
    return Preferences(
        choices=[_build_choice(kind, row_by_kind.get(kind)) for kind in KINDS],
        email=actor.email,
        wechat_work_offered=is_wechat_work_offered(),
        wechat_work_bound=actor.pk in list_members(account_ids=[actor.pk]),
    )


def _build_choice(kind: NoticeKind, row: NoticePreference | None) -> Choice:
    """Return how this kind of notice reaches the person. `row`: the own choice, None for the
    default.
    """
    rule, ways = KINDS[kind], get_default_ways(kind)
    return Choice(
        kind=kind,
        section=rule.section,
        page=row.page or rule.is_page_fixed if row else ways.page,
        page_fixed=rule.is_page_fixed,
        mail=MailMode.INSTANT if rule.has_own_mail else MailMode(row.mail) if row else ways.mail,
        mail_fixed=rule.has_own_mail,
        wechat_work=row.wechat_work if row else ways.wechat_work,
    )


def is_wechat_work_offered() -> bool:
    """Return whether 企业微信 is configured, or the mall runs as a demo."""
    try:
        get_wechat_work_provider()
    except WeChatWorkUnavailable:
        return False
    return True


MAX_COUNTED = 100


def list_kinds(*, kind: str = "", section: str = "") -> list[NoticeKind]:
    """Return one kind, the kinds of a section, or all."""
    return [
        notice_kind
        for notice_kind, rule in KINDS.items()
        if kind in ("", notice_kind) and section in ("", rule.section)
    ]


def get_inbox(
    *, actor: Account, kinds: Collection[str] | None = None, unread_only: bool = False
) -> QuerySet[Notice]:
    """Return the actor's notices on the page, the newest first."""
    rows: QuerySet[Notice] = (
        list_unread(actor=actor)
        if unread_only
        else Notice.objects.filter(recipient=actor, is_on_page=True)
    )
    if kinds is not None and len(kinds) < len(KINDS):
        rows = rows.filter(kind__in=kinds)
    return rows.order_by("-created_at", "-pk")


def list_unread(*, actor: Account) -> QuerySet[Notice]:
    """Return the actor's unread notices on the page."""
    rows: QuerySet[Notice] = Notice.objects.filter(
        recipient=actor, is_on_page=True, read_at__isnull=True
    )
    return rows.order_by()


def count_unread(*, actor: Account) -> int:
    """Return the number of unread notices, at most 100. Reads at most 100 rows of an index."""
    return list_unread(actor=actor).values("pk")[:MAX_COUNTED].count()
