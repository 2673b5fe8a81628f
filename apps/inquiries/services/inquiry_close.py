"""Close an inquiry: the customer withdraws it, staff decline it, or its quote expires. The
quoted prices no longer apply to the customer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.locks import lock_inquiry, lock_own_inquiry
from apps.inquiries.models import ProductInquiry
from apps.inquiries.selectors.inquiries import has_expired
from apps.inquiries.services.inquiry_flow import INQUIRIES, inquiry_record
from apps.inquiries.services.own_prices import own_prices_sweep, own_prices_take_back

if TYPE_CHECKING:
    from apps.org.models import Account

EXPIRED = "报价已过有效期，系统自动关闭"


@transaction.atomic
def inquiry_close(*, actor: Account, inquiry_no: str, reason: str) -> ProductInquiry:
    """Move the inquiry from 待报价 or 已报价 to 已关闭, by the customer.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        WrongState: the inquiry has already ended.
    """
    return _close(
        lock_own_inquiry(actor=actor, inquiry_no=inquiry_no),
        actor=actor,
        kind=InquiryEventKind.CLOSED,
        reason=reason,
    )


def inquiry_decline(*, actor: Account, inquiry_id: int, reason: str) -> ProductInquiry:
    """Move the inquiry from 待报价 or 已报价 to 已关闭, by staff.

    Raises:
        WrongState: the inquiry has already ended.
    """
    group_id = ProductInquiry.objects.values_list("group_id", flat=True).get(pk=inquiry_id)
    with tenant_scope(group_id=group_id), transaction.atomic():
        return _close(
            lock_inquiry(inquiry_id=inquiry_id),
            actor=actor,
            kind=InquiryEventKind.DECLINED,
            reason=reason,
        )


def inquiries_expire() -> int:
    """Close inquiries whose quote has expired, each in its own transaction, and remove expired
    prices. Return the number of closed inquiries.

    Runs in the platform's scope.
    """
    late = ProductInquiry.objects.filter(
        status=InquiryStatus.QUOTED, valid_to__lt=timezone.localdate()
    )
    done = run_for_each(late.order_by("pk").values_list("pk", "group_id"), _expire)
    own_prices_sweep()
    return done


def _expire(inquiry_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        inquiry = lock_inquiry(inquiry_id=inquiry_id)
        # Another transaction may have changed the inquiry before this one locked it.
        if inquiry.status != InquiryStatus.QUOTED or not has_expired(inquiry):
            return False
        _close(inquiry, actor=None, kind=InquiryEventKind.EXPIRED, reason=EXPIRED)
    return True


def _close(
    inquiry: ProductInquiry, *, actor: Account | None, kind: InquiryEventKind, reason: str
) -> ProductInquiry:
    before = INQUIRIES.transition(inquiry, "close", "关闭", reason=reason)
    own_prices_take_back(inquiry=inquiry)
    inquiry_record(inquiry, actor=actor, kind=kind, before=before, reason=reason)
    return inquiry
