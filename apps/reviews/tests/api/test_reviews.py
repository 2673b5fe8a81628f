"""Tests of /api/Order/{OrderNo}/Review and a product's reviews: the permissions to read and
write.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.orders.selectors.access import list_allowed_actions
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.reviews.models import OrderReview, PublishedPicture
from apps.reviews.services import review_hide, review_reply
from apps.reviews.tests.reviewing import receive_order, review, store_picture


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """A received order of two pieces of one product."""
    return receive_order(shopper, staff)


def get_path(order: Order, more: str = "") -> str:
    return f"/api/Order/{order.order_no}/Review{more}"


def build_review_body(order: Order, **more: Any) -> dict[str, Any]:
    return {"OrderLineId": str(order.lines.get().pk), "Stars": 5, **more}


def get_reviews(order: Order) -> str:
    return f"/api/Product/{order.lines.get().product_code}/Reviews"


def test_a_review_is_written_and_shown_at_once(shopper: Account, order: Order) -> None:
    line = build_review_body(
        order,
        Tags=["quality", "fast"],
        Text="写着顺",
        FileIds=[str(store_picture(shopper).public_id)],
    )
    answer = ApiClient(shopper).post(get_path(order), {"Anonymous": False, "Lines": [line]})
    [row] = answer.body["Lines"]
    assert (answer.message, row["IsReviewed"], row["AllowedActions"]) == (
        "评价已发表",
        True,
        ["edit", "follow_up"],
    )

    body = ApiClient().get(get_reviews(order)).body
    [public] = body["Items"]
    assert (public["Stars"], public["Tags"], public["Text"], len(public["Pictures"])) == (
        5,
        ["质量好", "送货快"],
        "写着顺",
        1,
    )
    assert (body["Summary"]["Average"], body["Summary"]["Count"]) == ("5.0", 1)
    assert {tag["Name"]: tag["Count"] for tag in body["Summary"]["Tags"]} == {
        "质量好": 1,
        "送货快": 1,
    }
    assert {kind["Name"]: kind["Count"] for kind in body["Summary"]["Kinds"]} == {
        "有图": 1,
        "追评": 0,
    }


def test_the_product_carries_its_rating(shopper: Account, order: Order) -> None:
    review(order, 4)
    body = ApiClient(shopper).get(f"/api/Product/{order.lines.get().product_code}").body
    assert (body["Rating"], body["ReviewCount"]) == ("4.0", 1)


def test_an_order_may_be_reviewed_until_all_is(shopper: Account, order: Order) -> None:
    api = ApiClient(shopper)
    assert "review" in api.get(f"/api/Order/{order.order_no}").body["AllowedActions"]
    review(order)
    assert "review" not in api.get(f"/api/Order/{order.order_no}").body["AllowedActions"]


def test_order_list_has_a_tab_for_orders_to_review(
    shopper: Account, order: Order, staff: Account
) -> None:
    review(receive_order(shopper, staff))
    body = ApiClient(shopper).get("/api/Order", {"Status": "to_review"}).body
    assert {tab["Name"]: tab["Count"] for tab in body["Tabs"]}["待评价"] == 1
    assert [row["OrderNo"] for row in body["Items"]] == [order.order_no]


def test_the_workbench_counts_ones_own_orders_to_review(
    shopper: Account, order: Order, ga: Account
) -> None:
    assert ApiClient(shopper).get("/api/Workbench").body["Counts"]["ToReview"] == 1
    assert ApiClient(ga).get("/api/Workbench").body["Counts"]["ToReview"] == 0


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({"Stars": 0}, "Stars", "请选择 1 至 5 星"),
        ({"Stars": 6}, "Stars", "请选择 1 至 5 星"),
        ({"Stars": None}, "Stars", "请选择 1 至 5 星"),
        ({"Text": "好" * 5000}, "Text", "最多 500 个字"),
        (
            {"FileIds": [f"00000000-0000-4000-8000-00000000000{n}" for n in range(10)]},
            "FileIds",
            "最多上传 9 张图片",
        ),
        (
            {"Tags": ["quality", "value", "fast", "packed", "handy", "slow"]},
            "Tags",
            "最多选择 5 个标签",
        ),
        ({"Tags": ["nonsense"]}, "Tags", "不在可选范围内"),
    ],
)
def test_invalid_review_is_refused_under_its_field(
    shopper: Account, order: Order, wrong: dict[str, Any], field: str, message: str
) -> None:
    answer = ApiClient(shopper).post(
        get_path(order), {"Lines": [build_review_body(order, **wrong)]}
    )
    assert (answer.ok, OrderReview.objects.count()) == (False, 0)
    assert field in str(answer.errors)
    assert message in str(answer.errors)


@pytest.mark.parametrize("verb", ["get", "post", "patch"])
def test_a_review_of_anothers_order_answers_as_of_a_missing_one(
    order: Order, other_ga: Account, verb: str
) -> None:
    answer = getattr(ApiClient(other_ga), verb)(
        get_path(order),
        {"Lines": [{"OrderLineId": "1", "Stars": 5}]}
        if verb == "post"
        else {"OrderLineId": "1", "Stars": 5},
    )
    assert (answer.status, answer.message) == (404, "订单不存在，或您无权查看")


def test_markup_stays_text(shopper: Account, order: Order) -> None:
    ApiClient(shopper).post(
        get_path(order), {"Lines": [build_review_body(order, Text="<script>alert(1)</script>")]}
    )
    assert (
        ApiClient().get(get_reviews(order)).body["Items"][0]["Text"] == "<script>alert(1)</script>"
    )


def test_a_colleague_is_named_and_a_stranger_is_not(
    shopper: Account, order: Order, ga: Account, other_ga: Account
) -> None:
    review(order)
    authors = [
        ApiClient(reader).get(get_reviews(order)).body["Items"][0]["Author"]
        for reader in (ga, other_ga, None)
    ]
    department = shopper.department.name if shopper.department else ""
    masked = f"{shopper.nickname[:1]}**"
    assert authors == [f"{shopper.nickname}（{department}）", masked, masked]


def test_anonymous_author_is_hidden_from_every_reader(
    shopper: Account, order: Order, ga: Account, other_ga: Account
) -> None:
    review(order, is_anonymous=True)
    authors = {
        ApiClient(reader).get(get_reviews(order)).body["Items"][0]["Author"]
        for reader in (ga, shopper, other_ga, None)
    }
    assert authors == {"匿名用户"}


def test_colleague_cannot_read_an_anonymous_review_in_the_order(
    order: Order, approver: Account
) -> None:
    review(order, is_anonymous=True, text="暗中说一句")
    answer = ApiClient(approver).get(get_path(order))
    [row] = answer.body["Lines"]
    assert (row["IsReviewed"], row["Review"], row["AllowedActions"]) == (True, None, [])
    assert "暗中说一句" not in answer.response.content.decode()


def test_reviews_are_narrowed_by_stars_pictures_and_tags(shopper: Account, staff: Account) -> None:
    pens = ProductFactory(stock=100)
    orders = [receive_order(shopper, staff, (pens, 1)) for _ in range(3)]
    review(orders[0], 5, "五星", tags=("quality",))
    review(orders[1], 2, "两星", tags=("slow",))
    review(orders[2], 5, "有图", file_ids=(store_picture(shopper).public_id,))
    api, address = ApiClient(shopper), f"/api/Product/{pens.code}/Reviews"

    def texts(**query: object) -> list[str]:
        return [row["Text"] for row in api.get(address, query).body["Items"]]

    assert texts(Stars=5) == ["有图", "五星"]
    assert texts(Kind="pictures") == ["有图"]
    assert texts(Tag="slow") == ["两星"]
    assert texts(Stars=3) == []


def test_a_picture_of_a_hidden_review_is_gone(
    shopper: Account, staff: Account, order: Order
) -> None:
    written = review(order, file_ids=(store_picture(shopper).public_id,))
    url = ApiClient().get(get_reviews(order)).body["Items"][0]["Pictures"][0]["Url"]
    assert ApiClient().get(url).response["Content-Type"] == "image/png"
    review_hide(actor=staff, review_id=written.pk, reason="与商品无关")
    assert (ApiClient().get(url).status, PublishedPicture.objects.count()) == (404, 0)


def test_its_author_reads_why_it_is_hidden(shopper: Account, staff: Account, order: Order) -> None:
    review_hide(actor=staff, review_id=review(order).pk, reason="含联系方式")
    own_review = ApiClient(shopper).get(get_path(order)).body["Lines"][0]["Review"]
    assert (own_review["StateText"], own_review["HiddenReason"]) == ("已隐藏", "含联系方式")


def test_after_an_answer_one_may_only_follow_up(
    shopper: Account, staff: Account, order: Order
) -> None:
    review_reply(actor=staff, review_id=review(order).pk, text="谢谢")
    [row] = ApiClient(shopper).get(get_path(order)).body["Lines"]
    assert (row["Review"]["ReplyText"], row["AllowedActions"]) == ("谢谢", ["follow_up"])


def test_a_product_one_may_not_see_shows_no_reviews(shopper: Account, order: Order) -> None:
    review(order)
    line = order.lines.get()
    type(line.product).objects.filter(pk=line.product_id).update(is_public=False)
    assert ApiClient().get(get_reviews(order)).status == 404


def test_impersonating_staff_are_offered_no_review(
    shopper: Account, order: Order, staff: Account
) -> None:
    shopper.impersonator = staff
    assert "review" not in list_allowed_actions(actor=shopper, order=Order.objects.get(pk=order.pk))


@pytest.mark.parametrize("number", [1, 5])
def test_a_page_of_reviews_costs_the_same_queries_for_any_number(
    shopper: Account, staff: Account, number: int
) -> None:
    pens = ProductFactory(stock=100)
    for _ in range(number):
        review(
            receive_order(shopper, staff, (pens, 1)), file_ids=(store_picture(shopper).public_id,)
        )
    api = ApiClient(shopper)
    api.get(f"/api/Product/{pens.code}/Reviews")
    with assert_queries(8):
        assert api.get(f"/api/Product/{pens.code}/Reviews").body["Total"] == number


@pytest.mark.parametrize("number", [1, 4])
def test_the_page_of_an_order_costs_the_same_queries_for_any_number(
    shopper: Account, staff: Account, number: int
) -> None:
    order = receive_order(shopper, staff, *((ProductFactory(stock=100), 1) for _ in range(number)))
    api = ApiClient(shopper)
    lines = [
        {
            "OrderLineId": str(line.pk),
            "Stars": 5,
            "FileIds": [str(store_picture(shopper).public_id)],
        }
        for line in order.lines.all()
    ]
    api.post(get_path(order), {"Lines": lines})
    with assert_queries(8):
        assert len(api.get(get_path(order)).body["Lines"]) == number


def test_review_requires_the_order_menu_code(shopper: Account, order: Order) -> None:
    shopper.roles.update(menu_codes=[MenuCode.ORDER_CANCEL])
    assert (
        ApiClient(shopper).post(get_path(order), {"Lines": [build_review_body(order)]}).status
        == 403
    )
