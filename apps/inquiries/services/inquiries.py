"""Create an inquiry, ask for another quote, and close it: the customer withdraws it, staff decline
it, or its quote expires. Every state change is a transition with its event and outbox message.
"""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction
from django.utils import timezone

from apps.catalog.models import Category
from apps.common.background.periodic import run_for_each
from apps.common.document_kit.flow import UNREAD_COLUMNS, DocumentFlow, MessageThread, add_unread
from apps.common.numbers import format_document_number
from apps.common.services.files import get_own_pictures
from apps.common.tenancy import tenant_scope
from apps.inquiries.enums import InquiryEventKind, InquiryStatus
from apps.inquiries.errors import CategoryUnknown, InquiryFull, NeedByPast
from apps.inquiries.locks import (
    lock_own_inquiry,
    lock_own_quote,
    lock_quote,
    locked_inquiry,
    locked_quote,
)
from apps.inquiries.models import (
    ProductInquiry,
    ProductInquiryLine,
    ProductInquiryMessage,
    ProductInquiryPicture,
)
from apps.inquiries.selectors import MAX_MESSAGES, has_expired
from apps.inquiries.services.own_prices import own_prices_sweep, own_prices_take_back
from apps.org.selectors.purchasing import require_prices

if TYPE_CHECKING:
    from apps.org.models import Account

S = InquiryStatus
INQUIRIES = DocumentFlow(
    name="inquiry",
    number="inquiry_no",
    state_texts={
        S.PENDING: ("询价单待报价", "请等待客服报价"),
        S.QUOTED: ("询价单已报价", "请采纳报价、重新询价或关闭"),
        S.ADOPTED: ("询价单已采纳", "报价在有效期内仍可直接加购，如需其他商品请发起新的询价"),
        S.CLOSED: ("询价单已关闭", "如仍需购买请重新询价"),
    },
    columns=[
        "status",
        "waiting_since",
        "quoted_at",
        "valid_to",
        "quote_note",
        "close_reason",
        *UNREAD_COLUMNS,
    ],
)


def inquiry_record(
    inquiry: ProductInquiry,
    *,
    actor: Account | None,
    kind: InquiryEventKind,
    before: str,
    reason: str = "",
    data: dict[str, Any] | None = None,
) -> None:
    """Save the inquiry, count it as unread for the other side, write the event, and publish it
    as `inquiry.<kind>`.
    """
    add_unread(inquiry, is_ours=actor is None or actor.is_staff)
    INQUIRIES.record(inquiry, actor=actor, kind=kind, before=before, reason=reason, data=data)
    INQUIRIES.publish(inquiry, actor=actor, kind=kind, reason=reason)


THREAD = MessageThread(
    flow=INQUIRIES,
    document_field="inquiry",
    max_messages=MAX_MESSAGES,
    full_error=InquiryFull,
    published_characters=0,
)


@transaction.atomic
def inquiry_send_message(*, actor: Account, inquiry_no: str, text: str) -> ProductInquiryMessage:
    """Send a message of the customer to the staff and return it. A staff member who
    impersonates the customer is its author.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        InquiryFull: the inquiry has the maximum number of messages.
    """
    inquiry = lock_own_inquiry(actor=actor, inquiry_no=inquiry_no)
    message = THREAD.write(inquiry, author=actor, text=text, is_ours=False)
    return cast("ProductInquiryMessage", message)


def inquiry_reply(*, actor: Account, inquiry_id: int, text: str) -> ProductInquiryMessage:
    """Send a message of the staff to the customer and return it.

    Raises:
        InquiryFull: the inquiry has the maximum number of messages.
    """
    with locked_inquiry(inquiry_id=inquiry_id) as inquiry:
        message = THREAD.write(inquiry, author=actor, text=text, is_ours=True)
        return cast("ProductInquiryMessage", message)


@transaction.atomic
def inquiry_read(*, actor: Account, inquiry_no: str) -> None:
    """Mark the inquiry as read by its requester. Nothing changes for other accounts, or for
    staff who impersonate the requester.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
    """
    THREAD.mark_read(lock_own_inquiry(actor=actor, inquiry_no=inquiry_no), actor=actor)


EXPIRED_REASON = "报价已过有效期，系统自动关闭"


@dataclass(frozen=True, slots=True)
class InquiryFormLine:
    """A requested product. `target_price` is in 元 含税 for one unit."""

    name: str
    quantity: int
    unit: str
    spec: str = ""
    target_price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class InquiryForm:
    """The customer's input. `file_ids` are pictures that the customer has uploaded."""

    lines: tuple[InquiryFormLine, ...]
    category_id: int | None = None
    need_by: date | None = None
    remark: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()


@transaction.atomic
def inquiry_create(*, actor: Account, form: InquiryForm) -> ProductInquiry:
    """Create an inquiry in state 待报价 and return it.

    Raises:
        ValidationFailed: the day is in the past, the category does not exist, or the actor has not
            uploaded one of the pictures.
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    _check_form(form)
    files = get_own_pictures(actor=actor, file_ids=form.file_ids)
    now = timezone.now()
    inquiry: ProductInquiry = ProductInquiry.objects.create(
        inquiry_no=f"?{secrets.token_hex(10)}",
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department_id=actor.department_id,
        category_id=form.category_id,
        need_by=form.need_by,
        remark=form.remark,
        submitted_at=now,
        waiting_since=now,
    )
    inquiry.inquiry_no = format_document_number("XJ", pk=inquiry.pk, at=now)
    inquiry.save(update_fields=["inquiry_no"])
    ProductInquiryLine.objects.bulk_create(
        [
            _build_inquiry_line(inquiry, number, line)
            for number, line in enumerate(form.lines, start=1)
        ]
    )
    ProductInquiryPicture.objects.bulk_create(
        [
            ProductInquiryPicture(inquiry=inquiry, no=number, file=file)
            for number, file in enumerate(files, start=1)
        ]
    )
    inquiry_record(inquiry, actor=actor, kind=InquiryEventKind.ASKED, before="")
    return inquiry


def _check_form(form: InquiryForm) -> None:
    """Raise NeedByPast or CategoryUnknown for an invalid form."""
    if form.need_by is not None and form.need_by < timezone.localdate():
        raise NeedByPast
    if form.category_id is not None and not Category.objects.filter(pk=form.category_id).exists():
        raise CategoryUnknown


def _build_inquiry_line(
    inquiry: ProductInquiry, number: int, form_line: InquiryFormLine
) -> ProductInquiryLine:
    return ProductInquiryLine(
        inquiry=inquiry,
        no=number,
        name=form_line.name,
        spec=form_line.spec,
        quantity=form_line.quantity,
        unit=form_line.unit,
        target_price=form_line.target_price,
    )


@transaction.atomic
def inquiry_ask_again(*, actor: Account, inquiry_no: str, note: str) -> ProductInquiry:
    """Move the inquiry from 已报价 or 已关闭 to 待报价. The quoted prices no longer apply to the
    customer.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        WrongState: the inquiry already waits for a quote, or its quote was adopted.
    """
    inquiry = lock_own_quote(actor=actor, inquiry_no=inquiry_no)
    before = INQUIRIES.transition(inquiry, "ask_again", "重新询价", at=timezone.now())
    own_prices_take_back(inquiry=inquiry)
    inquiry.lines.update(
        product=None, quoted_price=None, price_before=None, price_item=None, note=""
    )
    inquiry.quoted_at, inquiry.valid_to, inquiry.quote_note = None, None, ""
    inquiry_record(
        inquiry, actor=actor, kind=InquiryEventKind.ASKED_AGAIN, before=before, reason=note
    )
    return inquiry


@transaction.atomic
def inquiry_close(*, actor: Account, inquiry_no: str, reason: str) -> ProductInquiry:
    """Move the inquiry from 待报价 or 已报价 to 已关闭, by the customer.

    Raises:
        InquiryNotFound, NotYourInquiry: the actor cannot see or cannot change the inquiry.
        WrongState: the inquiry has already ended.
    """
    return _close_inquiry(
        lock_own_quote(actor=actor, inquiry_no=inquiry_no),
        actor=actor,
        kind=InquiryEventKind.CLOSED,
        reason=reason,
    )


def inquiry_decline(*, actor: Account, inquiry_id: int, reason: str) -> ProductInquiry:
    """Move the inquiry from 待报价 or 已报价 to 已关闭, by staff.

    Raises:
        WrongState: the inquiry has already ended.
    """
    with locked_quote(inquiry_id=inquiry_id) as inquiry:
        return _close_inquiry(inquiry, actor=actor, kind=InquiryEventKind.DECLINED, reason=reason)


def inquiries_expire() -> int:
    """Close inquiries whose quote has expired, each in its own transaction, and remove expired
    prices. Return the number of closed inquiries.

    The caller must open the platform scope.
    """
    late = ProductInquiry.objects.filter(
        status=InquiryStatus.QUOTED, valid_to__lt=timezone.localdate()
    )
    expired_count = run_for_each(late.order_by("pk").values_list("pk", "group_id"), _expire_inquiry)
    own_prices_sweep()
    return expired_count


def _expire_inquiry(inquiry_id: int, group_id: int) -> bool:
    """Close an inquiry whose quote has expired. Return False if it changed meanwhile."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        inquiry = lock_quote(inquiry_id=inquiry_id)
        # Another transaction may have changed the inquiry before this one locked it.
        if inquiry.status != InquiryStatus.QUOTED or not has_expired(inquiry):
            return False
        _close_inquiry(inquiry, actor=None, kind=InquiryEventKind.EXPIRED, reason=EXPIRED_REASON)
    return True


def _close_inquiry(
    inquiry: ProductInquiry, *, actor: Account | None, kind: InquiryEventKind, reason: str
) -> ProductInquiry:
    """Close the inquiry, end its quoted prices and record the event."""
    before = INQUIRIES.transition(inquiry, "close", "关闭", reason=reason)
    own_prices_take_back(inquiry=inquiry)
    inquiry_record(inquiry, actor=actor, kind=kind, before=before, reason=reason)
    return inquiry
