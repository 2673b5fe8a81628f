"""Quotations of the cart: what they hold, for whom, until when, and once."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.approvals.tests.clock import clock
from apps.cart.models import CartItem
from apps.catalog.errors import StockShort
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.background.delivery import outbox_deliver
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.common.tenancy import no_scope
from apps.common.testing import ApiClient, assert_queries
from apps.notices.models import Notice
from apps.orders.errors import PriceMoved, ReductionLosesTier
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine, get_checkout
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.amending import amend
from apps.orders.tests.factories import fill_cart, make_rule
from apps.org.enums import DataScope, PurchasingRight
from apps.org.errors import PurchasingRefused
from apps.org.models import Account, Group
from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory
from apps.org.tests.office import create_staff, open_office
from apps.pricing.models import Agreement, CustomerAgreement, PriceList
from apps.quotations.errors import (
    NothingToQuote,
    NotYourQuotation,
    QuotationExpired,
    QuotationNotFound,
    QuotationOrdered,
    QuotationsDisabled,
    QuotationsFull,
    QuotationTooLarge,
    QuotationVoided,
    QuotesForColleagues,
)
from apps.quotations.models import Quotation
from apps.quotations.papers import TERMS, describe_state, list_terms
from apps.quotations.selectors import get_quotation
from apps.quotations.services import (
    quotation_create,
    quotation_void,
    quotation_void_by_staff,
    quotations_remind,
    quotations_shorten,
)
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import requisition_submit

LIST = "/admin/quotations/quotation/"


@pytest.fixture
def pens(group: object) -> Product:
    product: Product = ProductFactory(
        name="中性笔", market_price=Decimal("10.00"), stock=100, base_unit="支", contents=12
    )
    return product


@pytest.fixture
def quotation(shopper: Account, pens: Product) -> Quotation:
    """Two pieces at 10.00 元."""
    fill_cart(shopper, (pens, 2))
    return quotation_create(actor=shopper, remark="季度补货")


def change_price(product: Product, price: str) -> None:
    Product.objects.filter(pk=product.pk).update(market_price=Decimal(price))


def build_form(quotation: Quotation) -> CheckoutForm:
    return CheckoutForm(quotation_no=quotation.quotation_no)


def test_a_quotation_holds_the_prices_of_the_selected_lines_and_leaves_the_cart(
    shopper: Account, pens: Product
) -> None:
    fill_cart(shopper, (pens, 2), (ProductFactory(market_price=Decimal("5.00"), stock=9), 1))
    CartItem.objects.exclude(product=pens).update(is_selected=False)
    row = quotation_create(actor=shopper)

    [line] = row.lines.all()
    assert (line.name, line.quantity, line.price, row.goods_amount) == (
        "中性笔",
        2,
        Decimal("10.00"),
        Decimal("20.00"),
    )
    assert row.valid_to == timezone.localdate() + timedelta(days=15)
    assert CartItem.objects.count() == 2


@pytest.mark.parametrize(("price", "paid"), [("12.00", "10.00"), ("9.00", "9.00")])
def test_a_rise_does_not_count_and_a_fall_does(
    quotation: Quotation, shopper: Account, pens: Product, price: str, paid: str
) -> None:
    change_price(pens, price)
    assert (
        get_checkout(actor=shopper, form=build_form(quotation)).amounts.goods == Decimal(paid) * 2
    )
    order = order_submit(actor=shopper, form=build_form(quotation))

    line = order.lines.get()
    assert (line.unit_price_incl_tax, order.goods_amount) == (Decimal(paid), Decimal(paid) * 2)
    row = Quotation.objects.get()
    assert (row.state, row.order_no) == ("ordered", order.order_no)
    assert CartItem.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "is_changed"),
    [
        ({"unit": "盒"}, True),
        ({"pack": "12 支/盒"}, True),
        ({"contents": 24}, True),
        ({"name": "签字笔"}, False),
    ],
)
def test_a_price_is_held_only_for_the_quoted_unit_pack_and_contents(
    quotation: Quotation, shopper: Account, pens: Product, change: dict[str, Any], is_changed: bool
) -> None:
    Product.objects.filter(pk=pens.pk).update(market_price=Decimal("120.00"), **change)
    left_out = get_checkout(actor=shopper, form=build_form(quotation)).left_out
    assert bool(left_out) == is_changed
    for line in left_out:
        assert (line.price, line.problem and line.problem.message) == (
            Decimal("120.00"),
            "商品规格已变",
        )
    row = ApiClient(shopper).get(f"/api/Quotation/{quotation.quotation_no}").body["Lines"][0]
    assert row["ProblemText"] == ("商品规格已变，请重新生成报价单" if is_changed else "")


def test_the_cart_is_not_held(quotation: Quotation, shopper: Account, pens: Product) -> None:
    change_price(pens, "12.00")
    assert get_checkout(actor=shopper, form=CheckoutForm()).amounts.goods == Decimal("24.00")


def test_an_approver_lowers_a_quantity_within_the_tier_of_the_quotation(
    shopper: Account, approver: Account, pens: Product
) -> None:
    make_rule(shopper, approver)
    fill_cart(shopper, (pens, 4))
    row = quotation_create(actor=shopper)
    row.lines.update(
        price_tiers={"Quantity": 4, "Steps": [[1, "11.00"], [2, "10.00"]]},
    )
    change_price(pens, "12.00")
    order = order_submit(actor=shopper, form=build_form(row))
    amend(approver, order, 2)
    line = order.lines.get()
    assert (line.quantity, line.amount_incl_tax) == (2, Decimal("20.00"))
    with pytest.raises(ReductionLosesTier):
        amend(approver, order, 1)


def test_a_price_that_the_buyer_has_not_seen_is_refused(
    quotation: Quotation, shopper: Account
) -> None:
    seen = SeenLine(quotation.lines.get().pk, Decimal("9.00"))
    with pytest.raises(PriceMoved):
        order_submit(
            actor=shopper,
            form=CheckoutForm(quotation_no=quotation.quotation_no, lines=(seen,)),
        )


def test_a_quotation_is_ordered_once(quotation: Quotation, shopper: Account) -> None:
    order = order_submit(actor=shopper, form=build_form(quotation))
    with pytest.raises(QuotationOrdered, match=order.order_no):
        order_submit(actor=shopper, form=build_form(quotation))
    assert Order.objects.count() == 1


@pytest.mark.parametrize(
    ("today", "messages"),
    [("2026-11-30", 0), ("2026-12-01", 1), ("2026-12-03", 1), ("2026-12-04", 0)],
)
def test_expiring_quotation_notifies_the_requester_two_working_days_before(
    quotation: Quotation, shopper: Account, today: str, messages: int
) -> None:
    Quotation.objects.update(valid_to=date(2026, 12, 3))
    with clock(f"{today} 10:00"):
        assert quotations_remind() == messages

    texts = [
        message.payload for message in OutboxMessage.objects.filter(topic="quotation.expiring")
    ]
    assert [(row["To"], row["Once"], row["Title"]) for row in texts] == [
        (
            [shopper.pk],
            f"{quotation.pk}:expiring",
            f"报价单 {quotation.quotation_no} 将于 2026-12-03 到期",
        )
    ] * messages


def test_expiring_notice_is_sent_once_and_not_for_an_ended_quotation(
    quotation: Quotation, shopper: Account
) -> None:
    Quotation.objects.update(valid_to=date(2026, 12, 3))
    for today in ("2026-12-01", "2026-12-02"):
        with clock(f"{today} 10:00"):
            quotations_remind()
            outbox_deliver()
    assert Notice.objects.filter(recipient=shopper).count() == 1

    Quotation.objects.update(status="voided")
    with clock("2026-12-02 10:00"):
        assert quotations_remind() == 0


def test_expired_quotation_refuses_checkout_and_submit(
    quotation: Quotation, shopper: Account
) -> None:
    today = timezone.localdate()
    Quotation.objects.update(valid_to=today)
    get_checkout(actor=shopper, form=build_form(quotation))
    Quotation.objects.update(valid_to=today - timedelta(days=1))
    with pytest.raises(QuotationExpired):
        order_submit(actor=shopper, form=build_form(quotation))
    with pytest.raises(QuotationExpired):
        get_checkout(actor=shopper, form=build_form(quotation))


def test_unavailable_quotation_line_is_named_and_left_out(
    quotation: Quotation, shopper: Account, pens: Product
) -> None:
    Product.objects.filter(pk=pens.pk).update(stock=1)
    body = ApiClient(shopper).get(f"/api/Quotation/{quotation.quotation_no}").body
    assert "库存" in body["Lines"][0]["ProblemText"]
    assert body["OrderAmount"] == "0.00"
    checkout = get_checkout(actor=shopper, form=build_form(quotation))
    assert ([line.item_id for line in checkout.left_out], checkout.lines) == (
        [quotation.lines.get().pk],
        [],
    )


def test_submit_leaves_out_only_lines_excluded_by_the_request(
    shopper: Account, pens: Product
) -> None:
    fill_cart(shopper, (pens, 2), (ProductFactory(name="墨盒", stock=1), 1))
    row = quotation_create(actor=shopper)
    Product.objects.filter(name="墨盒").update(stock=0)
    with pytest.raises(StockShort, match="墨盒"):
        order_submit(actor=shopper, form=build_form(row))
    named = tuple(SeenLine(line.pk) for line in row.lines.filter(product=pens))
    order = order_submit(
        actor=shopper, form=CheckoutForm(quotation_no=row.quotation_no, lines=named)
    )
    assert [line.name for line in order.lines.all()] == ["中性笔"]


def test_a_line_that_the_quotation_does_not_have_is_named_so(
    quotation: Quotation, shopper: Account
) -> None:
    [problem] = get_checkout(
        actor=shopper,
        form=CheckoutForm(quotation_no=quotation.quotation_no, lines=(SeenLine(0),)),
    ).problems[:1]
    assert problem.message == "该商品不在这张报价单中，请返回报价单核对"


@pytest.mark.parametrize("ends", ["agreement", "price_list", "row"])
def test_a_quotation_does_not_outlive_the_source_of_a_price(
    shopper: Account, group: Group, pens: Product, ends: str
) -> None:
    last = timezone.localdate() + timedelta(days=3)
    agreement = AgreementFactory(
        valid_to=last if ends == "agreement" else None, is_addition=ends == "row"
    )
    create_customer_agreement(group, agreement)
    include_in_assortment(agreement.assortment)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=pens,
        price=Decimal("8.00"),
        valid_to=last if ends == "row" else None,
    )
    if ends == "price_list":
        PriceList.objects.update(valid_to=last)
    fill_cart(shopper, (pens, 2))
    row = quotation_create(actor=shopper)
    assert (row.goods_amount, row.valid_to) == (Decimal("16.00"), last)


@pytest.fixture
def agreed_quotation(shopper: Account, group: Group, pens: Product) -> Quotation:
    """Two pieces at 8.00 元 of an agreement without an end."""
    agreement = AgreementFactory(name="年度协议")
    create_customer_agreement(group, agreement)
    include_in_assortment(agreement.assortment)
    PriceListItemFactory(price_list=agreement.price_list, product=pens, price=Decimal("8.00"))
    fill_cart(shopper, (pens, 2))
    return quotation_create(actor=shopper)


@pytest.mark.parametrize("ends", ["agreement", "price_list", "customer"])
def test_quotation_expires_with_its_shortened_agreement(
    agreed_quotation: Quotation, shopper: Account, ends: str
) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    if ends == "agreement":
        Agreement.objects.update(valid_from=yesterday - timedelta(days=30), valid_to=yesterday)
    elif ends == "price_list":
        PriceList.objects.update(valid_to=yesterday)
    else:
        CustomerAgreement.objects.all().delete()

    result = get_quotation(actor=shopper, quotation_no=agreed_quotation.quotation_no)
    assert (result.state, result.valid_to) == ("expired", yesterday)
    with pytest.raises(QuotationExpired):
        order_submit(actor=shopper, form=build_form(agreed_quotation))


def test_shortened_agreement_moves_the_last_day_and_notifies_the_requester_once(
    agreed_quotation: Quotation, shopper: Account
) -> None:
    last = timezone.localdate() + timedelta(days=3)
    Agreement.objects.update(valid_to=last)
    assert [quotations_shorten(), quotations_shorten()] == [1, 0]

    agreed_quotation.refresh_from_db()
    assert (agreed_quotation.state, agreed_quotation.valid_to) == ("valid", last)
    outbox_deliver()
    notice = Notice.objects.get(recipient=shopper, kind="quotation_moved")
    reason = f"协议“年度协议”提前结束，有效期改为至 {last:%Y-%m-%d}"
    assert (notice.title, notice.text) == (
        f"报价单 {agreed_quotation.quotation_no} 有效期提前",
        f"{reason}，之后不再保留报价",
    )
    events = [(event.kind, event.note) for event in list_events(agreed_quotation)]
    assert events[-1] == ("shortened", reason)


def test_a_longer_agreement_does_not_lengthen_a_quotation(agreed_quotation: Quotation) -> None:
    promised = agreed_quotation.valid_to
    Agreement.objects.update(valid_to=promised + timedelta(days=90))
    assert quotations_shorten() == 0
    agreed_quotation.refresh_from_db()
    assert agreed_quotation.valid_to == promised


def test_an_expired_quotation_shows_no_price_to_order_at(
    quotation: Quotation, shopper: Account
) -> None:
    path = f"/api/Quotation/{quotation.quotation_no}"
    body = ApiClient(shopper).get(path).body
    assert (body["OrderAmount"], body["Lines"][0]["OrderPrice"]) == ("20.00", "10.00")
    Quotation.objects.update(valid_to=timezone.localdate() - timedelta(days=1))
    body = ApiClient(shopper).get(path).body
    assert (body["OrderAmount"], body["Lines"][0]["OrderPrice"]) == (None, None)


def test_an_empty_number_of_a_quotation_does_not_order_the_cart(
    quotation: Quotation, shopper: Account
) -> None:
    reply = ApiClient(shopper).post("/api/Order/Preview", {"QuotationNo": ""})
    assert reply.body["Errors"] == {"QuotationNo": ["请填写报价单号"]}


def test_quotation_is_open_to_enterprise_colleagues_only_and_voided_by_its_owner(
    quotation: Quotation, shopper: Account, other_ga: Account
) -> None:
    assert shopper.enterprise
    assert shopper.department
    colleague = AccountFactory(department=shopper.department)
    elsewhere = AccountFactory(
        department=DepartmentFactory(enterprise=EnterpriseFactory(group=shopper.group))
    )
    path = f"/api/Quotation/{quotation.quotation_no}"
    statuses = [ApiClient(who).get(path).status for who in (colleague, elsewhere, other_ga)]
    assert statuses == [200, 404, 404]
    with pytest.raises(QuotationNotFound):
        get_quotation(actor=elsewhere, quotation_no=quotation.quotation_no)
    with pytest.raises(NotYourQuotation):
        quotation_void(actor=colleague, quotation_no=quotation.quotation_no)
    api = ApiClient(colleague)
    rows = [api.get("/api/Quotation", {"Ours": ours}).body["Total"] for ours in ("false", "true")]
    assert rows == [0, 1]


def test_account_without_price_right_cannot_open_or_create_a_quotation(
    quotation: Quotation, shopper: Account
) -> None:
    shopper.roles.update(purchasing=PurchasingRight.BROWSE_UNPRICED)
    account = Account.objects.get(pk=shopper.pk)
    with pytest.raises(PurchasingRefused):
        get_quotation(actor=account, quotation_no=quotation.quotation_no)
    with pytest.raises(PurchasingRefused):
        quotation_create(actor=account)


def test_order_by_a_colleague_notifies_the_requester(
    quotation: Quotation, shopper: Account, ga: Account
) -> None:
    order = order_submit(actor=ga, form=build_form(quotation))
    outbox_deliver()
    notice = Notice.objects.get(recipient=shopper, kind="quotation_moved")
    assert notice.title == f"{ga.nickname}已按报价单 {quotation.quotation_no} 下单"
    assert order.order_no in notice.text


def test_voided_quotation_refuses_submit_and_a_second_void(
    quotation: Quotation, shopper: Account
) -> None:
    reply = ApiClient(shopper).post(f"/api/Quotation/{quotation.quotation_no}/Void")
    assert (reply.message, reply.body["Status"], reply.body["AllowedActions"]) == (
        "报价单已作废",
        "voided",
        [],
    )
    with pytest.raises(QuotationVoided):
        order_submit(actor=shopper, form=build_form(quotation))
    with pytest.raises(QuotationVoided):
        quotation_void(actor=shopper, quotation_no=quotation.quotation_no)


def test_void_by_the_group_admin_notifies_the_requester(
    quotation: Quotation, shopper: Account, ga: Account
) -> None:
    quotation_void(actor=ga, quotation_no=quotation.quotation_no)
    outbox_deliver()
    notice = Notice.objects.get(recipient=shopper, kind="quotation_moved")
    assert notice.title == f"报价单 {quotation.quotation_no} 已作废"


def test_quotation_without_selected_items_or_with_quotations_disabled_is_refused(
    shopper: Account, pens: Product, settings: Any
) -> None:
    with pytest.raises(NothingToQuote):
        quotation_create(actor=shopper)
    fill_cart(shopper, (pens, 2))
    settings.QUOTATION_DAYS = 0
    with pytest.raises(QuotationsDisabled):
        quotation_create(actor=shopper)


def test_pieces_of_a_colleagues_requisition_are_not_quoted(shopper: Account, pens: Product) -> None:
    requester = AccountFactory(department=shopper.department, roles=[])
    fill_cart(requester, (pens, 3))
    requisition = requisition_submit(actor=requester, cost_center="CC-1", reason="")
    shopper.roles.update(data_scope=DataScope.ENTERPRISE)
    buyer = Account.objects.get(pk=shopper.pk)
    requisition_gather(
        actor=buyer, quantities={line.pk: line.left for line in requisition.lines.all()}
    )
    with pytest.raises(QuotesForColleagues, match="中性笔"):
        quotation_create(actor=buyer)


def test_an_amount_that_no_document_can_show_is_refused(
    shopper: Account, pens: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_cart(shopper, (pens, 2))
    monkeypatch.setattr("apps.quotations.services.MAX_AMOUNT", Decimal("20.00"))
    quotation_create(actor=shopper)
    monkeypatch.setattr("apps.quotations.services.MAX_AMOUNT", Decimal("19.99"))
    with pytest.raises(QuotationTooLarge):
        quotation_create(actor=shopper)


def test_a_person_keeps_a_limited_number_of_valid_quotations(
    quotation: Quotation, shopper: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.quotations.services.MAX_VALID", 1)
    with pytest.raises(QuotationsFull):
        quotation_create(actor=shopper)
    quotation_void(actor=shopper, quotation_no=quotation.quotation_no)
    quotation_create(actor=shopper)


def test_the_list_is_filtered_by_state_and_words(quotation: Quotation, shopper: Account) -> None:
    api = ApiClient(shopper)

    def total(**query: str) -> int:
        count: int = api.get("/api/Quotation", query).body["Total"]
        return count

    rows = [total(Status=state) for state in ("valid", "expired", "ordered", "voided")]
    assert rows == [1, 0, 0, 0]
    assert (total(Keyword="中性"), total(Keyword="季度"), total(Keyword="纸")) == (1, 1, 0)
    Quotation.objects.update(valid_to=timezone.localdate() - timedelta(days=1))
    assert (total(Status="valid"), total(Status="expired")) == (0, 1)


@pytest.mark.parametrize("number", [1, 4])
def test_a_quotation_costs_the_same_queries_for_any_number_of_lines(
    shopper: Account, number: int
) -> None:
    fill_cart(shopper, *((ProductFactory(stock=9), 1) for _ in range(number)))
    row, api = quotation_create(actor=shopper), ApiClient(shopper)
    api.get(f"/api/Quotation/{row.quotation_no}")
    with assert_queries(7):
        assert len(api.get(f"/api/Quotation/{row.quotation_no}").body["Lines"]) == number


def test_the_paper_is_a_pdf(quotation: Quotation, shopper: Account) -> None:
    answer = ApiClient(shopper).get(f"/api/Quotation/{quotation.quotation_no}/File").response
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")


def test_document_of_an_invalid_quotation_states_that_it_cannot_be_ordered(
    quotation: Quotation,
) -> None:
    assert (describe_state(quotation), list_terms(quotation)) == ("有效", TERMS)
    quotation.status, quotation.void_reason = "voided", "录错价格"
    assert describe_state(quotation) == "已作废（录错价格）"
    assert list_terms(quotation) == ("本报价单已作废，不能下单，仅供存档。",)
    quotation.status, quotation.valid_to = "valid", timezone.localdate() - timedelta(days=1)
    assert list_terms(quotation) == ("本报价单已过期，不能下单，仅供存档。",)


def test_staff_find_a_quotation_by_product_and_by_the_state_that_people_see(
    quotation: Quotation, pens: Product, staff: Account
) -> None:
    Quotation.objects.update(valid_to=timezone.localdate() - timedelta(days=1))
    office = open_office(staff)

    def is_found(**query: str) -> bool:
        with no_scope():
            return quotation.quotation_no in office.get(LIST, query).content.decode()

    assert is_found(q=pens.code)
    assert not is_found(q="999999")
    assert is_found(state="expired")
    assert not is_found(state="valid")


def test_staff_void_a_quotation_with_a_wrong_price(
    quotation: Quotation, shopper: Account, staff: Account
) -> None:
    office: Client = open_office(staff)
    with no_scope():
        assert office.post(f"{LIST}{quotation.pk}/void/", {"reason": "录错价格"}).status_code == 302
    outbox_deliver()
    notice = Notice.objects.get(recipient=shopper, kind="quotation_moved")
    assert (notice.text, Quotation.objects.get().state) == ("录错价格", "voided")
    assert [event.kind for event in list_events(quotation)] == ["created", "voided"]
    with pytest.raises(QuotationVoided):
        quotation_void_by_staff(actor=staff, quotation_id=quotation.pk, reason="再次")


@pytest.mark.parametrize(("job", "status"), [("客服", 200), ("财务", 403)])
def test_only_some_jobs_void(quotation: Quotation, job: str, status: int) -> None:
    with no_scope():
        assert (
            open_office(create_staff(job)).get(f"{LIST}{quotation.pk}/void/").status_code == status
        )
