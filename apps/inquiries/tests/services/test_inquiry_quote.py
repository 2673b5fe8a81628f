"""A quote sets the customer's own price from the next request on, until its last day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.errors import WrongState
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.inquiries.enums import InquiryStatus
from apps.inquiries.errors import NotYourInquiry, QuoteRefused
from apps.inquiries.models import ProductInquiry
from apps.inquiries.services.inquiries import (
    _expire_inquiry,
    inquiries_expire,
    inquiry_ask_again,
    inquiry_close,
    inquiry_decline,
)
from apps.inquiries.services.inquiry_quote import QuotedLine, inquiry_quote
from apps.inquiries.services.own_prices import own_prices_sweep
from apps.inquiries.tests.inquiry_stories import create_inquiry, quote_inquiry, run_out
from apps.org.models import Account, Group
from apps.org.tests.factories import AccountFactory
from apps.pricing.enums import PriceListKind
from apps.pricing.models import AssortmentRule, PriceListItem
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code
from apps.search.query import CatalogQuery
from apps.search.selectors.product_list import product_list

pytestmark = pytest.mark.usefixtures("group")


ENDS: dict[str, Callable[[ProductInquiry, Account], object]] = {
    "close": lambda inquiry, _: inquiry_close(
        actor=inquiry.requester, inquiry_no=inquiry.inquiry_no, reason="不需要了"
    ),
    "decline": lambda inquiry, staff: inquiry_decline(
        actor=staff, inquiry_id=inquiry.pk, reason="停产"
    ),
    "again": lambda inquiry, _: inquiry_ask_again(
        actor=inquiry.requester, inquiry_no=inquiry.inquiry_no, note="希望再低"
    ),
}


@pytest.fixture
def pen() -> Product:
    """A product at 10.00 元 that is not public: customers without an agreement cannot see it."""
    return ProductFactory(code="700001", name="定制签字笔", is_public=False)


def get_offered_price(account: Account, code: str = "700001") -> tuple[bool, Decimal]:
    offer = get_offers_by_code(context=get_catalogue_context(actor=account), codes=[code])[code]
    return offer.visible, offer.price


def list_codes(account: Account) -> list[str]:
    return [
        offer.product.code for offer in product_list(actor=account, query=CatalogQuery()).offers
    ]


def reload(inquiry: ProductInquiry) -> ProductInquiry:
    product_inquiry: ProductInquiry = ProductInquiry.objects.get(pk=inquiry.pk)
    return product_inquiry


def test_a_quote_is_the_customers_price_in_the_next_question(
    buyer: Account, staff: Account, pen: Product
) -> None:
    assert get_offered_price(buyer) == (False, Decimal("10.00"))
    quote_inquiry(create_inquiry(buyer), staff, pen)
    assert get_offered_price(buyer) == (True, Decimal("7.50"))


def test_a_quote_replaces_the_tiers_of_the_row(
    buyer: Account, staff: Account, pen: Product
) -> None:
    quote_inquiry(create_inquiry(buyer), staff, pen)
    PriceListItem.objects.update(tier1_quantity=10, tier1_price=Decimal("7.20"))
    quote_inquiry(create_inquiry(buyer), staff, pen, "7.00")

    offer = get_offers_by_code(context=get_catalogue_context(actor=buyer), codes=[pen.code])[
        pen.code
    ]
    assert (offer.get_price_for(1), offer.get_price_for(10)) == (Decimal("7.00"), Decimal("7.00"))


def test_the_price_names_its_own_last_day(buyer: Account, staff: Account, pen: Product) -> None:
    until = timezone.localdate() + timedelta(days=9)
    quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=until)
    source = get_offers_by_code(context=get_catalogue_context(actor=buyer), codes=[pen.code])[
        pen.code
    ].price_source
    assert source is not None
    assert (source.agreement_name, source.valid_to) == ("询价专属价 · 云帆科技有限公司", until)


def test_quoted_price_applies_only_to_its_group(
    buyer: Account, staff: Account, other_ga: Account, pen: Product
) -> None:
    quote_inquiry(create_inquiry(buyer), staff, pen)
    with platform_scope(reason="test: the other group"):
        assert get_offered_price(other_ga) == (False, Decimal("10.00"))


def test_own_price_ends_with_its_last_day(buyer: Account, staff: Account, pen: Product) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=timezone.localdate())
    assert list_codes(buyer) == ["700001"]
    run_out(inquiry)
    assert get_offered_price(buyer) == (False, Decimal("10.00"))
    assert list_codes(buyer) == []


def test_a_customer_without_an_agreement_keeps_the_public_catalogue(
    buyer: Account, staff: Account, pen: Product
) -> None:
    ProductFactory(code="700002")
    quote_inquiry(create_inquiry(buyer), staff, pen)
    assert sorted(list_codes(buyer)) == ["700001", "700002"]


def test_a_customer_with_an_agreement_sees_it_beside_his_assortment(
    buyer: Account, staff: Account, group: Group, pen: Product
) -> None:
    mine, agreement = ProductFactory(code="700003"), AgreementFactory()
    ProductFactory(code="700002")
    include_in_assortment(agreement.assortment, mine)
    create_customer_agreement(group, agreement, priority=0)
    quote_inquiry(create_inquiry(buyer), staff, pen)
    assert sorted(list_codes(buyer)) == ["700001", "700003"]


def test_a_quote_decides_before_his_other_own_list(
    buyer: Account, staff: Account, group: Group, pen: Product
) -> None:
    agreement = AgreementFactory(price_list=PriceListFactory(kind=PriceListKind.CUSTOMER))
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement, enterprise=buyer.enterprise, priority=0)
    PriceListItemFactory(price_list=agreement.price_list, product=pen, price=Decimal("9.00"))
    quote_inquiry(create_inquiry(buyer), staff, pen)
    assert get_offered_price(buyer) == (True, Decimal("7.50"))


def test_the_list_is_sorted_and_narrowed_by_the_quoted_price(
    buyer: Account, staff: Account, pen: Product
) -> None:
    ProductFactory(code="700002", market_price=Decimal("8.00"))
    quote_inquiry(create_inquiry(buyer), staff, pen)
    below = product_list(actor=buyer, query=CatalogQuery(max_price=Decimal("7.60")))
    assert [offer.product.code for offer in below.offers] == ["700001"]


def test_a_newer_quote_takes_the_place_of_an_older_and_outlives_its_end(
    buyer: Account, staff: Account, pen: Product
) -> None:
    older = quote_inquiry(create_inquiry(buyer), staff, pen)
    quote_inquiry(create_inquiry(buyer), staff, pen, "7.00")
    inquiry_close(actor=buyer, inquiry_no=older.inquiry_no, reason="不需要了")
    assert get_offered_price(buyer) == (True, Decimal("7.00"))


@pytest.mark.parametrize("end", ["close", "decline", "again", "clock", "adopted"])
def test_an_older_quote_is_his_price_again_when_the_newer_ends(
    buyer: Account, staff: Account, pen: Product, end: str
) -> None:
    older = quote_inquiry(
        create_inquiry(buyer), staff, pen, valid_to=timezone.localdate() + timedelta(days=9)
    )
    newer = quote_inquiry(create_inquiry(buyer), staff, pen, "7.00")
    assert get_offered_price(buyer) == (True, Decimal("7.00"))
    if end == "adopted":
        ProductInquiry.objects.filter(pk=newer.pk).update(status=InquiryStatus.ADOPTED)
    if end in ("clock", "adopted"):
        run_out(newer)
        with platform_scope(reason="test: the clock"):
            inquiries_expire()
    else:
        ENDS[end](newer, staff)
    item = PriceListItem.objects.get()
    assert (get_offered_price(buyer), item.valid_to) == (
        (True, Decimal("7.50")),
        timezone.localdate() + timedelta(days=9),
    )
    inquiry_close(actor=buyer, inquiry_no=older.inquiry_no, reason="不需要了")
    assert get_offered_price(buyer) == (False, Decimal("10.00"))


@pytest.mark.parametrize("end", ["close", "decline", "again"])
def test_ended_inquiry_withdraws_the_quoted_price(
    buyer: Account, staff: Account, pen: Product, end: str
) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen)
    ENDS[end](inquiry, staff)
    assert get_offered_price(buyer) == (False, Decimal("10.00"))
    assert not AssortmentRule.objects.exists()


def test_asking_again_waits_for_a_quote_without_the_old_one(
    buyer: Account, staff: Account, pen: Product
) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen)
    inquiry_ask_again(actor=buyer, inquiry_no=inquiry.inquiry_no, note="希望再低")
    line = inquiry.lines.get()
    assert (reload(inquiry).status, reload(inquiry).valid_to, line.product, line.quoted_price) == (
        "pending",
        None,
        None,
        None,
    )


def test_inquiry_events_record_actor_and_reason(
    buyer: Account, staff: Account, pen: Product
) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=timezone.localdate())
    inquiry_close(actor=buyer, inquiry_no=inquiry.inquiry_no, reason="改买别的")
    payloads = [
        (event.kind, event.actor, event.from_state, event.to_state, event.note)
        for event in list_events(inquiry)
    ]
    assert payloads == [
        ("asked", buyer, "", "pending", ""),
        ("quoted", staff, "pending", "quoted", f"报价 1 项，有效期至 {timezone.localdate()}"),
        ("closed", buyer, "quoted", "closed", "改买别的"),
    ]
    topics = (
        OutboxMessage.objects.filter(key=inquiry.inquiry_no)
        .order_by("pk")
        .values_list("topic", flat=True)
    )
    assert list(topics) == ["inquiry.asked", "inquiry.quoted", "inquiry.closed"]


def test_a_quote_runs_out_by_the_clock(buyer: Account, staff: Account, pen: Product) -> None:
    late = quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=timezone.localdate())
    in_time = quote_inquiry(create_inquiry(buyer), staff, ProductFactory(code="700002"), "7.00")
    run_out(late)
    with platform_scope(reason="test: the clock"):
        assert inquiries_expire() == 1
        assert inquiries_expire() == 0
    assert [reload(each).status for each in (late, in_time)] == ["closed", "quoted"]
    assert reload(late).close_reason == "报价已过有效期，系统自动关闭"
    assert PriceListItem.objects.get().product.code == "700002"


def test_job_closes_no_inquiry_that_was_quoted_again_meanwhile(
    buyer: Account, staff: Account, pen: Product
) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen)

    assert not _expire_inquiry(inquiry.pk, inquiry.group_id)
    assert reload(inquiry).status == "quoted"


def test_expired_visibility_goes_although_its_price_was_deleted(
    buyer: Account, staff: Account, pen: Product
) -> None:
    run_out(quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=timezone.localdate()))
    PriceListItem.objects.all().delete()

    with platform_scope(reason="test: the clock"):
        own_prices_sweep()

    assert not AssortmentRule.objects.filter(product=pen).exists()


def test_adopted_quotation_price_is_removed_after_its_last_day(
    buyer: Account, staff: Account, pen: Product
) -> None:
    inquiry = quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=timezone.localdate())
    ProductInquiry.objects.filter(pk=inquiry.pk).update(status=InquiryStatus.ADOPTED)
    run_out(inquiry)
    with platform_scope(reason="test: the clock"):
        inquiries_expire()
    assert reload(inquiry).status == "adopted"
    assert not PriceListItem.objects.exists()
    assert inquiry.lines.get().quoted_price == Decimal("7.50")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (QuotedLine(), "请至少为一行填写"),
        (QuotedLine("700001"), "商品编码和报价须同时填写"),
        (QuotedLine("", Decimal("1.00")), "商品编码和报价须同时填写"),
        (QuotedLine("799999", Decimal("1.00")), "没有编码为 799999 的商品"),
        (QuotedLine("700009", Decimal("1.00")), "已下架"),
        (QuotedLine("700001", Decimal("0.00")), "报价须大于 0"),
        (QuotedLine("700008", Decimal("10.01")), "高于客户现价 ¥10.00"),
    ],
)
def test_invalid_quote_is_refused_and_not_saved(
    buyer: Account, staff: Account, pen: Product, line: QuotedLine, message: str
) -> None:
    ProductFactory(code="700008")
    ProductFactory(code="700009", status="off")
    inquiry = create_inquiry(buyer)
    lines = {inquiry.lines.get().pk: line}
    with pytest.raises(QuoteRefused, match=message):
        inquiry_quote(
            actor=staff, inquiry_id=inquiry.pk, lines=lines, valid_to=timezone.localdate()
        )
    assert (reload(inquiry).status, PriceListItem.objects.count()) == ("pending", 0)


@pytest.mark.parametrize("valid_to", [date(2020, 1, 1), date(2999, 1, 1)])
def test_a_quote_holds_from_today_to_a_year(
    buyer: Account, staff: Account, pen: Product, valid_to: date
) -> None:
    with pytest.raises(QuoteRefused, match="不超过一年"):
        quote_inquiry(create_inquiry(buyer), staff, pen, valid_to=valid_to)


def test_product_has_one_own_price(buyer: Account, staff: Account, pen: Product) -> None:
    inquiry = create_inquiry(buyer, "签字笔", "中性笔")
    lines = {line.pk: QuotedLine(pen.code, Decimal("7.00")) for line in inquiry.lines.all()}
    with pytest.raises(QuoteRefused, match="第 2 行“中性笔”：商品 700001 已用于其他行"):
        inquiry_quote(
            actor=staff, inquiry_id=inquiry.pk, lines=lines, valid_to=timezone.localdate()
        )


def test_an_ended_inquiry_is_not_quoted(buyer: Account, staff: Account, pen: Product) -> None:
    inquiry = create_inquiry(buyer)
    inquiry_close(actor=buyer, inquiry_no=inquiry.inquiry_no, reason="不需要了")
    with pytest.raises(WrongState, match="询价单已关闭，不能报价"):
        quote_inquiry(inquiry, staff, pen)


def test_colleague_who_sees_the_inquiry_cannot_close_it(approver: Account, buyer: Account) -> None:
    inquiry = create_inquiry(buyer)
    with pytest.raises(NotYourInquiry):
        inquiry_close(actor=approver, inquiry_no=inquiry.inquiry_no, reason="不需要了")


def test_a_person_without_an_enterprise_is_quoted_for_the_group(
    group: Group, buyer: Account, staff: Account, pen: Product
) -> None:
    alone = AccountFactory(group=group, department=None, enterprise=None, username="alone")
    quote_inquiry(create_inquiry(alone), staff, pen)
    assert get_offered_price(buyer) == (True, Decimal("7.50"))
