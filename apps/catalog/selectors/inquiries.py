"""The inquiries an account may see: the list with its counted tabs, and one whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from apps.catalog.enums import InquiryAction, InquiryStatus
from apps.catalog.errors import InquiryNotFound
from apps.catalog.models import ProductInquiry, ProductInquiryLine, ProductInquiryMessage, ProductInquiryPicture
from apps.common.days import within_days
from apps.common.events import events_of
from apps.common.models import Event
from apps.common.tallies import state_counts
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

S, A = InquiryStatus, InquiryAction
MOST_MESSAGES = 200
# Long texts of a quoted product that no answer shows.
UNREAD = tuple(f"product__{name}" for name in ("description", "search_tokens", "selling_points", "keywords", "attributes"))
# An inquiry that has no quote a day later is late.
QUOTE_WITHIN = timedelta(days=1)
# By state, for whoever may change the inquiry; who may only see it looks on.
ACTIONS: dict[str, tuple[InquiryAction, ...]] = {
    S.PENDING: (A.CLOSE, A.MESSAGE),
    S.QUOTED: (A.ADOPT, A.ASK_AGAIN, A.CLOSE, A.MESSAGE),
    S.ADOPTED: (A.MESSAGE,),
    S.CLOSED: (A.ASK_AGAIN, A.MESSAGE),
}


@dataclass(frozen=True, slots=True)
class InquiryFilter:
    """What the list is narrowed by; `since` and `until` are days in Shanghai, both included."""

    keyword: str = ""
    status: str = ""
    since: date | None = None
    until: date | None = None
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class InquiryDetail:
    """One inquiry with all that was said and done."""

    inquiry: ProductInquiry
    timeline: list[Event]


def inquiries_visible(*, actor: Account) -> QuerySet[ProductInquiry]:
    """Return the inquiries of the actor's data scope; the entry has no menu code, so all his roles count."""
    queryset: QuerySet[ProductInquiry] = ProductInquiry.objects.filter(scope_filter(actor=actor, account="requester"))
    return queryset


def may_change(*, actor: Account, inquiry: ProductInquiry) -> bool:
    """Whether the inquiry is the actor's own, or he is the admin of its group."""
    return bool(inquiry.requester_id == actor.pk or (actor.is_group_admin and actor.group_id == inquiry.group_id))


def has_expired(inquiry: ProductInquiry) -> bool:
    """Whether the quote no longer holds today, in Shanghai; its last day is included."""
    return inquiry.valid_to is not None and inquiry.valid_to < timezone.localdate()


def inquiry_actions(*, actor: Account, inquiry: ProductInquiry) -> list[str]:
    """Return the codes of what the actor may do with the inquiry now."""
    if not may_change(actor=actor, inquiry=inquiry):
        return []
    actions = ACTIONS[inquiry.status]
    return [action.value for action in actions if action != A.ADOPT or not has_expired(inquiry)]


def inquiries_listed(*, actor: Account, wanted: InquiryFilter) -> QuerySet[ProductInquiry]:
    """Return the inquiries under the filter, newest first, with who asked and the lines."""
    queryset = _filtered(actor, wanted)
    if wanted.status:
        queryset = queryset.filter(status=wanted.status)
    return queryset.select_related("requester", "department").prefetch_related(_lines())


def inquiry_tabs(*, actor: Account, wanted: InquiryFilter) -> dict[str, int]:
    """Return how many inquiries the filter leaves in each state, and in "" (all); one query."""
    return state_counts(_filtered(actor, wanted), InquiryStatus.values)


def inquiry_detail(*, actor: Account, inquiry_no: str) -> InquiryDetail:
    """Return one inquiry of the actor's data scope.

    Raises:
        InquiryNotFound: there is none.
    """
    found = inquiries_visible(actor=actor).filter(inquiry_no=inquiry_no)
    inquiry = (
        found.select_related("requester", "department", "enterprise", "category")
        .prefetch_related(
            _lines(),
            Prefetch("pictures", ProductInquiryPicture.objects.select_related("file").order_by("no")),
            Prefetch("messages", ProductInquiryMessage.objects.select_related("author", "acting_for").order_by("sent_at", "id")),
        )
        .first()
    )
    if inquiry is None:
        raise InquiryNotFound
    return InquiryDetail(inquiry, list(events_of(inquiry)))


def inquiries_waiting() -> QuerySet[ProductInquiry]:
    """Return what waits for a quote of ours, over all customers, in the platform's scope."""
    queryset: QuerySet[ProductInquiry] = ProductInquiry.objects.filter(status=S.PENDING)
    return queryset


def inquiries_quoted(*, actor: Account) -> int:
    """Return how many quotes wait for the actor's own answer. One query."""
    return int(ProductInquiry.objects.filter(requester=actor, status=S.QUOTED).count())


def _lines() -> Prefetch[str]:
    lines = ProductInquiryLine.objects.select_related("product", "product__brand").defer(*UNREAD)
    return Prefetch("lines", lines.order_by("no"))


def _filtered(actor: Account, wanted: InquiryFilter) -> QuerySet[ProductInquiry]:
    queryset = inquiries_visible(actor=actor)
    if text := wanted.keyword:
        named = ProductInquiryLine.objects.filter(Q(name__icontains=text) | Q(spec__icontains=text) | Q(product__code=text))
        queryset = queryset.filter(Q(inquiry_no__icontains=text) | Q(pk__in=named.values("inquiry")))
    queryset = queryset.filter(within_days("submitted_at", wanted.since, wanted.until))
    return queryset.filter(customer_unread__gt=0) if wanted.is_unread else queryset
