"""退订: a signed link in the letter identifies its recipient. With the link a reader can
unsubscribe and subscribe again.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils import timezone

from apps.common.tenancy import platform_scope, tenant_scope
from apps.reports.errors import LetterLinkUnknown
from apps.reports.models import ReportRecipient

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
        row = _find(key, salt=ONE_CLICK_SALT)
    _set(row, is_on=False)


def unsubscribe_info(*, key: str) -> UnsubscribeInfo:
    """Return the subscription of a link. Changes nothing.

    Raises:
        LetterLinkUnknown: the signature is invalid, or the subscription or the recipient no longer
            exists.
    """
    with platform_scope(reason="reports: the link of a letter"):
        return _info(_find(key))


def unsubscribe_set(*, key: str, is_on: bool) -> UnsubscribeInfo:
    """Subscribe or unsubscribe the recipient of a link, and return the result. Idempotent.

    Raises:
        LetterLinkUnknown: the signature is invalid, or the subscription or the recipient no longer
            exists.
    """
    with platform_scope(reason="reports: the link of a letter"):
        row = _find(key)
    return _set(row, is_on=is_on)


def _set(recipient: ReportRecipient, *, is_on: bool) -> UnsubscribeInfo:
    with tenant_scope(group_id=recipient.group_id), transaction.atomic():
        row = _get_listed(recipient.pk)
        if is_on == (row.unsubscribed_at is not None):
            row.unsubscribed_at = None if is_on else timezone.now()
            row.save(update_fields=["unsubscribed_at"])
        return _info(row)


def _find(key: str, salt: str = SALT) -> ReportRecipient:
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


def _info(row: ReportRecipient) -> UnsubscribeInfo:
    view = row.subscription.view
    to = row.account.nickname if row.account else row.address
    return UnsubscribeInfo(
        name=view.name if view else "报表订阅",
        owner=row.subscription.owner.nickname,
        to=to,
        is_on=row.unsubscribed_at is None,
    )
