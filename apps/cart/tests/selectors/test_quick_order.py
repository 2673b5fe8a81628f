"""Tests of 快速下单: how each written line is matched, and that no line is lost."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.cart.parsing import read_text
from apps.cart.selectors.quick_order import LineStatus, OrderLine, QuickOrder, get_quick_order
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
from apps.common.quantity import MAX_QUANTITY
from apps.common.tenancy import platform_scope
from apps.common.testing import assert_queries
from apps.finders.tests.factories import create_cross_reference
from apps.org.models import Account
from apps.pricing.models import OwnName


@pytest.fixture
def shelf(buyer: Account) -> list[Product]:
    """A pen in two colours of one model, paper in boxes of five with a customer code of the
    buyer, and a stapler that is off sale.
    """
    pens = [
        ProductFactory(
            code=f"11000{n}", name=f"卓砚 ZY-1103 中性笔 {colour}", model_code="ZY-1103", unit="盒"
        )
        for n, colour in ((1, "黑色"), (2, "蓝色"))
    ]
    paper = ProductFactory(
        code="120004",
        name="云笺白 A4复印纸 70g",
        model_code="YB-2104",
        barcode="6901234567892",
        unit="包",
        min_quantity=5,
        step_quantity=5,
    )
    stapler = ProductFactory(code="130001", name="竹案订书机", model_code="ZA-12", status="off")
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=paper,
        price=Decimal("8.00"),
        customer_code="XLM-0409",
        customer_name="打印纸",
    )
    assert buyer.group
    create_customer_agreement(buyer.group, agreement)
    return [*pens, paper, stapler]


def order_text(buyer: Account, text: str) -> QuickOrder:
    return get_quick_order(actor=buyer, lines=read_text(text))


def one(buyer: Account, text: str) -> OrderLine:
    (line,) = order_text(buyer, text).lines
    return line


def get_notices(line: OrderLine) -> dict[str, str]:
    return dict(line.notices)


@pytest.mark.parametrize(
    "word",
    [
        "120004",
        "１２０００４",
        "YB-2104",
        "yb2104",
        "XLM-0409",
        "xlm-0409",
        "xlm0409",
        "XLM 0409",
        "打印纸",
        "云笺白 A4复印纸 70g",
        "云笺白　a4复印纸 70克",
        "6901234567892",
    ],
)
def test_product_is_found_by_each_of_its_exact_names(
    buyer: Account, shelf: list[Product], word: str
) -> None:
    line = one(buyer, f"{word}\t10")
    assert line.offer is not None
    assert (line.status, line.offer.product.code, line.quantity, line.amount) == (
        LineStatus.READY,
        "120004",
        10,
        Decimal("80.00"),
    )


@pytest.mark.parametrize("word", ["CF283A", "HP CF283A", "cf-283a", "惠普CF283A"])
def test_part_number_of_another_brand_finds_the_equal_product_and_reports_it(
    buyer: Account, shelf: list[Product], word: str
) -> None:
    create_cross_reference("惠普", "CF283A", shelf[2])
    line = one(buyer, f"{word}\t10")
    assert line.offer is not None
    assert (
        line.status,
        line.offer.product.code,
        line.quantity,
        get_notices(line)["reference"],
    ) == (
        LineStatus.READY,
        "120004",
        10,
        "您写的 CF283A（惠普）对应我们的“打印纸”（等同）",
    )


def test_near_product_of_a_foreign_part_number_requires_a_choice(
    buyer: Account, shelf: list[Product]
) -> None:
    create_cross_reference("惠普", "CF283A", shelf[2], kind="near", note="页产量 2000 页")
    line = one(buyer, "CF283A 10")
    assert (line.status, [offer.product.code for offer in line.candidates]) == (
        LineStatus.CHOOSE,
        ["120004"],
    )
    assert get_notices(line)["reference"].endswith("（相近：页产量 2000 页）")


def test_part_number_of_a_product_outside_the_catalogue_matches_nothing(
    other_ga: Account,
) -> None:
    create_cross_reference("惠普", "CF283A", ProductFactory(is_public=False))
    assert one(other_ga, "CF283A 10").status is LineStatus.PROBLEM


@pytest.mark.parametrize("word", ["ZY-77", "zy-77", "zy77", "财务专用打印纸"])
def test_own_name_of_the_group_matches_its_product(
    buyer: Account, shelf: list[Product], word: str
) -> None:
    OwnName.objects.create(group=buyer.group, product=shelf[2], code="ZY-77", name="财务专用打印纸")
    line = one(buyer, f"{word}\t10")
    assert line.offer is not None
    assert (line.status, line.offer.product.code) == (LineStatus.READY, "120004")


def test_own_name_of_another_group_matches_nothing(
    buyer: Account, shelf: list[Product], other_ga: Account
) -> None:
    with platform_scope(reason="test: the other group"):
        OwnName.objects.create(group=other_ga.group, product=shelf[2], code="ZY-77", name="")
    assert one(buyer, "ZY-77\t10").offer is None


def test_a_code_and_a_quantity_are_found_in_either_order(
    buyer: Account, shelf: list[Product]
) -> None:
    lines = order_text(buyer, "3 110001\n110002 4").lines
    assert [(line.offer.product.code, line.quantity) for line in lines if line.offer] == [
        ("110001", 3),
        ("110002", 4),
    ]


def test_a_model_of_several_products_is_a_choice_and_never_a_guess(
    buyer: Account, shelf: list[Product]
) -> None:
    line = one(buyer, "ZY1103 2盒")
    assert (line.status, line.offer, line.quantity) == (LineStatus.CHOOSE, None, 2)
    assert {offer.product.code for offer in line.candidates} == {"110001", "110002"}


@pytest.mark.parametrize("text", ["ZY-1103 2盒 蓝色", "ZY1103 蓝色 2盒", "ZY1103 2盒 要蓝的"])
def test_additional_words_rank_the_fitting_candidate_first(
    buyer: Account, shelf: list[Product], text: str
) -> None:
    assert one(buyer, text).candidates[0].product.code == "110002"


def test_partial_words_require_a_choice_even_with_one_candidate(
    buyer: Account, shelf: list[Product]
) -> None:
    line = one(buyer, "复印纸 5包")
    assert (line.status, [offer.product.code for offer in line.candidates]) == (
        LineStatus.CHOOSE,
        ["120004"],
    )


def test_code_prefix_offers_its_products(buyer: Account, shelf: list[Product]) -> None:
    assert {offer.product.code for offer in one(buyer, "ZY-11 1").candidates} == {
        "110001",
        "110002",
    }


def test_wrong_code_with_a_right_name_requires_a_choice(
    buyer: Account, shelf: list[Product]
) -> None:
    line = one(buyer, "999999\t打印纸\t5")
    assert (line.status, [offer.product.code for offer in line.candidates]) == (
        LineStatus.CHOOSE,
        ["120004"],
    )


def test_name_of_another_product_beside_a_code_is_reported(
    buyer: Account, shelf: list[Product]
) -> None:
    assert (
        get_notices(one(buyer, "110001\t打印纸\t5"))["differs"]
        == "同一行的“打印纸”是另一种商品，已按“110001”识别，请核对"
    )


def test_repeated_product_lines_are_merged_with_a_notice(
    buyer: Account, shelf: list[Product]
) -> None:
    first, second, third = order_text(buyer, "120004 5\n打印纸 5\nXLM-0409 10").lines
    assert (first.quantity, get_notices(first)["merged"]) == (20, "与第 2、3 行相同，数量已合并")
    assert [(line.status, line.merged_into) for line in (second, third)] == [
        (LineStatus.MERGED, 1)
    ] * 2


@pytest.mark.parametrize(
    ("quantity", "legal", "message"),
    [(2, 5, "5 包起订，数量由 2 调整为 5"), (7, 10, "按 5 包递增，数量由 7 调整为 10")],
)
def test_quantity_is_raised_to_a_legal_one_with_a_notice(
    buyer: Account, shelf: list[Product], quantity: int, legal: int, message: str
) -> None:
    line = one(buyer, f"120004 {quantity}包")
    assert (line.quantity, get_notices(line)) == (legal, {"raised": message})


def test_missing_quantity_becomes_the_minimum_with_a_notice(
    buyer: Account, shelf: list[Product]
) -> None:
    line = one(buyer, "打印纸")
    assert (line.quantity, get_notices(line)) == (5, {"no_quantity": "没有写数量，按起订量 5 包计"})


def test_unknown_unit_requires_a_choice_and_is_not_merged(
    buyer: Account, shelf: list[Product]
) -> None:
    ready, unsure = order_text(buyer, "120004 5包\n3箱 120004").lines
    assert (ready.status, ready.quantity, ready.notices) == (LineStatus.READY, 5, [])
    assert (
        unsure.status,
        unsure.quantity,
        [offer.product.code for offer in unsure.candidates],
    ) == (LineStatus.CHOOSE, 3, ["120004"])
    assert get_notices(unsure) == {"unit": "您写的单位是“箱”，此商品按“包”销售，请核对数量"}


def test_pieces_are_converted_to_packs_with_a_notice(buyer: Account, shelf: list[Product]) -> None:
    Product.objects.filter(code="110001").update(pack="12支/盒")
    first, second = order_text(buyer, "110001 2盒\n30支 110001").lines
    assert (first.quantity, second.merged_into, get_notices(first)["unit"]) == (
        5,
        1,
        "第 2 行：30 支按 12支/盒 折合 3 盒",
    )


@pytest.mark.parametrize(
    ("text", "quantity"),
    [("150001 一打", 12), ("150001 两打", 24), ("150001 半打", 6), ("150001\t一打", 12)],
)
def test_dozens_are_counted_in_pieces(
    buyer: Account, shelf: list[Product], text: str, quantity: int
) -> None:
    ProductFactory(code="150001", unit="支", pack="1支")
    line = one(buyer, text)
    assert (line.status, line.quantity) == (LineStatus.READY, quantity)


@pytest.mark.parametrize(
    "text", ["110002 99999999", "99999999 110002", "110002\t99999999", "99999999\t110002"]
)
def test_existing_code_wins_over_a_bare_number(
    buyer: Account, shelf: list[Product], text: str
) -> None:
    line = one(buyer, text)
    assert line.offer is not None
    assert line.problem is not None
    assert (line.status, line.offer.product.code, line.quantity) == (
        LineStatus.PROBLEM,
        "110002",
        None,
    )
    assert line.problem.message == "数量“99999999”无效：数量不能超过 999999，请修改"


def test_number_in_the_unit_column_asks_for_the_quantity(
    buyer: Account, shelf: list[Product]
) -> None:
    line = order_text(buyer, "商品编码\t数量\t单位\n120004\t\t5").lines[1]
    assert line.problem is not None
    assert (line.status, line.quantity, line.problem.quantity) == (LineStatus.PROBLEM, None, 5)
    assert line.problem.message == "“数量”没有填写（“单位”列写的是“5”），请填写数量"


def test_unmatched_name_offers_products_of_its_category(
    buyer: Account, shelf: list[Product]
) -> None:
    create_category_path("办公", "书写", "中性笔")
    dictionary_load()
    line = one(buyer, "M6笔 2盒")
    assert (line.status, line.offer, [offer.product.code for offer in line.candidates]) == (
        LineStatus.CHOOSE,
        None,
        ["110001", "110002"],
    )


def test_candidates_matching_by_name_rank_before_keyword_matches(
    buyer: Account, shelf: list[Product]
) -> None:
    for code, name, sales in (
        ("160001", "复印纸 B5", 900),
        ("160002", "复印纸 A4", 1),
        ("160003", "A4 复印纸 散", 5),
    ):
        ProductFactory(
            code=code,
            name=name,
            keywords="A4 复印纸",
            unit="包" if code == "160003" else "箱",
            sales_count=sales,
        )
    codes = [offer.product.code for offer in one(buyer, "A4复印纸 3箱").candidates]
    assert codes == ["160002", "160003", "120004", "160001"]


def test_quantity_above_the_stock_reports_the_available_quantity(
    buyer: Account, shelf: list[Product]
) -> None:
    problem = one(buyer, "120004 103").problem
    assert problem is not None
    assert (problem.code, problem.quantity) == ("stock_short", 100)


def test_off_sale_is_a_problem(buyer: Account, shelf: list[Product]) -> None:
    problem = one(buyer, "130001 1").problem
    assert problem is not None
    assert problem.code == "off_sale"


def test_product_outside_the_catalogue_answers_like_a_missing_one(
    buyer: Account, shelf: list[Product], other_ga: Account
) -> None:
    hidden = ProductFactory(code="140001", name="专供打印机", is_public=False)
    problems = [
        get_quick_order(actor=other_ga, lines=read_text(f"{code} 1")).lines[0].problem
        for code in (hidden.code, "140009")
    ]
    assert [problem and problem.message.replace("140009", "140001") for problem in problems] == [
        "没有找到“140001”，或不在您的采购目录内"
    ] * 2


def test_ten_lines_and_a_thousand_cost_the_same_queries(
    buyer: Account, shelf: list[Product]
) -> None:
    dictionary_load()
    order_text(buyer, "120004 5")
    text = "120004 5\nZY-1103 2\n复印纸 5\nZY-11 1\n没有这个 3\n"
    for repeated in (2, 200):
        lines = read_text(
            "".join(text.replace("没有这个", f"没有这个{n}") for n in range(repeated))
        )
        with assert_queries(7):
            assert len(get_quick_order(actor=buyer, lines=lines).lines) == 5 * repeated


WORDS = st.sampled_from(
    [
        "120004",
        "打印纸",
        "ZY-1103",
        "复印纸",
        "130001",
        "没有这个",
        "",
        "  ",
        "合计",
        "编码\t数量",
        "=1+1",
        "🙂",
    ]
)
WRITTEN = st.tuples(
    WORDS, st.sampled_from([" ", "\t", "x", ",", ""]), st.integers(-2, 2_000_000)
).map(lambda made: "".join(map(str, made)))
LINES = st.lists(st.one_of(WRITTEN, st.text(max_size=30)), max_size=12)


@settings(max_examples=60)
@given(LINES)
def test_every_line_is_accounted_for_once(
    buyer: Account, shelf: list[Product], lines: list[str]
) -> None:
    text = "\n".join(line.replace("\x00", "") for line in lines)
    written = read_text(text)
    order = get_quick_order(actor=buyer, lines=written)
    assert sum(order.count(status) for status in LineStatus) == len(order.lines) == len(written)
    assert [line.written for line in order.lines] == written
    assert sorted({line.no for line in written}) == list(
        range(1, max((line.no for line in written), default=0) + 1)
    )
    assert all(line.problem for line in order.lines if line.status is LineStatus.PROBLEM)
    assert all(line.candidates for line in order.lines if line.status is LineStatus.CHOOSE)
    ready = {line.written.no for line in order.lines if line.status is not LineStatus.MERGED}
    assert all(
        line.merged_into in ready for line in order.lines if line.status is LineStatus.MERGED
    )


@pytest.mark.parametrize(
    ("quantity", "is_problem"), [(MAX_QUANTITY, False), (MAX_QUANTITY + 1, True)]
)
def test_quantity_is_limited_to_the_maximum(
    buyer: Account, shelf: list[Product], quantity: int, is_problem: bool
) -> None:
    Product.objects.filter(code="110001").update(stock=10 * MAX_QUANTITY)
    halves = f"110001 {quantity - 1}\n110001 1"
    line = get_quick_order(actor=buyer, lines=read_text(halves)).lines[0]

    wording = f"单次最多购买 {MAX_QUANTITY} 盒"
    assert (line.problem is not None and wording in line.problem.message) is is_problem
