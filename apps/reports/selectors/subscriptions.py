"""The subscriptions of a person, their sends, and the possible recipients."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Prefetch, Q, QuerySet

from apps.common.keys import key_of
from apps.org.models import Account
from apps.org.selectors.rights import find_holder_ids
from apps.reports.errors import SubscriptionNotFound
from apps.reports.models import ReportRecipient, ReportSend, ReportSubscription
from apps.reports.selectors.question import MENU_OF

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
MOST_OFFERED = 20


def subscriptions_of(*, actor: Account) -> QuerySet[ReportSubscription]:
    """Return the actor's own subscriptions with their views and recipients, the newest first."""
    listed = ReportRecipient.objects.filter(is_listed=True).select_related("account").order_by("pk")
    rows: QuerySet[ReportSubscription] = ReportSubscription.objects.filter(
        owner=actor
    ).select_related("view")
    return rows.prefetch_related(
        Prefetch("recipients", queryset=listed, to_attr="listed")
    ).order_by("-pk")


def subscription_get(*, actor: Account, pk: str) -> ReportSubscription:
    """Return one of the actor's own subscriptions.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
    """
    found = subscriptions_of(actor=actor).filter(pk=key_of(pk)).first()
    if found is None:
        raise SubscriptionNotFound
    return found


def sends_of(*, actor: Account, pk: str) -> QuerySet[ReportSend]:
    """Return the sends of a subscription with their letters, the latest first.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
    """
    rows: QuerySet[ReportSend] = ReportSend.objects.filter(
        subscription=subscription_get(actor=actor, pk=pk)
    )
    return rows.prefetch_related("letters").order_by("-due_at")


def colleagues_of(*, report: str, keyword: str) -> list[Account]:
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
    found = list(
        people.select_related("department").order_by("nickname", "pk")[: MOST_OFFERED * 10]
    )
    holders = find_holder_ids(found, menu=MENU_OF[report])
    return [account for account in found if account.pk in holders][:MOST_OFFERED]


def domains_of() -> list[str]:
    """Return the mail domains of the group's accounts, sorted. Public mail providers are
    excluded.
    """
    addresses: Iterable[str] = (
        Account.objects.filter(is_active=True, is_staff=False)
        .exclude(email="")
        .values_list("email", flat=True)
    )
    return sorted({domain_of(address) for address in addresses} - PUBLIC_MAIL)


def accounts_at(addresses: Iterable[str]) -> QuerySet[Account]:
    """Return the accounts of the group, including disabled ones, whose mailbox is one of the
    addresses. A +suffix does not change the mailbox.
    """
    held = Q(pk__in=[])
    for address in addresses:
        name, domain = address.rpartition("@")[0].partition("+")[0], domain_of(address)
        held |= Q(email__iexact=f"{name}@{domain}") | Q(
            email__istartswith=f"{name}+", email__iendswith=f"@{domain}"
        )
    rows: QuerySet[Account] = Account.objects.filter(held, is_staff=False).order_by("pk")
    return rows


def domain_of(address: str) -> str:
    """Return the domain of a mail address in lower case."""
    return address.rpartition("@")[2].casefold()
