"""Staff answer inquiries in the back office. The pages use the services and check the
permission.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.models import StoredFile
from apps.common.tenancy import no_scope
from apps.inquiries.models import ProductInquiry, ProductInquiryMessage, ProductInquiryPicture
from apps.inquiries.tests.inquiry_stories import create_inquiry
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

AT = "/admin/inquiries/productinquiry/"


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("客服"))


@pytest.fixture
def inquiry(buyer: Account) -> ProductInquiry:
    return create_inquiry(buyer, "定制钢笔", "刻字服务")


def act(client: Client, inquiry: ProductInquiry, verb: str, **fields: object) -> int:
    with no_scope():
        return client.post(f"{AT}{inquiry.pk}/{verb}/", {"act": "1", **fields}).status_code


def open_page(client: Client, path: str) -> str:
    with no_scope():
        return client.get(path).content.decode()


def reload(inquiry: ProductInquiry) -> ProductInquiry:
    product_inquiry: ProductInquiry = ProductInquiry.objects.get(pk=inquiry.pk)
    return product_inquiry


def test_staff_quote_line_by_line(office: Client, inquiry: ProductInquiry) -> None:
    ProductFactory(code="700001", name="定制钢笔")
    first, second = inquiry.lines.order_by("no")
    until = timezone.localdate() + timedelta(days=5)
    fields = {
        f"code_{first.pk}": "700001",
        f"price_{first.pk}": "7.50",
        f"note_{second.pk}": "随笔免费",
        "valid_to": str(until),
        "note": "含税",
    }
    assert act(office, inquiry, "quote", **fields) == 302
    lines = list(inquiry.lines.order_by("no").values_list("product__code", "quoted_price", "note"))
    assert lines == [("700001", Decimal("7.50"), ""), (None, None, "随笔免费")]
    assert (reload(inquiry).status, reload(inquiry).valid_to, reload(inquiry).quote_note) == (
        "quoted",
        until,
        "含税",
    )


def test_quote_page_offers_similar_products_at_the_customers_price(
    office: Client, inquiry: ProductInquiry
) -> None:
    ProductFactory(code="700001", name="定制钢笔", market_price=Decimal("12.00"))
    assert "700001 定制钢笔（支，客户现价 ¥12.00" in open_page(office, f"{AT}{inquiry.pk}/quote/")


def offer_text(client: Client, inquiry: ProductInquiry, code: str) -> str:
    with no_scope():
        text: str = client.get(f"{AT}{inquiry.pk}/offer/", {"code": code}).json()["text"]
    return text


def test_a_typed_code_shows_the_price_and_the_stock(
    office: Client, inquiry: ProductInquiry
) -> None:
    ProductFactory(code="700001", name="定制钢笔", market_price=Decimal("12.00"))
    ProductFactory(code="700002", name="停售笔", status="off")

    assert offer_text(office, inquiry, "700001") == (
        "定制钢笔 · 客户现价 ¥12.00 · 市场价 ¥12.00 · 可售 100 支 · 未曾购买"
    )
    assert "已下架，不能报价" in offer_text(office, inquiry, "700002")
    assert offer_text(office, inquiry, "799999") == "没有这个编码的商品"


def test_price_lookup_requires_the_inquiry_permission(db: None, inquiry: ProductInquiry) -> None:
    with no_scope():
        answer = open_office(create_staff("财务")).get(f"{AT}{inquiry.pk}/offer/", {"code": "1"})

    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("field", "value"), [("code", "abc"), ("price", "-1"), ("price", "1.234"), ("code", "799999")]
)
def test_invalid_quote_is_shown_again_and_not_saved(
    office: Client, inquiry: ProductInquiry, field: str, value: str
) -> None:
    line = inquiry.lines.order_by("no")[0]
    fields = {
        f"code_{line.pk}": "799999",
        f"price_{line.pk}": "1.00",
        f"{field}_{line.pk}": value,
        "valid_to": "2999-01-01",
    }
    assert act(office, inquiry, "quote", **fields) == 200
    assert reload(inquiry).status == "pending"


def test_staff_reply_and_decline(office: Client, inquiry: ProductInquiry) -> None:
    assert act(office, inquiry, "reply", text="正在核价") == 302
    assert act(office, inquiry, "decline", reason="已停产") == 302
    assert ProductInquiryMessage.objects.get().is_ours
    assert (
        reload(inquiry).status,
        reload(inquiry).close_reason,
        reload(inquiry).customer_unread,
    ) == (
        "closed",
        "已停产",
        2,
    )


def test_inquiry_page_offers_only_the_actions_of_its_state(
    office: Client, inquiry: ProductInquiry
) -> None:
    act(office, inquiry, "decline", reason="已停产")
    html = open_page(office, f"{AT}{inquiry.pk}/change/")
    assert (
        f"{inquiry.pk}/reply/" in html,
        f"{inquiry.pk}/quote/" in html,
        f"{inquiry.pk}/decline/" in html,
    ) == (True, False, False)


def test_inquiry_list_shows_the_waiting_time(office: Client, inquiry: ProductInquiry) -> None:
    ProductInquiry.objects.update(waiting_since=timezone.now() - timedelta(days=2, minutes=1))
    assert "2 天" in open_page(office, AT)


def test_admin_home_counts_and_lists_waiting_inquiries(
    office: Client, inquiry: ProductInquiry
) -> None:
    ProductInquiry.objects.update(waiting_since=timezone.now() - timedelta(days=2))
    with no_scope():
        context = office.get("/admin/").context
    card, rows = context["work_cards"][-1], context["todo_lists"][-1]["rows"]
    assert (card["title"], card["number"], card["is_late"]) == ("待报价询价", 1, True)
    assert [(row.number, row.act) for row in rows] == [
        (inquiry.inquiry_no, f"{AT}{inquiry.pk}/quote/")
    ]


def test_staff_see_the_customers_picture(
    office: Client, buyer: Account, inquiry: ProductInquiry
) -> None:
    path = default_storage.save("files/pen.png", ContentFile(b"x"))
    file = StoredFile.objects.create(
        owner=buyer, path=path, name="样品.png", content_type="image/png", size=1, sha256="0" * 64
    )
    picture = ProductInquiryPicture.objects.create(inquiry=inquiry, no=1, file=file)
    with no_scope():
        statuses = [
            client.get(f"{AT}{inquiry.pk}/picture/{picture.pk}/").status_code
            for client in (office, open_office(create_staff("财务")))
        ]
    assert statuses == [200, 404]


@pytest.mark.parametrize(("job", "status"), [("商品", 302), ("财务", 403)])
def test_inquiry_reply_requires_an_inquiry_job(
    inquiry: ProductInquiry, job: str, status: int
) -> None:
    assert act(open_office(create_staff(job)), inquiry, "reply", text="好") == status


def test_a_canary_of_the_customer_never_runs(office: Client, buyer: Account) -> None:
    inquiry = create_inquiry(buyer, "<script>alert(1)</script>")
    html = open_page(office, f"{AT}{inquiry.pk}/change/") + open_page(
        office, f"{AT}{inquiry.pk}/quote/"
    )
    assert "<script>alert(1)" not in html


@pytest.mark.parametrize("key", ["abc", "9" * 18])
def test_inquiry_page_with_an_invalid_key_is_not_found(office: Client, key: str) -> None:
    with no_scope():
        assert office.get(f"{AT}{key}/quote/").status_code == 404
