"""Create, change, delete and pause subscriptions. Recipients are people who have the report's menu
code, or addresses in the mail domains of the group.

退订: a signed link in the letter identifies its recipient. With the link a reader can unsubscribe
and subscribe again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils import timezone

from apps.calendar.selectors import get_working_calendar
from apps.common.background.outbox import outbox_publish
from apps.common.tenancy import platform_scope, tenant_scope
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.org.selectors.roles import find_holder_ids
from apps.reports.enums import ReportName
from apps.reports.errors import (
    AddressesOfColleagues,
    AddressesOutside,
    AddressesUnsupported,
    LetterLinkUnknown,
    NeverDue,
    OriginalViewDeleted,
    RecipientMissing,
    RecipientsFull,
    RecipientsWithoutMail,
    RecipientsWithoutRight,
    RecipientUnavailable,
    SubscriptionsFull,
    ViewNotFound,
    ViewUnavailable,
)
from apps.reports.models import ReportRecipient, ReportSubscription, SavedView
from apps.reports.schedule import find_due_after
from apps.reports.selectors.question import MENU_OF
from apps.reports.selectors.saved_views import (
    find_accounts_by_mail,
    get_mail_domain,
    get_subscription,
    get_view,
    list_mail_domains,
)

MAX_SUBSCRIPTIONS, MAX_PEOPLE, MAX_ADDRESSES = 20, 20, 10
# A quoted local part or a % can route mail to another mailbox, or through an old mail server to
# another company.
PLAIN = re.compile(r"[0-9a-z_.+'-]+@[^@]+")
TROUBLE_TOPIC = "report.trouble"
REPORT_PAGES: dict[str, str] = {
    name: f"/userCenter/report/{name[0].lower()}{name[1:]}" for name in ReportName.values
}
UNNAMED = "报表订阅"


@transaction.atomic
def subscription_create(
    *,
    actor: Account,
    fields: dict[str, Any],
    account_ids: Collection[int],
    addresses: Collection[str],
) -> ReportSubscription:
    """Return a new subscription of the actor with its first due time. `fields` are the values by
    model field, with the `view_id`.

    Raises:
        ValidationFailed: the actor cannot open the view; a recipient has no menu code for the
            report or no mail address; an address is outside the group's mail domains; the schedule
            has no due time.
        WrongState: the actor has twenty subscriptions.
    """
    lock_account(actor.pk)  # serialize concurrent requests, so that the count is exact
    if ReportSubscription.objects.filter(owner=actor).count() >= MAX_SUBSCRIPTIONS:
        raise SubscriptionsFull(MAX_SUBSCRIPTIONS)
    view = _lock_view(actor, fields.pop("view_id"))
    subscription = ReportSubscription(group_id=view.group_id, owner=actor, view=view, **fields)
    _set_next_due(subscription)
    subscription.save()
    _set_recipients(subscription, account_ids, addresses)
    return get_subscription(actor=actor, pk=str(subscription.pk))


@transaction.atomic
def subscription_update(
    *,
    actor: Account,
    pk: str,
    changes: dict[str, Any],
    account_ids: Collection[int] | None,
    addresses: Collection[str] | None,
) -> ReportSubscription:
    """Return the changed subscription. If it is active, it is due at its next scheduled time.
    `account_ids` or `addresses` None leaves that part of the list unchanged. `changes` are the new
    values by model field.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
        ValidationFailed: as in `subscription_create`.
    """
    get_subscription(actor=actor, pk=pk)
    view = _lock_view(actor, changes.pop("view_id")) if "view_id" in changes else None
    subscription = _lock_subscription(actor, pk)
    subscription.view = view or subscription.view
    for name, value in changes.items():
        setattr(subscription, name, value)
    if subscription.is_active:
        subscription.paused_reason = ""
        if subscription.view is None:
            raise OriginalViewDeleted
    _set_next_due(subscription)
    subscription.save()
    if account_ids is not None or addresses is not None:
        listed_recipients = subscription.recipients.filter(is_listed=True)
        listed_account_ids = {
            pk for pk in listed_recipients.values_list("account_id", flat=True) if pk
        }
        listed_addresses = {
            text for text in listed_recipients.values_list("address", flat=True) if text
        }
        _set_recipients(
            subscription,
            listed_account_ids if account_ids is None else account_ids,
            listed_addresses if addresses is None else addresses,
        )
    return get_subscription(actor=actor, pk=pk)


@transaction.atomic
def subscription_delete(*, actor: Account, pk: str) -> None:
    """Delete the subscription with the history of its sends. Pending letters are not sent.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
    """
    _lock_subscription(actor, pk).delete()


def _lock_subscription(actor: Account, pk: str) -> ReportSubscription:
    subscription = get_subscription(actor=actor, pk=pk)
    rows = ReportSubscription.objects.select_for_update(of=("self",), no_key=True).select_related(
        "view", "owner"
    )
    locked: ReportSubscription = rows.get(pk=subscription.pk)
    return locked


def _lock_view(actor: Account, pk: int) -> SavedView:
    """Return the view, locked against a concurrent deletion. Lock order: view, then
    subscription, as in `view_delete`.
    """
    unavailable = ViewUnavailable()
    try:
        view = get_view(actor=actor, pk=str(pk))
    except ViewNotFound:
        raise unavailable from None
    locked: SavedView | None = (
        SavedView.objects.select_for_update(of=("self",), no_key=True).filter(pk=view.pk).first()
    )
    if locked is None:
        raise unavailable
    return locked


def _set_next_due(subscription: ReportSubscription) -> None:
    """Set the next due time.

    Raises:
        NeverDue: the schedule has no day in the next two years.
    """
    subscription.next_at = None
    if subscription.is_active:
        subscription.next_at = find_due_after(
            subscription.schedule, timezone.now(), get_working_calendar().is_worked
        )
        if subscription.next_at is None:
            raise NeverDue


def _set_recipients(
    subscription: ReportSubscription, account_ids: Collection[int], addresses: Collection[str]
) -> None:
    """Replace the recipients. The rows of unsubscribed recipients remain, even if they are no
    longer on the list.

    Raises:
        RecipientMissing: there is none.
        RecipientsFull: there are too many people or addresses.
    """
    people_ids, plain_addresses = (
        set(account_ids),
        {address.strip().casefold() for address in addresses},
    )
    existing = list(subscription.recipients.select_related("account"))
    known_people = {row.account_id for row in existing if row.account_id and row.is_listed}
    known_addresses = {row.address for row in existing if row.address and row.is_listed}
    if not people_ids and not plain_addresses:
        raise RecipientMissing
    if len(people_ids) > MAX_PEOPLE or len(plain_addresses) > MAX_ADDRESSES:
        raise RecipientsFull(people=MAX_PEOPLE, addresses=MAX_ADDRESSES)
    _refuse_people(subscription, people_ids - known_people)
    _refuse_addresses(plain_addresses - known_addresses)
    for row in existing:
        row.is_listed = (
            row.account_id in people_ids if row.account_id else row.address in plain_addresses
        )
        if row.is_listed or row.unsubscribed_at:
            row.save(update_fields=["is_listed"])
        else:
            row.delete()
    new_people_ids = people_ids - {row.account_id for row in existing}
    ReportRecipient.objects.bulk_create(
        [
            *(
                ReportRecipient(
                    group_id=subscription.group_id, subscription=subscription, account_id=pk
                )
                for pk in sorted(new_people_ids)
            ),
            *(
                ReportRecipient(
                    group_id=subscription.group_id, subscription=subscription, address=address
                )
                for address in sorted(plain_addresses - {row.address for row in existing})
            ),
        ]
    )


def _refuse_people(subscription: ReportSubscription, keys: Collection[int]) -> None:
    """Raise an error if a recipient is disabled, may not see the report, or has no mail address."""
    accounts = {
        row.pk: row for row in Account.objects.filter(pk__in=keys, is_active=True, is_staff=False)
    }
    view = subscription.view
    holders = (
        find_holder_ids(accounts.values(), menu=MENU_OF[view.report]) if view else set(accounts)
    )
    if len(accounts) < len(set(keys)):
        raise RecipientUnavailable
    without = [row.nickname for row in accounts.values() if row.pk not in holders]
    if without:
        raise RecipientsWithoutRight(without)
    mute = [row.nickname for row in accounts.values() if not row.email]
    if mute:
        raise RecipientsWithoutMail(mute)


def _refuse_addresses(addresses: Collection[str]) -> None:
    """Raise an error if an address is malformed, that of a colleague, or outside the
    enterprise's domains.
    """
    if not addresses:
        return
    unsupported = sorted(address for address in addresses if not PLAIN.fullmatch(address))
    if unsupported:
        raise AddressesUnsupported(unsupported, domain=get_mail_domain(unsupported[0]))
    colleagues = list(find_accounts_by_mail(addresses))
    if colleagues:
        raise AddressesOfColleagues(
            [(row.email, row.nickname, row.is_active) for row in colleagues]
        )
    domains = list_mail_domains()
    outside = sorted(address for address in addresses if get_mail_domain(address) not in domains)
    if outside:
        raise AddressesOutside(outside, domains=domains)


@transaction.atomic
def subscription_pause(subscription: ReportSubscription, *, why: str) -> None:
    """Pause the subscription and notify its owner. Does nothing if it is already paused."""
    rows = ReportSubscription.objects.filter(pk=subscription.pk, is_active=True)
    if rows.update(is_active=False, paused_reason=why, next_at=None):
        trouble_notify(
            subscription,
            title=f"报表订阅“{get_subscription_name(subscription)}”已自动暂停",
            text=f"{why}。处理后可在报表页的“订阅”中重新启用",
        )


def subscriptions_pause_for_view(view: SavedView) -> None:
    """Pause all subscriptions to a view that its owner deletes, in the owner's transaction."""
    rows: Iterable[ReportSubscription] = view.subscriptions.select_related("view").order_by("pk")
    for subscription in rows:
        subscription_pause(subscription, why=f"视图“{view.name}”已被其创建人删除")


def trouble_notify(subscription: ReportSubscription, *, title: str, text: str) -> None:
    """Publish a notice to the owner. A disabled owner gets no notice."""
    page = REPORT_PAGES[subscription.view.report if subscription.view else ReportName.ORDER]
    payload = {"To": [subscription.owner_id], "Title": title, "Text": text, "Link": page}
    payload["SubjectKey"] = f"report-subscription:{subscription.pk}"
    outbox_publish(topic=TROUBLE_TOPIC, key=str(subscription.pk), payload=payload)


def get_subscription_name(subscription: ReportSubscription) -> str:
    """Return the name of a subscription, which is the name of its view."""
    return subscription.view.name if subscription.view else UNNAMED


UNSUBSCRIBE_PAGE = "/reportMail"
SALT = "reports.letter"
# The one-click URL appears in server logs. Its key can therefore only unsubscribe; it cannot read
# the subscription or subscribe again.
ONE_CLICK_PAGE, ONE_CLICK_SALT = "/report-mail/end", "reports.letter.end"


@dataclass(frozen=True, slots=True)
class UnsubscribeInfo:
    """The subscription of a link: the name of its view, its owner, the recipient, and whether
    the recipient is still subscribed.
    """

    name: str
    owner: str
    to: str
    is_on: bool


def unsubscribe_link(recipient: ReportRecipient) -> str:
    """Return the URL of the 退订 page. The key is in the fragment (#), so servers, proxies and
    logs never see it.
    """
    return f"{settings.MALL_URL}{UNSUBSCRIBE_PAGE}#key={Signer(salt=SALT).sign(str(recipient.pk))}"


def one_click_link(recipient: ReportRecipient) -> str:
    """Return the one-click unsubscribe URL for mail programs (RFC 8058)."""
    return (
        f"{settings.MALL_URL}{ONE_CLICK_PAGE}/{Signer(salt=ONE_CLICK_SALT).sign(str(recipient.pk))}"
    )


def unsubscribe_one_click(*, key: str) -> None:
    """Unsubscribe the recipient of a one-click URL. Idempotent.

    Raises:
        LetterLinkUnknown: the signature is invalid, or the subscription or the recipient no longer
            exists.
    """
    with platform_scope(reason="reports: the button of a mail program"):
        row = _get_recipient(key, salt=ONE_CLICK_SALT)
    _set_unsubscribed(row, is_on=False)


def unsubscribe_info(*, key: str) -> UnsubscribeInfo:
    """Return the subscription of a link. Changes nothing.

    Raises:
        LetterLinkUnknown: the signature is invalid, or the subscription or the recipient no longer
            exists.
    """
    with platform_scope(reason="reports: the link of a letter"):
        return _build_unsubscribe_info(_get_recipient(key))


def unsubscribe_set(*, key: str, is_on: bool) -> UnsubscribeInfo:
    """Subscribe or unsubscribe the recipient of a link, and return the result. Idempotent.

    Raises:
        LetterLinkUnknown: the signature is invalid, or the subscription or the recipient no longer
            exists.
    """
    with platform_scope(reason="reports: the link of a letter"):
        row = _get_recipient(key)
    return _set_unsubscribed(row, is_on=is_on)


def _set_unsubscribed(recipient: ReportRecipient, *, is_on: bool) -> UnsubscribeInfo:
    with tenant_scope(group_id=recipient.group_id), transaction.atomic():
        row = _get_listed(recipient.pk)
        if is_on == (row.unsubscribed_at is not None):
            row.unsubscribed_at = None if is_on else timezone.now()
            row.save(update_fields=["unsubscribed_at"])
        return _build_unsubscribe_info(row)


def _get_recipient(key: str, salt: str = SALT) -> ReportRecipient:
    """Return the recipient of a signed link.

    Raises:
        LetterLinkUnknown: the key is wrong, or the recipient is off the list.
    """
    try:
        pk = int(Signer(salt=salt).unsign(key))
    except (BadSignature, ValueError):
        raise LetterLinkUnknown from None
    return _get_listed(pk)


def _get_listed(pk: int) -> ReportRecipient:
    rows = ReportRecipient.objects.select_related(
        "subscription__view", "subscription__owner", "account"
    )
    row: ReportRecipient | None = rows.filter(pk=pk, is_listed=True).first()
    if row is None:
        raise LetterLinkUnknown
    return row


def _build_unsubscribe_info(row: ReportRecipient) -> UnsubscribeInfo:
    view = row.subscription.view
    to = row.account.nickname if row.account else row.address
    return UnsubscribeInfo(
        name=view.name if view else "报表订阅",
        owner=row.subscription.owner.nickname,
        to=to,
        is_on=row.unsubscribed_at is None,
    )
