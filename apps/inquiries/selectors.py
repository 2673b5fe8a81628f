"""The inquiries that an account can see, and similar products of the catalogue for a quote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from apps.common.days import filter_days
from apps.common.events import list_events
from apps.common.hooks import Hook
from apps.common.models import Event
from apps.common.queries import count_states
from apps.inquiries.enums import InquiryAction, InquiryStatus
from apps.inquiries.errors import InquiryNotFound
from apps.inquiries.models import (
    ProductInquiry,
    ProductInquiryLine,
    ProductInquiryMessage,
    ProductInquiryPicture,
)
from apps.org.selectors.data_scope import scope_filter
from apps.org.selectors.purchasing import require_prices
from apps.pricing.selectors.context import CatalogueContext, get_customer_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import list_products_in_context

if TYPE_CHECKING:
    from apps.org.models import Account

S, A = InquiryStatus, InquiryAction
MAX_MESSAGES = 200
# Long texts of a quoted product. No response contains them.
UNREAD_FIELDS = tuple(
    f"product__{name}"
    for name in ("description", "search_tokens", "selling_points", "keywords", "attributes")
)
# An inquiry without a quote is overdue after this time.
QUOTE_WITHIN = timedelta(days=1)
# Similar products for a quote: for this many lines, and for each line.
MAX_CANDIDATES = 5
CANDIDATE_PAGE_SIZE = 10  # the minimum page size
# Actions by state, for accounts that can change the inquiry. Other accounts have none.
ACTIONS: dict[str, tuple[InquiryAction, ...]] = {
    S.PENDING: (A.CLOSE, A.MESSAGE),
    S.QUOTED: (A.ADOPT, A.ASK_AGAIN, A.CLOSE, A.MESSAGE),
    S.ADOPTED: (A.MESSAGE,),
    S.CLOSED: (A.ASK_AGAIN, A.MESSAGE),
}


@dataclass(frozen=True, slots=True)
class InquiryFilter:
    """Filters of the list. `since` and `until` are days in Shanghai, both included."""

    keyword: str = ""
    status: str = ""
    since: date | None = None
    until: date | None = None
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class InquiryDetail:
    """An inquiry with its timeline."""

    inquiry: ProductInquiry
    timeline: list[Event]


def list_visible_inquiries(*, actor: Account) -> QuerySet[ProductInquiry]:
    """Return the inquiries in the actor's data scope. The page has no menu code, so all roles
    of the actor count.
    """
    queryset: QuerySet[ProductInquiry] = ProductInquiry.objects.filter(
        scope_filter(actor=actor, account="requester")
    )
    return queryset


def may_change(*, actor: Account, inquiry: ProductInquiry) -> bool:
    """Return whether the inquiry is the actor's own, or the actor is the administrator of its
    group.
    """
    return bool(
        inquiry.requester_id == actor.pk
        or (actor.is_group_admin and actor.group_id == inquiry.group_id)
    )


def has_expired(inquiry: ProductInquiry) -> bool:
    """Return whether the quote has expired as of today in Shanghai. Its last day is included in
    its validity.
    """
    return inquiry.valid_to is not None and inquiry.valid_to < timezone.localdate()


def get_inquiry_actions(*, actor: Account, inquiry: ProductInquiry) -> list[str]:
    """Return the codes of the actions that the actor can take on the inquiry now."""
    if not may_change(actor=actor, inquiry=inquiry):
        return []
    actions = ACTIONS[inquiry.status]
    return [action.value for action in actions if action != A.ADOPT or not has_expired(inquiry)]


def list_inquiries(*, actor: Account, filters: InquiryFilter) -> QuerySet[ProductInquiry]:
    """Return the filtered inquiries, newest first, with requester, department and lines.

    Raises:
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    queryset = _filter_inquiries(actor, filters)
    if filters.status:
        queryset = queryset.filter(status=filters.status)
    return queryset.select_related("requester", "department").prefetch_related(_prefetch_lines())


def count_inquiries_by_status(*, actor: Account, filters: InquiryFilter) -> dict[str, int]:
    """Return the number of filtered inquiries by state, and under "" the total. One query."""
    return count_states(_filter_inquiries(actor, filters), InquiryStatus.values)


def get_inquiry(*, actor: Account, inquiry_no: str) -> InquiryDetail:
    """Return an inquiry of the actor's data scope.

    Raises:
        InquiryNotFound: the data scope has no inquiry with this number.
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    visible = list_visible_inquiries(actor=actor).filter(inquiry_no=inquiry_no)
    inquiry = (
        visible.select_related("requester", "department", "enterprise", "category")
        .prefetch_related(
            _prefetch_lines(),
            Prefetch(
                "pictures", ProductInquiryPicture.objects.select_related("file").order_by("no")
            ),
            Prefetch(
                "messages",
                ProductInquiryMessage.objects.select_related("author", "acting_for").order_by(
                    "sent_at", "id"
                ),
            ),
        )
        .first()
    )
    if inquiry is None:
        raise InquiryNotFound
    return InquiryDetail(inquiry, list(list_events(inquiry)))


def list_waiting_inquiries() -> QuerySet[ProductInquiry]:
    """Return the inquiries that wait for a quote. Run in the platform's scope to get those of
    all customers.
    """
    queryset: QuerySet[ProductInquiry] = ProductInquiry.objects.filter(status=S.PENDING)
    return queryset


def count_quoted_inquiries(*, actor: Account) -> int:
    """Return the number of quotes that wait for the actor's answer. One query."""
    return int(ProductInquiry.objects.filter(requester=actor, status=S.QUOTED).count())


def _prefetch_lines() -> Prefetch[str]:
    lines = ProductInquiryLine.objects.select_related("product", "product__brand").defer(
        *UNREAD_FIELDS
    )
    return Prefetch("lines", lines.order_by("no"))


def _filter_inquiries(actor: Account, filters: InquiryFilter) -> QuerySet[ProductInquiry]:
    """Return the visible inquiries that match the filters."""
    queryset = list_visible_inquiries(actor=actor)
    if text := filters.keyword:
        matching_lines = ProductInquiryLine.objects.filter(
            Q(name__icontains=text) | Q(spec__icontains=text) | Q(product__code=text)
        )
        queryset = queryset.filter(
            Q(inquiry_no__icontains=text) | Q(pk__in=matching_lines.values("inquiry"))
        )
    queryset = queryset.filter(filter_days("submitted_at", filters.since, filters.until))
    return queryset.filter(customer_unread__gt=0) if filters.is_unread else queryset


@dataclass(frozen=True, slots=True)
class LastPrice:
    """The price of the customer's newest order of a product: 元 含税, and its day."""

    price: Decimal
    day: date


# Returns the price of the last order, for a group id and a product id.
LAST_PRICE: Hook[Callable[[int, int], LastPrice | None]] = Hook()


def get_quote_offer(*, inquiry: ProductInquiry, code: str) -> tuple[Offer, LastPrice | None] | None:
    """Return the customer's present offer of the product with this code and the price of the last
    order. None for an unknown code.
    """
    context = _get_context(inquiry.requester)
    offer = get_offers_by_code(context=context, codes=[code]).get(code)
    if offer is None:
        return None
    find_last_price = LAST_PRICE.only
    return offer, find_last_price(inquiry.group_id, offer.product.pk) if find_last_price else None


def get_quote_offers(*, inquiry: ProductInquiry, codes: Collection[str]) -> dict[str, Offer]:
    """Return the requester's present offers by product code. Unknown codes are left out."""
    return get_offers_by_code(context=_get_context(inquiry.requester), codes=sorted(codes))


def list_quote_candidates(
    *, inquiry: ProductInquiry, lines: Iterable[ProductInquiryLine]
) -> dict[int, tuple[Offer, ...]]:
    """Return up to five offers for each of the first five lines, by the line's key. They come
    from the customer's catalogue at the customer's prices, or from the public catalogue if
    the former has none.
    """
    return {
        line.pk: _find_similar_offers(inquiry.requester, line.name)
        or _find_similar_offers(None, line.name)
        for line in list(lines)[:MAX_CANDIDATES]
    }


def _find_similar_offers(actor: Account | None, name: str) -> tuple[Offer, ...]:
    """Return products of the customer's catalogue that match the name, at most MAX_CANDIDATES."""
    query = CatalogQuery(
        keyword=name, page_size=CANDIDATE_PAGE_SIZE, with_total=False, with_facets=False
    )
    return list_products_in_context(context=_get_context(actor), query=query).offers[
        :MAX_CANDIDATES
    ]


def _get_context(actor: Account | None) -> CatalogueContext:
    """Return the catalogue with the prices of the actor's group, whether the actor's role shows
    prices or not. Without an actor, return the public catalogue.
    """
    return get_customer_context(
        group_id=actor.group_id if actor else None,
        enterprise_id=actor.enterprise_id if actor else None,
        account_id=actor.pk if actor else None,
    )
