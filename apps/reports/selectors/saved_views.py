"""The saved views that a person may open: own and shared views of the reports that the person may
open. Also the person's subscriptions, their sends, and the possible recipients.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Prefetch, Q, QuerySet

from apps.common.numbers import parse_key
from apps.org.models import Account
from apps.org.selectors.roles import find_holder_ids
from apps.reports.errors import SubscriptionNotFound, ViewNotFound
from apps.reports.models import ReportRecipient, ReportSend, ReportSubscription, SavedView
from apps.reports.selectors.question import MENU_OF


def list_views(*, actor: Account, report: str = "") -> QuerySet[SavedView]:
    """Return the actor's own and the shared views with their owners, by name. Without a report,
    return the views of all reports that the actor may open.
    """
    reports = [
        name for name, menu in MENU_OF.items() if report in ("", name) and actor.has_menu_code(menu)
    ]
    rows: QuerySet[SavedView] = SavedView.objects.filter(
        Q(owner=actor) | Q(shared=True), report__in=reports
    )
    return rows.select_related("owner").order_by("name", "pk")


def get_view(*, actor: Account, pk: str) -> SavedView:
    """Return one view.

    Raises:
        ViewNotFound: the actor cannot open such a view.
    """
    view = list_views(actor=actor).filter(pk=parse_key(pk)).first()
    if view is None:
        raise ViewNotFound
    return view


# Public mail providers. Their domains do not identify an employer.
PUBLIC_MAIL = frozenset(
    {
        *(
            "qq.com",
            "vip.qq.com",
            "foxmail.com",
            "163.com",
            "vip.163.com",
            "126.com",
            "yeah.net",
            "sina.com",
            "sina.cn",
            "sohu.com",
        ),
        *(
            "139.com",
            "189.cn",
            "wo.cn",
            "aliyun.com",
            "tom.com",
            "21cn.com",
            "88.com",
            "gmail.com",
            "outlook.com",
            "hotmail.com",
        ),
        *(
            "live.com",
            "live.cn",
            "msn.com",
            "yahoo.com",
            "yahoo.cn",
            "yahoo.com.cn",
            "icloud.com",
            "me.com",
            "proton.me",
            "aol.com",
        ),
    }
)
MAX_RECIPIENT_CHOICES = 20


def list_subscriptions(*, actor: Account) -> QuerySet[ReportSubscription]:
    """Return the actor's own subscriptions with their views and recipients, the newest first."""
    listed_recipients = (
        ReportRecipient.objects.filter(is_listed=True).select_related("account").order_by("pk")
    )
    rows: QuerySet[ReportSubscription] = ReportSubscription.objects.filter(
        owner=actor
    ).select_related("view")
    return rows.prefetch_related(
        Prefetch("recipients", queryset=listed_recipients, to_attr="listed")
    ).order_by("-pk")


def get_subscription(*, actor: Account, pk: str) -> ReportSubscription:
    """Return one of the actor's own subscriptions.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
    """
    subscription = list_subscriptions(actor=actor).filter(pk=parse_key(pk)).first()
    if subscription is None:
        raise SubscriptionNotFound
    return subscription


def list_sends(*, actor: Account, pk: str) -> QuerySet[ReportSend]:
    """Return the sends of a subscription with their letters, the latest first.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
    """
    rows: QuerySet[ReportSend] = ReportSend.objects.filter(
        subscription=get_subscription(actor=actor, pk=pk)
    )
    return rows.prefetch_related("letters").order_by("-due_at")


def list_possible_recipients(*, report: str, keyword: str) -> list[Account]:
    """Return the first twenty enabled people of the group who have the report's menu code and
    match the word, by name. Two queries.
    """
    people = Account.objects.filter(is_active=True, is_staff=False)
    if keyword:
        people = people.filter(
            Q(nickname__icontains=keyword)
            | Q(username__icontains=keyword)
            | Q(email__icontains=keyword)
        )
    matching = list(
        people.select_related("department").order_by("nickname", "pk")[: MAX_RECIPIENT_CHOICES * 10]
    )
    holders = find_holder_ids(matching, menu=MENU_OF[report])
    return [account for account in matching if account.pk in holders][:MAX_RECIPIENT_CHOICES]


def list_mail_domains() -> list[str]:
    """Return the mail domains of the enabled accounts of the group in the tenant scope, sorted.
    Public mail providers are excluded.
    """
    addresses: Iterable[str] = (
        Account.objects.filter(is_active=True, is_staff=False)
        .exclude(email="")
        .values_list("email", flat=True)
    )
    return sorted({get_mail_domain(address) for address in addresses} - PUBLIC_MAIL)


def find_accounts_by_mail(addresses: Iterable[str]) -> QuerySet[Account]:
    """Return the accounts of the group, including disabled ones, whose mailbox is one of the
    addresses. A +suffix does not change the mailbox.
    """
    condition = Q(pk__in=[])
    for address in addresses:
        name, domain = address.rpartition("@")[0].partition("+")[0], get_mail_domain(address)
        condition |= Q(email__iexact=f"{name}@{domain}") | Q(
            email__istartswith=f"{name}+", email__iendswith=f"@{domain}"
        )
    rows: QuerySet[Account] = Account.objects.filter(condition, is_staff=False).order_by("pk")
    return rows


def get_mail_domain(address: str) -> str:
    """Return the domain of a mail address in lower case."""
    return address.rpartition("@")[2].casefold()
