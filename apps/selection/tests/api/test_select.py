"""POST /api/Product/Select with a wish list and with a scenario, from the request body to the
basket lines.
"""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from python_calamine import CalamineWorkbook

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.documents.excel import write_xlsx
from apps.org.models import Account

pytestmark = pytest.mark.django_db


def build_wish(account: Account, text: str) -> Answer:
    return ApiClient(account).post("/api/Product/Select", {"Text": text})


def get_lines(answer: Answer) -> dict[str, tuple[str, int, str] | None]:
    return {
        item["Text"]: item["Chosen"]
        and (item["Chosen"]["ProductCode"], item["Chosen"]["Quantity"], item["Chosen"]["Amount"])
        for item in answer.body["Items"]
    }


@pytest.mark.usefixtures("stationery")
def test_every_line_of_a_wish_list_is_answered_in_its_order(buyer: Account) -> None:
    answer = build_wish(buyer, "中性笔 24支\n\n石墨烯 3个\nA5 笔记本 3本")

    assert get_lines(answer) == {
        "中性笔 24支": ("2", 2, "43.20"),
        "石墨烯 3个": None,
        "A5 笔记本 3本": ("3", 3, "30.00"),
    }
    assert [item["Status"] for item in answer.body["Items"]] == ["matched", "none", "matched"]
    assert answer.body["Totals"] == {"Lines": 3, "Chosen": 2, "Amount": "73.20"}


def build_sheet(*rows: tuple[Any, ...]) -> SimpleUploadedFile:
    file = io.BytesIO()
    write_xlsx(file, header=[str(cell) for cell in rows[0]], rows=rows[1:])
    return SimpleUploadedFile("清单.xlsx", file.getvalue())


@pytest.fixture
def _books_in_tiers(stationery: None, buyer: Account) -> None:
    """The notebook at 9.00 元, from 3 pieces on 6.00 元."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    assert buyer.group
    create_customer_agreement(buyer.group, agreement)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=Product.objects.get(code="3"),
        price=Decimal("9.00"),
        tier1_quantity=3,
        tier1_price=Decimal("6.00"),
    )


@pytest.mark.usefixtures("_books_in_tiers")
def test_the_quantity_of_a_line_decides_its_tier(buyer: Account) -> None:
    answer = build_wish(buyer, "笔记本 3本\nA5 笔记本 2本")

    assert [line and line[2] for line in get_lines(answer).values()] == ["18.00", "18.00"]
    assert answer.body["Totals"]["Amount"] == "36.00"
    limited = ApiClient(buyer).upload(
        "/api/Product/Select", {"file": build_sheet(("品名", "数量", "限价"), ("笔记本", 3, 6))}
    )
    assert limited.body["Items"][0]["Chosen"]["Amount"] == "18.00"
    body = {"Lines": [{"Text": "笔记本", "ProductCode": "3", "Quantity": 3}]}
    exported = ApiClient(buyer).post("/api/Product/Select/Export", body).body
    assert read_exported_rows(exported)[1][10:12] == [6.0, 18.0]


@pytest.mark.usefixtures("stationery")
def test_a_sheet_is_answered_row_by_row(buyer: Account) -> None:
    answer = ApiClient(buyer).upload(
        "/api/Product/Select",
        {"file": build_sheet(("品名", "数量", "限价"), ("中性笔", 12, 30), ("笔记本", 2, 5))},
    )

    first, second = answer.body["Items"]
    assert first["Chosen"] == {"ProductCode": "2", "Quantity": 12, "Amount": "259.20"}
    assert (second["Chosen"], second["Message"]) == (
        None,
        "没有不超过 5 元的商品，同类最低 10.00 元，可提高限价或从候选中选择",
    )


@pytest.mark.usefixtures("stationery")
def test_a_sheet_in_gbk_is_read(buyer: Account) -> None:
    file = SimpleUploadedFile("清单.csv", "品名,数量\n笔记本,3\n".encode("gbk"))

    assert get_lines(ApiClient(buyer).upload("/api/Product/Select", {"file": file})) == {
        "笔记本 3": ("3", 3, "30.00")
    }


def test_a_formula_in_a_sheet_is_only_its_text(buyer: Account) -> None:
    answer = ApiClient(buyer).upload(
        "/api/Product/Select", {"file": build_sheet(("品名", "数量"), ("=HYPERLINK(1)", 1))}
    )

    assert (answer.ok, answer.body["Items"][0]["Status"]) == (True, "none")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("清单.csv", b"\xff\xfe\x00", "文件是 UTF-16（Unicode 文本）编码"),
        ("清单.pdf", b"%PDF-1.7", "请上传 .xlsx 或 .csv 文件"),
        ("清单.csv", "笔\n".encode() * 1001, "表格最多 1000 行"),
        ("清单.csv", "笔\n".encode() * 201, "清单共 201 行，一次最多选品 200 行"),
        ("清单.csv", b"\n\n", "文件中没有内容"),
    ],
)
def test_invalid_selection_sheet_is_refused_with_a_hint(
    buyer: Account, name: str, content: bytes, message: str
) -> None:
    answer = ApiClient(buyer).upload(
        "/api/Product/Select", {"file": SimpleUploadedFile(name, content)}
    )

    assert not answer.ok
    assert message in answer.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n ", "请输入清单"),
        ("笔\n" * 201, "一次最多选品 200 行"),
        ("笔" * 40_001, "清单不能超过 40000 个字"),
    ],
)
def test_invalid_selection_text_is_refused_with_a_hint(
    buyer: Account, text: str, message: str
) -> None:
    answer = build_wish(buyer, text)

    assert not answer.ok
    assert message in answer.message


def test_a_line_of_ten_thousand_characters_is_answered_as_a_line(buyer: Account) -> None:
    (item,) = build_wish(buyer, "笔" * 10_000).body["Items"]

    assert (item["Status"], len(item["Text"]), item["Message"]) == (
        "problem",
        200,
        "这一行超过 200 个字，请拆成多行，每行写一种商品",
    )


@pytest.mark.usefixtures("stationery")
def test_unmatched_word_of_a_line_is_named_and_the_match_is_partial(buyer: Account) -> None:
    (item,) = build_wish(buyer, "防水笔记本 2本").body["Items"]

    result = (item["Status"], item["Chosen"]["ProductCode"], item["Message"])
    assert result == ("partial", "3", "没有同时符合“防水”的商品，已按其余描述选择")


@pytest.mark.usefixtures("stationery")
def test_product_without_the_noun_of_the_line_is_never_chosen(buyer: Account) -> None:
    ProductFactory(
        code="9",
        name="内六角螺栓 M6×40",
        category=create_category_path("五金", "紧固件", "螺栓"),
        unit="盒",
        sales_count=99,
    )
    (item,) = build_wish(buyer, "M6笔 2盒").body["Items"]

    result = (item["Status"], item["Chosen"], item["Message"])
    assert result == ("none", None, "没有找到“m6笔”，试试下面的词，或从候选中确认")
    assert ({one["ProductCode"] for one in item["Candidates"]}, item["Near"]) == (
        {"1", "2"},
        ["中性笔"],
    )


@pytest.mark.usefixtures("stationery")
def test_a_notebook_is_no_pen(buyer: Account) -> None:
    (item,) = build_wish(buyer, "A5笔 2本").body["Items"]

    assert (item["Status"], item["Chosen"]) == ("none", None)


@pytest.fixture
def paper() -> None:
    """A4 paper in boxes of five packs at 67.83 元, and refill paper of another kind at 1.00 元."""
    ProductFactory(
        code="4",
        name="高白复印纸 A4",
        category=create_category_path("纸品", "纸", "复印纸"),
        unit="箱",
        pack="5包/箱",
        market_price=Decimal("67.83"),
        sales_count=9,
    )
    ProductFactory(
        code="5",
        name="A4 复印纸 架",
        category=create_category_path("纸品", "架", "纸架"),
        unit="包",
        market_price=Decimal("1.00"),
    )
    dictionary_load()


@pytest.mark.usefixtures("paper")
@pytest.mark.parametrize(
    ("limit", "status", "chosen", "message"),
    [
        ("20", "matched", {"ProductCode": "4", "Quantity": 2, "Amount": "135.66"}, ""),
        ("13.57", "matched", {"ProductCode": "4", "Quantity": 2, "Amount": "135.66"}, ""),
        (
            "13.56",
            "none",
            None,
            "没有不超过 13.56 元的商品，同类最低 13.57 元/包，可提高限价或从候选中选择",
        ),
    ],
)
def test_a_limit_counts_for_the_unit_that_was_written(
    buyer: Account, limit: str, status: str, chosen: Any, message: str
) -> None:
    (item,) = build_wish(buyer, f"A4复印纸 10包 {limit}元以内").body["Items"]

    assert (item["Status"], item["Chosen"], item["Message"]) == (status, chosen, message)
    assert item["Candidates"][0]["Note"] == "2 箱，共 10 包，合 13.57 元/包"


@pytest.mark.usefixtures("stationery")
def test_a_wish_without_a_hit_names_the_inquiry_as_its_page_does(buyer: Account) -> None:
    (item,) = build_wish(buyer, "石墨烯 3个").body["Items"]

    assert item["Message"] == "没有找到“石墨烯”，请换一种说法，或发起意向商品询价"


@pytest.mark.usefixtures("stationery")
def test_phonetic_match_only_suggests_the_word(buyer: Account) -> None:
    (item,) = build_wish(buyer, "中兴笔 2支").body["Items"]

    assert (item["Status"], item["Chosen"], item["Near"][0]) == ("none", None, "中性笔")


@pytest.mark.usefixtures("stationery")
def test_queries_are_the_same_for_two_lines_and_for_forty(buyer: Account) -> None:
    build_wish(buyer, "笔")

    with assert_queries(7):
        build_wish(buyer, "中性笔\n笔记本")
    with assert_queries(7):
        build_wish(buyer, "\n".join(f"中性笔 {n}支\n笔记本 {n}本" for n in range(1, 21)))
    with assert_queries(8):
        build_wish(buyer, "\n".join(f"没有的东西{n}" for n in range(20)))


def read_exported_rows(content: bytes) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


@pytest.mark.usefixtures("stationery")
def test_the_sheet_has_every_line_chosen_or_not_and_the_total(buyer: Account) -> None:
    body = {"Lines": [{"Text": "笔记本 3本", "ProductCode": "3", "Quantity": 3}, {"Text": "=1+1"}]}

    answer = ApiClient(buyer).post("/api/Product/Select/Export", body)

    rows = read_exported_rows(answer.body)
    assert [(row[1], row[2], row[11], row[13]) for row in rows[1:]] == [
        ("笔记本 3本", "3", 30.0, ""),
        ("=1+1", "", "", "未选定商品"),
        ("合计", "", 30.0, ""),
    ]
