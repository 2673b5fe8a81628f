"""Make a quotation of the cart, void it, and order from it. The prices are held for the order: see
`selectors.get_quotation_basket`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from apps.calendar.selectors import add_working_days, get_working_calendar
from apps.cart.locks import lock_cart
from apps.cart.selectors.cart import CartLine, list_cart_lines
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.events import event_record, get_event_actor_id
from apps.common.money import MAX_AMOUNT, ZERO
from apps.common.numbers import format_document_number
from apps.common.tenancy import row_scope, tenant_scope
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import require_prices, require_purchasing
from apps.pricing.models import Agreement
from apps.quotations.enums import QuotationEventKind, QuotationStatus
from apps.quotations.errors import (
    NoEnterpriseToQuote,
    NothingToQuote,
    NotYourQuotation,
    QuotationNotFound,
    QuotationsDisabled,
    QuotationsFull,
    QuotationTooLarge,
    QuotesForColleagues,
)
from apps.quotations.models import Quotation, QuotationLine
from apps.quotations.selectors import (
    apply_early_end,
    can_void,
    list_lines_with_early_end,
    list_visible_quotations,
    refuse_unless_valid,
)
from apps.requisitions.selectors import HOLDS_REQUISITION_PIECES

if TYPE_CHECKING:
    from apps.org.models import Account

S = QuotationStatus
MAX_VALID = 100


@transaction.atomic
def quotation_create(*, actor: Account, remark: str = "") -> Quotation:
    """Return a new quotation of the selected lines of the actor's cart that can be bought now, each
    at the customer's present price for its quantity. The cart does not change.

    Raises:
        PurchasingRefused: the actor's role fills no cart, or shows no prices.
        QuotesForColleagues: a line holds pieces of colleagues' requisitions.
        QuotationsDisabled, NoEnterpriseToQuote, NothingToQuote, QuotationTooLarge, QuotationsFull.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    require_prices(actor=actor)
    if settings.QUOTATION_DAYS < 1:
        raise QuotationsDisabled
    if actor.enterprise_id is None:
        raise NoEnterpriseToQuote
    lock_cart(actor=actor)
    selected = list_cart_lines(actor=actor, for_colleagues=HOLDS_REQUISITION_PIECES)
    lines = sorted((line for line in selected if line.is_valid), key=lambda line: line.item_id)
    if not lines:
        raise NothingToQuote
    for_colleagues = [line.offer.name for line in lines if line.is_for_colleagues]
    if for_colleagues:
        raise QuotesForColleagues(for_colleagues)
    goods_amount = sum((line.amount or ZERO for line in lines), ZERO)
    if goods_amount > MAX_AMOUNT:
        raise QuotationTooLarge
    agreements = _read_agreements(lines)
    now, today = timezone.now(), timezone.localdate()
    valid = Quotation.objects.filter(requester=actor, status=S.VALID, valid_to__gte=today)
    if valid.count() >= MAX_VALID:
        raise QuotationsFull(MAX_VALID)
    quotation: Quotation = Quotation.objects.create(
        quotation_no=f"?{secrets.token_hex(10)}",
        requester=actor,
        enterprise_id=actor.enterprise_id,
        quoted_at=now,
        valid_to=_find_last_day(lines, agreements, today),
        remark=remark,
        goods_amount=goods_amount,
        line_count=len(lines),
    )
    quotation.quotation_no = format_document_number("BJ", pk=quotation.pk, at=now)
    quotation.save(update_fields=["quotation_no"])
    QuotationLine.objects.bulk_create(
        _build_line(quotation, number, line, agreements)
        for number, line in enumerate(lines, start=1)
    )
    event_record(
        quotation, actor=actor, kind=QuotationEventKind.CREATED, to_state=S.VALID, reason=remark
    )
    return quotation


def _read_agreements(lines: Sequence[CartLine]) -> dict[str, Agreement]:
    """Return the agreements that give the prices, by code, each with its price list."""
    codes = {line.offer.price_source.agreement_code for line in lines if line.offer.price_source}
    rows = Agreement.objects.filter(code__in=codes).select_related("price_list")
    return {agreement.code: agreement for agreement in rows}


def _find_last_day(
    lines: Sequence[CartLine], agreements: dict[str, Agreement], today: date
) -> date:
    """Return the last day of a quotation of today: QUOTATION_DAYS later, or the end of the first
    agreement, price list or own price that gives a price of the lines.
    """
    sources = [line.offer.price_source for line in lines if line.offer.price_source]
    last_days = [source.valid_to for source in sources]
    last_days += [agreement.price_list.valid_to for agreement in agreements.values()]
    last_day = today + timedelta(days=settings.QUOTATION_DAYS)
    return min([last_day, *(end for end in last_days if end)])


def _build_line(
    quotation: Quotation, number: int, line: CartLine, agreements: dict[str, Agreement]
) -> QuotationLine:
    offer, product = line.offer, line.offer.product
    source = offer.price_source
    price: Decimal = offer.get_price_for(line.quantity)
    return QuotationLine(
        quotation=quotation,
        no=number,
        product=product,
        product_code=product.code,
        customer_code=offer.customer_code,
        name=offer.name,
        brand=product.brand.name,
        pack=product.pack,
        unit=product.unit,
        contents=product.contents,
        quantity=line.quantity,
        price=price,
        price_tiers=offer.build_tiers_snapshot(line.quantity),
        tax_rate=product.tax_rate,
        agreement=agreements[source.agreement_code] if source else None,
    )


@transaction.atomic
def quotation_void(*, actor: Account, quotation_no: str) -> Quotation:
    """Void the quotation and return it: it holds no prices any more. The requester gets a notice if
    the group admin has voided it.

    Raises:
        QuotationNotFound: the actor cannot see it.
        NotYourQuotation: a colleague has made it.
        QuotationRefused: it is ordered, voided or expired already.
    """
    quotation = _lock_row(list_visible_quotations(actor=actor).filter(quotation_no=quotation_no))
    if not can_void(actor=actor, quotation=quotation):
        raise NotYourQuotation
    _void_quotation(quotation, actor=actor, reason="")
    if actor.pk != quotation.requester_id:
        _publish_notice(
            quotation,
            actor=actor,
            topic="quotation.voided",
            title=f"报价单 {quotation.quotation_no} 已作废",
            text="由集团管理员作废，不再保留报价；如仍需采购，请重新生成报价单",
        )
    return quotation


def quotation_void_by_staff(*, actor: Account, quotation_id: int, reason: str) -> None:
    """Void the quotation, because a price was wrong. The requester gets a notice with the reason.

    Raises:
        QuotationNotFound: there is none.
        QuotationRefused: it is ordered, voided or expired already.
    """
    with row_scope(Quotation, quotation_id, missing=QuotationNotFound):
        quotation = _lock_row(Quotation.objects.filter(pk=quotation_id))
        _void_quotation(quotation, actor=actor, reason=reason)
        _publish_notice(
            quotation,
            actor=actor,
            topic="quotation.voided",
            title=f"报价单 {quotation.quotation_no} 已由平台客服作废",
            text=reason,
        )


def _void_quotation(quotation: Quotation, *, actor: Account, reason: str) -> None:
    """Void a valid quotation, with the reason that the customer reads."""
    refuse_unless_valid(quotation)
    quotation.status, quotation.void_reason = S.VOIDED, reason
    quotation.save(update_fields=["status", "void_reason", "updated_at"])
    event_record(
        quotation,
        actor=actor,
        kind=QuotationEventKind.VOIDED,
        from_state=S.VALID,
        to_state=S.VOIDED,
        reason=reason,
    )


def lock_quotation(*, actor: Account, quotation_no: str) -> Quotation:
    """Lock and return a valid quotation of the actor's enterprise, so that it is ordered once. Lock
    order: cart owner, quotation, order.

    Raises:
        QuotationNotFound: the actor cannot see it.
        QuotationRefused: it is ordered, voided or expired.
    """
    quotation = _lock_row(list_visible_quotations(actor=actor).filter(quotation_no=quotation_no))
    apply_early_end(quotation)
    refuse_unless_valid(quotation)
    return quotation


def quotation_mark_ordered(*, quotation: Quotation, actor: Account, order_no: str) -> None:
    """Record the order of a locked, valid quotation. The requester is told if a colleague has
    ordered.
    """
    quotation.status, quotation.order_no = S.ORDERED, order_no
    quotation.save(update_fields=["status", "order_no", "updated_at"])
    event_record(
        quotation,
        actor=actor,
        kind=QuotationEventKind.ORDERED,
        from_state=S.VALID,
        to_state=S.ORDERED,
        reason=order_no,
    )
    if actor.pk != quotation.requester_id:
        _publish_notice(
            quotation,
            actor=actor,
            topic="quotation.ordered",
            title=f"{actor.nickname}已按报价单 {quotation.quotation_no} 下单",
            text=f"订单 {order_no}",
        )


def quotations_remind() -> int:
    """Tell the requesters of valid quotations that end within QUOTATION_REMIND_DAYS working days,
    once for each. Return the number of messages. The caller must open the platform scope.
    """
    today = timezone.localdate()
    last = add_working_days(get_working_calendar(), today, settings.QUOTATION_REMIND_DAYS)
    ending_quotations = Quotation.objects.filter(status=S.VALID, valid_to__range=(today, last))

    def remind_one(pk: int, group_id: int) -> bool:
        with tenant_scope(group_id=group_id), transaction.atomic():
            rows = ending_quotations.filter(pk=pk)
            quotation = rows.select_for_update(of=("self",), no_key=True).first()
            if quotation is None:  # ordered or withdrawn since the list was read
                return False
            _publish_notice(
                quotation,
                actor=None,
                topic="quotation.expiring",
                title=f"报价单 {quotation.quotation_no} 将于 {quotation.valid_to:%Y-%m-%d} 到期",
                text=f"报价金额 ¥{quotation.goods_amount:,.2f}，到期后不再保留报价，请及时下单",
                once=f"{quotation.pk}:expiring",
            )
        return True

    return run_for_each(ending_quotations.order_by("pk").values_list("pk", "group_id"), remind_one)


def quotations_shorten() -> int:
    """Store the earlier last day of each valid quotation whose agreement now ends before it, and
    tell the requester. Return the number of quotations. The caller must open the platform scope.

    The selectors do not wait for this job: they apply the earlier day to what they read.
    """
    lines = list_lines_with_early_end(QuotationLine.objects.filter(quotation=OuterRef("pk")))
    shortened = Quotation.objects.filter(
        Exists(lines), status=S.VALID, valid_to__gte=timezone.localdate()
    )

    def shorten_one(pk: int, group_id: int) -> bool:
        with tenant_scope(group_id=group_id), transaction.atomic():
            quotation = _lock_row(Quotation.objects.filter(pk=pk))
            name = apply_early_end(quotation)
            if not name:  # ordered, voided or shortened since the list was read
                return False
            quotation.save(update_fields=["valid_to", "updated_at"])
            reason = f"协议“{name}”提前结束，有效期改为至 {quotation.valid_to:%Y-%m-%d}"
            event_record(
                quotation,
                actor=None,
                kind=QuotationEventKind.SHORTENED,
                from_state=S.VALID,
                to_state=S.VALID,
                reason=reason,
            )
            _publish_notice(
                quotation,
                actor=None,
                topic="quotation.shortened",
                title=f"报价单 {quotation.quotation_no} 有效期提前",
                text=f"{reason}，之后不再保留报价",
            )
        return True

    return run_for_each(shortened.order_by("pk").values_list("pk", "group_id"), shorten_one)


def _lock_row(rows: QuerySet[Quotation]) -> Quotation:
    quotation = rows.select_for_update(of=("self",), no_key=True).first()
    if quotation is None:
        raise QuotationNotFound
    return quotation


def _publish_notice(
    quotation: Quotation,
    *,
    actor: Account | None,
    topic: str,
    title: str,
    text: str,
    once: str = "",
) -> None:
    """Publish a notice to the requester. The same `once` is sent once."""
    payload = {
        "To": [quotation.requester_id],
        "ActorId": get_event_actor_id(actor),
        "Title": title,
        "Text": text[:200],
        "Link": f"/userCenter/order/quotation/{quotation.quotation_no}",
        "SubjectKey": f"quotation:{quotation.quotation_no}",
    }
    if once:
        payload["Once"] = once
    outbox_publish(topic=topic, key=quotation.quotation_no, payload=payload)
