"""Staff maintain hot keywords (热词). POST /api/Product/SupposeCategory returns them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.models import CatalogChange
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.search.models import HotKeyword, SearchLog

PAGE = "/admin/search/hotkeyword/"
FORM = {"keyword": "", "kind": "pinned", "position": "0", "is_active": "on"}


@pytest.fixture(autouse=True)
def searched(buyer: Account) -> None:
    """Search history: 订书机 three times, a4 纸 twice, 中性笔 once."""
    for word, times in (("订书机", 3), ("a4 纸", 2), ("中性笔", 1)):
        for _ in range(times):
            SearchLog.objects.create(
                group_id=buyer.group_id, keyword=word, results=1, at=timezone.now()
            )


def ask(account: Account, top: int = 8) -> list[str]:
    return [
        row["Keywords"]
        for row in ApiClient(account).post("/api/Product/SupposeCategory", {"TopN": top}).body
    ]


def keep(keyword: str, **values: Any) -> str:
    """Save a new row in the back office and return the text of the page."""
    dates = {
        f"{name}_{part}": text
        for name in ("valid_from", "valid_to")
        for part, text in enumerate(values.pop(name, ("", "")))
    }
    return (
        open_office(create_staff("商品"))
        .post(f"{PAGE}add/", {**FORM, "keyword": keyword, **dates, **values}, follow=True)
        .content.decode()
    )


def get_day(days: int) -> tuple[str, str]:
    at = timezone.localtime() + timedelta(days=days)
    return f"{at:%Y-%m-%d}", f"{at:%H:%M:%S}"


def test_pinned_words_stand_first_in_their_order_as_written(buyer: Account) -> None:
    keep("开学季", position="2")
    keep("A4 纸", position="1")

    assert ask(buyer) == ["A4 纸", "开学季", "订书机", "中性笔"]
    assert ask(buyer, top=1) == ["A4 纸"]


def test_a_hidden_word_is_not_shown_and_the_next_takes_its_place(buyer: Account) -> None:
    assert ask(buyer, top=2) == ["订书机", "a4 纸"]

    keep("订书机", kind="hidden")

    assert ask(buyer, top=2) == ["a4 纸", "中性笔"]


def test_a_word_holds_from_its_first_minute_to_its_last(buyer: Account) -> None:
    keep("昨天", valid_to=get_day(-1), valid_from=get_day(-9))
    keep("今天", valid_from=get_day(-1), valid_to=get_day(1))
    keep("明天", valid_from=get_day(1))
    keep("停用", is_active="")

    assert ask(buyer, top=2) == ["今天", "订书机"]
    html = open_office(create_staff("客服")).get(f"{PAGE}?now=yes").content.decode()
    assert ("今天" in html, "昨天" in html, "明天" in html) == (True, False, False)


def test_changed_and_deleted_it_holds_at_once(buyer: Account) -> None:
    keep("开学季")
    row, desk = HotKeyword.objects.get(), open_office(create_staff("商品"))

    desk.post(f"{PAGE}{row.pk}/change/", {**FORM, "keyword": "订书机", "kind": "hidden"})
    assert ask(buyer) == ["a4 纸", "中性笔"]

    desk.post(f"{PAGE}{row.pk}/delete/", {"post": "yes"})
    assert ask(buyer) == ["订书机", "a4 纸", "中性笔"]
    assert CatalogChange.objects.filter(key__startswith="hot:").count() == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"keyword": "Ａ4　纸"}, "已有这个热词"),
        ({"keyword": " "}, "请填写此项"),
        ({"keyword": "长" * 61}, "60"),
        (
            {"keyword": "倒着", "valid_from": get_day(2), "valid_to": get_day(1)},
            "结束时间必须晚于开始时间",
        ),
        ({"keyword": "先后", "position": "-1"}, "0"),
    ],
)
def test_invalid_hot_keyword_is_refused_with_a_message(
    buyer: Account, values: dict[str, Any], message: str
) -> None:
    keep("a4 纸")

    assert message in keep(**values)
    assert HotKeyword.objects.count() == 1


def test_customer_service_looks_and_does_not_change(buyer: Account) -> None:
    assert open_office(create_staff("客服")).get(PAGE).status_code == 200
    assert (
        open_office(create_staff("客服")).post(f"{PAGE}add/", {**FORM, "keyword": "x"}).status_code
        == 403
    )


def test_however_many_rows_they_cost_one_query(buyer: Account) -> None:
    HotKeyword.objects.bulk_create(
        HotKeyword(keyword=f"词{n}", key=f"词{n}", kind="hidden" if n % 2 else "pinned")
        for n in range(300)
    )
    client = ApiClient(buyer)
    client.post("/api/Product/SupposeCategory", {"TopN": 8})

    # account, hot keywords, searches, orders, words shared by groups
    with assert_queries(5):
        client.post("/api/Product/SupposeCategory", {"TopN": 8})
