"""POST /api/Product/Search, GET /api/Search/Suggest, POST /api/Product/SupposeCategory."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    BrandFactory,
    PriceListItemFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group
from apps.org.tests.factories import GroupFactory
from apps.search.models import SearchLog, SearchSynonym
from apps.search.selectors import suggestions


@pytest.fixture
def pen(db: None) -> Product:
    leaf = create_category_path("书写", "水笔", "中性笔")
    product: Product = ProductFactory(
        code="110001", name="卓砚 ZY-1103 按动中性笔 0.5mm", model_code="ZY-1103", category=leaf
    )
    ProductFactory(code="220002", name="墨岚 文件夹 A4", sales_count=9)
    return product


def list_suggestions(client: ApiClient, key: str) -> list[str]:
    return [row["ProductCode"] for row in client.post("/api/Product/Search", {"Key": key}).body]


@pytest.mark.parametrize(
    "key",
    [
        "中性",
        "按动中",
        "卓砚",
        "zhongxing",
        "anDong",
        "zxb",
        "ZYZY",
        "zy-11",
        "110001",
        " 中性 笔 ",
    ],
)
def test_a_prefix_in_chinese_pinyin_or_initials_finds_the_product(
    pen: Product, api: ApiClient, key: str
) -> None:
    assert list_suggestions(api, key) == ["110001"]


def test_a_wrong_character_of_the_same_sound_finds_it_still(pen: Product, api: ApiClient) -> None:
    assert list_suggestions(api, "中形笔") == ["110001"]


def test_a_suggestion_has_the_keys_of_the_spec_brand_and_kind(pen: Product, api: ApiClient) -> None:
    body = api.post("/api/Product/Search", {"Key": "中性笔"}).body

    assert body == [
        {
            "ProductName": pen.name,
            "Brand": pen.brand.name,
            "ProductCode": "110001",
            "Kind": "product",
        }
    ]


def test_suggestions_list_the_best_seller_first(pen: Product, api: ApiClient) -> None:
    ProductFactory(code="110002", name="中性笔芯", sales_count=50)

    assert list_suggestions(api, "中性笔") == ["110002", "110001"]


def test_at_most_ten_are_suggested(db: None, api: ApiClient) -> None:
    for _ in range(12):
        ProductFactory(name="档案盒")

    assert len(list_suggestions(api, "档案")) == 10


def test_invisible_product_is_not_suggested(pen: Product, api: ApiClient) -> None:
    Product.objects.filter(code="110001").update(is_public=False)

    assert list_suggestions(api, "中性笔") == []


def test_the_customers_own_code_and_name_are_suggested_to_him_alone(
    pen: Product, group: Group, buyer: Account, other_ga: Account
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=pen,
        customer_code="MAT-7",
        customer_name="签批专用",
    )

    assert [list_suggestions(ApiClient(buyer), key) for key in ("MAT", "签批")] == [
        ["110001"],
        ["110001"],
    ]
    assert [list_suggestions(ApiClient(other_ga), key) for key in ("MAT", "签批")] == [[], []]


def test_empty_search_key_is_refused_with_a_hint(db: None, api: ApiClient) -> None:
    answer = api.post("/api/Product/Search", {"Key": "  "})

    assert (answer.code, answer.message) == ("validation", "请输入搜索关键词")


def test_an_unknown_field_is_refused(db: None, api: ApiClient) -> None:
    assert list(api.post("/api/Product/Search", {"Key": "笔", "Size": 3}).errors) == ["Size"]


def test_suggestions_cost_three_queries_and_a_customer_one_more(
    pen: Product, buyer: Account, api: ApiClient
) -> None:
    customer = ApiClient(buyer)
    list_suggestions(customer, "中性")  # fills the cache of the agreements

    with assert_queries(3):
        list_suggestions(api, "中性")
    with assert_queries(4):
        list_suggestions(customer, "中性")


def test_categories_brands_and_ones_own_history_stand_beside(
    pen: Product, buyer: Account, approver: Account
) -> None:
    BrandFactory(name="中性牌")
    ProductFactory(brand=BrandFactory(name="中性笔王"))
    now = timezone.now()
    for account, word in ((buyer, "中性笔芯"), (buyer, "订书机"), (approver, "中性墨水")):
        SearchLog.objects.create(
            account=account, group_id=account.group_id, keyword=word, results=1, at=now
        )

    body = ApiClient(buyer).get("/api/Search/Suggest", {"Key": "中性"}).body

    assert [row["Name"] for row in body["Categories"]] == ["中性笔"]
    assert [row["Name"] for row in body["Brands"]] == ["中性笔王"]
    assert body["History"] == ["中性笔芯"]
    assert [row["ProductCode"] for row in body["Products"]] == ["110001"]


def test_categories_are_suggested_by_their_sound_and_by_a_synonym(
    pen: Product, api: ApiClient
) -> None:
    SearchSynonym.objects.create(word="签字笔", kind="means", others="中性笔")

    rows = [
        [row["Name"] for row in api.get("/api/Search/Suggest", {"Key": key}).body["Categories"]]
        for key in ("zhongx", "zxb", "签字笔", "jilu")
    ]

    assert rows == [["中性笔"], ["中性笔"], ["中性笔"], []]


def test_products_may_be_left_out_of_the_groups(pen: Product, api: ApiClient) -> None:
    body = api.get("/api/Search/Suggest", {"Key": "中性", "Products": "0"}).body

    assert (body["Products"], [row["Name"] for row in body["Categories"]]) == ([], ["中性笔"])


def test_groups_cost_five_queries_of_a_customer_and_three_without_products(
    pen: Product, buyer: Account
) -> None:
    client = ApiClient(buyer)
    client.get(
        "/api/Search/Suggest", {"Key": "中性"}
    )  # fills the caches of the agreements and the lexicon

    with assert_queries(6):  # the bearer token, and five more
        client.get("/api/Search/Suggest", {"Key": "中性"})
    with assert_queries(4):
        client.get("/api/Search/Suggest", {"Key": "中性", "Products": "0"})


class TestForgetting:
    """DELETE /api/Search/History."""

    @pytest.fixture(autouse=True)
    def searches(self, buyer: Account, approver: Account) -> None:
        now = timezone.now()
        for minutes, (account, word) in enumerate(
            ((buyer, "订书机"), (buyer, "中性笔"), (buyer, "订书机"), (approver, "订书机"))
        ):
            at = now - timedelta(minutes=minutes)
            SearchLog.objects.create(
                account=account, group_id=account.group_id, keyword=word, results=1, at=at
            )

    @staticmethod
    def history(account: Account) -> list[str]:
        words: list[str] = ApiClient(account).get("/api/Search/Suggest").body["History"]
        return words

    def test_one_history_keyword_is_deleted_for_its_account_only(
        self, buyer: Account, approver: Account
    ) -> None:
        answer = ApiClient(buyer).delete("/api/Search/History?Keyword=订书机")

        assert (answer.ok, answer.message) == (True, "已清除")
        assert (self.history(buyer), self.history(approver)) == (["中性笔"], ["订书机"])

    def test_without_a_word_all_are_forgotten_and_the_groups_hot_words_stay(
        self, buyer: Account
    ) -> None:
        ApiClient(buyer).delete("/api/Search/History")

        assert self.history(buyer) == []
        hot = ApiClient(buyer).post("/api/Product/SupposeCategory", {"TopN": 2}).body
        assert [row["Keywords"] for row in hot] == ["订书机", "中性笔"]

    def test_the_latest_stand_first_each_once(self, buyer: Account) -> None:
        assert self.history(buyer) == ["订书机", "中性笔"]


class TestHotWords:
    """Words of one group are not shown to other groups, unless three groups searched for the
    same word.
    """

    def log(
        self, group: Group, word: str, times: int = 1, at: datetime | None = None, results: int = 3
    ) -> None:
        for _ in range(times):
            SearchLog.objects.create(
                group_id=group.pk, keyword=word, results=results, at=at or timezone.now()
            )

    def ask(self, account: Account, **body: Any) -> list[str]:
        return [
            row["Keywords"]
            for row in ApiClient(account).post("/api/Product/SupposeCategory", body).body
        ]

    def test_own_words_come_first_by_how_often_they_were_searched(self, buyer: Account) -> None:
        others = GroupFactory.create_batch(3)
        self.log(buyer.group, "订书机")
        self.log(buyer.group, "复印纸", 2)
        for other in others:
            self.log(other, "硒鼓", 5)

        assert self.ask(buyer) == ["复印纸", "订书机", "硒鼓"]

    def test_a_word_of_two_other_groups_stays_theirs(self, buyer: Account) -> None:
        for other in GroupFactory.create_batch(2):
            self.log(other, "机密项目", 9)

        assert self.ask(buyer) == []

    def test_only_the_period_counts_and_only_words_that_found_something(
        self, buyer: Account
    ) -> None:
        now = timezone.now()
        self.log(buyer.group, "上周", at=now - timedelta(days=7))
        self.log(buyer.group, "去年", at=now - timedelta(days=400))
        self.log(buyer.group, "空手而归", results=0)

        begin, end = (int(moment.timestamp() * 1000) for moment in (now - timedelta(days=30), now))
        assert self.ask(buyer, BeginTime=begin, EndTime=end, TopN=8) == ["上周"]

    def test_top_n_bounds_and_the_first_two_are_highlighted(self, buyer: Account) -> None:
        for number in range(5):
            self.log(buyer.group, f"词{number}", times=9 - number)

        rows = ApiClient(buyer).post("/api/Product/SupposeCategory", {"TopN": 3}).body

        assert rows == [
            {"Keywords": "词0", "IsHighlight": True},
            {"Keywords": "词1", "IsHighlight": True},
            {"Keywords": "词2", "IsHighlight": False},
        ]

    def test_a_registered_source_adds_its_words(
        self, buyer: Account, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def ordered(period: suggestions.HotPeriod) -> Iterable[tuple[str, int]]:
            return [("打印纸", 7)] if period.group_id == buyer.group_id else []

        monkeypatch.setattr(suggestions, "HOT_WORDS", [ordered])
        self.log(buyer.group, "订书机")

        assert self.ask(buyer) == ["打印纸", "订书机"]

    def test_category_suggestions_require_a_login(self, db: None, api: ApiClient) -> None:
        assert api.post("/api/Product/SupposeCategory", {}).status == 401

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"TopN": 0}, "TopN"),
            ({"BeginTime": "x"}, "BeginTime"),
            ({"BeginTime": 9, "EndTime": 1}, "EndTime"),
        ],
    )
    def test_a_bad_body_is_refused_by_name(
        self, buyer: Account, body: dict[str, Any], field: str
    ) -> None:
        assert list(ApiClient(buyer).post("/api/Product/SupposeCategory", body).errors) == [field]
