"""Tests of /api/Product/QuickOrder: text, typed lines, sheets, the transfer to the cart, and
the export of the remaining lines.
"""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from typing import Any

import pytest
import xlsxwriter

from apps.cart.models import CartItem
from apps.cart.services.cart_add import cart_add
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path, make_family
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.documents.excel import read_rows
from apps.documents.tests.xls import build_xls
from apps.org.models import Account

QUICK = "/api/Product/QuickOrder"
FILL = f"{QUICK}/AddToCart"
HEAD = ["编码", "数量"]


@pytest.fixture
def pen(buyer: Account) -> Product:
    return ProductFactory(code="110001", name="中性笔", min_quantity=5, step_quantity=5)


def name_file(content: bytes, name: str) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


def build_workbook(*rows: list[Any], merge: str = "") -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        page = book.add_worksheet()
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                page.write(number, column, value)
        if merge:
            page.merge_range(merge, "110001")
    return file.getvalue()


def upload_sheet(buyer: Account, content: bytes, name: str) -> Answer:
    return ApiClient(buyer).upload(QUICK, {"file": name_file(content, name)})


def list_states(answer: Answer) -> list[tuple[int, str, int | None]]:
    return [(line["No"], line["Status"], line["Quantity"]) for line in answer.body["Lines"]]


def test_a_text_is_answered_line_by_line_with_a_sum(buyer: Account, pen: Product) -> None:
    body = ApiClient(buyer).post(QUICK, {"Text": "编码 数量\n110001 7\n\n没有的 1"}).body
    assert [line["Status"] for line in body["Lines"]] == ["skipped", "ready", "skipped", "problem"]
    assert body["Summary"] == {
        "Total": 4,
        "Ready": 1,
        "Merged": 0,
        "Choose": 0,
        "Problem": 1,
        "Skipped": 2,
        "Amount": "100.00",
    }
    line = body["Lines"][1]
    assert (line["Asked"], line["Quantity"], line["Amount"], line["Product"]["CustomerPrice"]) == (
        7,
        10,
        "100.00",
        "10.00",
    )
    assert line["Notices"] == [{"Code": "raised", "Message": "按 5 支递增，数量由 7 调整为 10"}]


def test_typed_line_uses_its_code_and_quantity(buyer: Account, pen: Product) -> None:
    answer = ApiClient(buyer).post(
        QUICK, {"Lines": [{"Code": "110001", "Quantity": 10}, {"Code": "中性笔"}]}
    )
    assert list_states(answer) == [(1, "ready", 15), (2, "merged", None)]


def test_answered_quick_order_line_gives_the_same_answer_again(buyer: Account) -> None:
    for code, colour, sold in (("110001", "黑色", 20), ("110002", "蓝色", 10)):
        ProductFactory(
            code=code, name=f"中性笔 {colour}", model_code="ZY-1103", unit="支", sales_count=sold
        )
    (first,) = ApiClient(buyer).post(QUICK, {"Text": "ZY1103 蓝色 2盒"}).body["Lines"]
    again = {
        "Quantity": first["Asked"],
        **{key: first[key] for key in ("Text", "Code", "Unit", "Search", "Remark")},
    }
    (second,) = ApiClient(buyer).post(QUICK, {"Lines": [again]}).body["Lines"]
    assert second == first
    assert (second["Text"], second["Candidates"][0]["ProductCode"]) == ("ZY1103 蓝色 2盒", "110002")


def test_chosen_product_keeps_the_original_text_of_its_line(buyer: Account, pen: Product) -> None:
    (line,) = (
        ApiClient(buyer)
        .post(QUICK, {"Lines": [{"Code": "110001", "Quantity": 10, "Text": "笔 蓝色 10支"}]})
        .body["Lines"]
    )
    assert (line["Text"], line["Status"], line["Quantity"]) == ("笔 蓝色 10支", "ready", 10)


def test_text_line_is_parsed_under_its_own_number(buyer: Account, pen: Product) -> None:
    lines = [{"Code": "没有的", "Quantity": 1}, {"Text": "110001 99999999"}]
    answer = ApiClient(buyer).post(QUICK, {"Lines": lines}).body["Lines"][1]
    assert (answer["No"], answer["Text"], answer["Status"]) == (2, "110001 99999999", "problem")


def test_a_line_without_any_words_is_refused(buyer: Account) -> None:
    answer = ApiClient(buyer).post(QUICK, {"Lines": [{"Quantity": 1}]})
    assert answer.body == {"Errors": {"Lines.0.Code": ["请填写商品编码或名称"]}}


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (build_workbook(HEAD, ["110001", 10]), "a.xlsx"),
        (build_xls({(0, 0): "编码", (0, 1): "数量", (1, 0): "110001", (1, 1): 10.0}), "a.xls"),
        ("编码,数量\n110001,10\n".encode("gb18030"), "a.csv"),
        ("编码,数量\n110001,10\n".encode("utf-8-sig"), "a.csv"),
        ("编码,数量\r\n110001,10\r\n".encode(), "a.csv"),
    ],
    ids=["xlsx", "xls", "GBK", "UTF-8 with mark", "UTF-8"],
)
def test_a_sheet_is_read(buyer: Account, pen: Product, content: bytes, name: str) -> None:
    assert list_states(upload_sheet(buyer, content, name)) == [
        (1, "skipped", None),
        (2, "ready", 10),
    ]


def test_a_title_above_the_head_is_no_order(buyer: Account, pen: Product) -> None:
    answer = upload_sheet(
        buyer, build_workbook(["行政部采购单"], [], HEAD, ["110001", 10], ["合计", 10]), "a.xlsx"
    )
    assert [line["Reason"] for line in answer.body["Lines"]] == [
        "表头",
        "空行",
        "表头",
        "",
        "合计行",
    ]


def test_sheet_reads_formula_results_and_reports_merged_cells(buyer: Account, pen: Product) -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, HEAD)
        page.merge_range("A2:A3", "110001")
        page.write_formula(1, 1, "=5+5", None, 10)
        page.write(2, 1, 5)
        page.write_row(3, 0, ["110001", "待定"])
    lines = upload_sheet(buyer, file.getvalue(), "a.xlsx").body["Lines"]
    assert [(line["Status"], line["Quantity"]) for line in lines[1:]] == [
        ("ready", 10),
        ("problem", None),
        ("problem", None),
    ]
    assert "合并的单元格请先拆分" in lines[2]["Problem"]["Message"]
    assert lines[3]["Problem"]["Message"] == "数量“待定”无法识别，请填写整数"


def test_a_sheet_of_a_million_rows_is_refused_in_little_memory(buyer: Account) -> None:
    cells = (
        b'<row r="1"><c r="A1"><v>1</v></c></row>'
        b'<row r="1000000"><c r="A1000000"><v>1</v></c></row>'
    )
    source, bomb = io.BytesIO(build_workbook(HEAD)), io.BytesIO()
    with (
        zipfile.ZipFile(source) as given,
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as created,
    ):
        for name in given.namelist():
            sheet = (
                b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
                + cells
                + b"</sheetData></worksheet>"
            )
            created.writestr(name, sheet if name.endswith("sheet1.xml") else given.read(name))
    tracemalloc.start()
    answer = upload_sheet(buyer, bomb.getvalue(), "a.xlsx")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (answer.code, answer.message) == (
        "file_refused",
        "表格最多 20000 行，请删除多余的行或拆分后重试",
    )
    assert peak < 30 * 1024 * 1024


@pytest.mark.parametrize(("lines", "code"), [(10_000, "ok"), (10_001, "too_large")])
def test_only_filled_rows_count_toward_the_line_limit(
    buyer: Account, lines: int, code: str
) -> None:
    answer = upload_sheet(buyer, "编码,数量\n\n".encode() + b"110001,1\n" * lines, "a.csv")
    assert answer.code == code
    assert answer.ok or answer.message == "一次最多识别 10,000 行，请分批提交"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"<html></html>", "a.xls", "文件内容不是有效的 Excel 工作簿，请另存为 .xlsx 后重试"),
        (b"%PDF-1.7", "a.pdf", "请上传 .xlsx、.xls 或 .csv 文件，最多 10,000 行、5 MB"),
        (
            b"x" * (5 * 1024 * 1024 + 1),
            "a.csv",
            "文件不能超过 5 MB，最多 10,000 行，请删除图片和多余的行后重试",
        ),
        (b"1\n" * 20_001, "a.csv", "表格最多 20000 行，请拆分后重试"),
    ],
)
def test_unsupported_sheet_file_is_refused_with_the_allowed_kinds(
    buyer: Account, content: bytes, name: str, message: str
) -> None:
    answer = upload_sheet(buyer, content, name)
    assert (answer.code, answer.message) == ("file_refused", message)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "Text"),
        ({"Text": "a", "Lines": []}, "Text"),
        ({"Lines": [{"Code": "1", "Quantity": "2x"}]}, "Lines"),
        ({"Nothing": 1}, "Nothing"),
    ],
)
def test_quick_order_body_with_no_or_two_sources_is_refused(
    buyer: Account, body: dict[str, Any], field: str
) -> None:
    answer = ApiClient(buyer).post(QUICK, body)
    assert answer.code == "validation"
    assert any(name.startswith(field) for name in answer.errors)


def get_items(*codes: str) -> dict[str, Any]:
    return {"Items": [{"ProductCode": code, "Quantity": 5} for code in codes]}


def test_cart_fill_adds_available_products_and_reports_the_rest(
    buyer: Account, pen: Product
) -> None:
    stapler = ProductFactory(code="110002", name="订书机", stock=3)
    cart_add(actor=buyer, quantities={"110001": 5})
    answer = ApiClient(buyer).post(FILL, get_items("110001", "110002", "999999"))
    assert answer.body == {
        "Added": 1,
        "LeftOut": [
            {
                "ProductCode": "110002",
                "CustomerProductName": "订书机",
                "Brand": stapler.brand.name,
                "Message": "库存不足，仅剩 3 支，请减少到 3 支以内或更换商品",
            },
            {
                "ProductCode": "999999",
                "CustomerProductName": "",
                "Brand": "",
                "Message": "不在您的采购目录内，请更换商品或联系客服",
            },
        ],
    }
    assert [item.quantity for item in CartItem.objects.all()] == [10]


def test_cart_fill_stops_at_200_lines_and_names_the_rest(buyer: Account) -> None:
    category = create_category_path()
    codes = [ProductFactory(category=category).code for _ in range(202)]
    body = ApiClient(buyer).post(FILL, get_items(*codes)).body
    assert (body["Added"], [row["ProductCode"] for row in body["LeftOut"]]) == (200, codes[200:])
    assert body["LeftOut"][0]["Message"] == "购物车最多放 200 种商品，请先结算或删除部分商品"


def test_candidates_of_one_family_show_their_distinguishing_values(buyer: Account) -> None:
    category = create_category_path()
    pens = [
        ProductFactory(
            code=code, model_code="ZY-1103", category=category, attributes={"颜色": colour}
        )
        for code, colour in (("1", "黑色"), ("2", "红色"))
    ]
    make_family(*pens, axes=("颜色",))

    (line,) = ApiClient(buyer).post(QUICK, {"Text": "ZY-1103 5"}).body["Lines"]

    assert sorted((one["ProductCode"], one["Specs"]) for one in line["Candidates"]) == [
        ("1", [{"Name": "颜色", "Value": "黑色"}]),
        ("2", [{"Name": "颜色", "Value": "红色"}]),
    ]


@pytest.mark.parametrize("count", [2, 60])
def test_filling_the_cart_costs_the_same_queries_for_two_and_for_sixty(
    buyer: Account, count: int
) -> None:
    category = create_category_path()
    codes = [ProductFactory(category=category).code for _ in range(count)]
    api = ApiClient(buyer)
    api.post(FILL, get_items(codes[0]))
    with assert_queries(6):
        assert api.post(FILL, get_items(*codes)).body["Added"] == count


def test_the_export_has_the_reasons_and_no_formula(buyer: Account) -> None:
    line = {"No": 3, "Text": "=cmd()", "Status": "有问题", "Reason": "+没有找到"}
    answer = ApiClient(buyer).post(f"{QUICK}/Export", {"Lines": [line]})
    rows = list(read_rows(io.BytesIO(answer.body), max_rows=10, max_columns=10))
    assert rows == [
        ["行号", "原内容", "状态", "商品编码", "商品名称", "数量", "原因"],
        ["3", "=cmd()", "有问题", "", "", "", "+没有找到"],
    ]
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def test_the_template_can_be_uploaded_again(buyer: Account) -> None:
    template = ApiClient(buyer).get(f"{QUICK}/Template").body
    assert [line["Status"] for line in upload_sheet(buyer, template, "a.xlsx").body["Lines"]] == [
        "skipped",
        "problem",
        "problem",
        "problem",
    ]
