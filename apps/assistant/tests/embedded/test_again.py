"""Repeat purchases, replacing one product by another, several requests in one message, and the
reason for a rejected order.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.approvals.models import Approval
from apps.approvals.services.approval_decide import approval_reject
from apps.assistant.embedded.understanding import Understanding
from apps.assistant.tests.embedded.test_lists import ask_in_turn
from apps.cart.models import CartItem
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.orders.models import Order
from apps.orders.tests.factories import make_rule, place_order, settle_in
from apps.org.models import Account, InvoiceTitle
from apps.search.keyword import get_lexicon


@pytest.fixture
def pen(db: None) -> Product:
    return ProductFactory(
        code="600001",
        name="墨岚 M6 中性笔",
        category=create_category_path("办公", "书写", "中性笔"),
        market_price=Decimal("2.00"),
    )


@pytest.fixture
def mug(db: None) -> Product:
    return ProductFactory(
        code="600002",
        name="暖山 马克杯",
        category=create_category_path("办公", "茶水", "马克杯"),
        market_price=Decimal("20.00"),
    )


def order_products(account: Account, **quantities: int) -> Order:
    """Place an order and return it. Each keyword is `p` and a product code; its value is the
    quantity.
    """
    if not InvoiceTitle.objects.filter(enterprise=account.enterprise).exists():
        settle_in(account)
    return place_order(
        account,
        *(
            (Product.objects.get(code=code.removeprefix("p")), quantity)
            for code, quantity in quantities.items()
        ),
    )


def test_last_purchase_is_proposed_again_in_the_given_quantity(
    buyer: Account, pen: Product, mug: Product
) -> None:
    order_products(buyer, p600001=5)
    order = order_products(buyer, p600002=3)
    turn = ask_in_turn(buyer, "上次买的中性笔再来 2 支")

    assert turn.proposed == {"600001": 2}
    assert order.order_no not in turn.text
    assert not CartItem.objects.exists()


def test_without_a_name_the_whole_last_order_comes_again(
    buyer: Account, pen: Product, mug: Product
) -> None:
    order = order_products(buyer, p600001=5, p600002=3)
    turn = ask_in_turn(buyer, "上次买的照样再来一单")

    assert turn.proposed == {"600001": 5, "600002": 3}
    assert order.order_no in turn.text


def test_product_without_a_purchase_is_not_proposed_again(
    buyer: Account, limited: Account, pen: Product
) -> None:
    order_products(limited, p600001=5)
    turn = ask_in_turn(buyer, "上次买的中性笔再来 2 支")

    assert turn.proposed == {}
    assert "没有找到您买过这样的商品" in turn.text


def test_product_replaces_another_in_its_quantity(
    buyer: Account, pen: Product, mug: Product
) -> None:
    ProductFactory(
        code="600003", name="暖山 保温杯", category=create_category_path("办公", "茶水", "保温杯")
    )
    turn = ask_in_turn(buyer, "把600001加10支到购物车，600002加3个", "把马克杯换成保温杯")

    assert turn.proposed["600003"] == 3
    assert set(turn.proposed) == {"600001", "600003"}


def test_replacement_that_is_already_in_the_list_is_summed(
    buyer: Account, pen: Product, mug: Product
) -> None:
    turn = ask_in_turn(buyer, "把600001加10支到购物车，600002加3个", "把马克杯换成600001")

    assert turn.proposed == {"600001": 13}
    assert "现在共 1 种商品，合计 **¥26.00**" in turn.text


def test_a_long_last_order_comes_again_whole(buyer: Account) -> None:
    for number in range(45):
        ProductFactory(code=f"61{number:04}")
    order_products(buyer, **{f"p61{number:04}": 1 for number in range(45)})
    turn = ask_in_turn(buyer, "上次买的照样再来一单")

    assert len(turn.proposed) == 45
    assert "等共 45 种" in turn.text


def test_a_product_that_has_another_code_today_is_still_the_one_that_was_bought(
    buyer: Account, pen: Product, mug: Product
) -> None:
    order_products(buyer, p600001=5)
    Product.objects.filter(pk=pen.pk).update(code="700001")
    Product.objects.filter(pk=mug.pk).update(code="600001")

    assert ask_in_turn(buyer, "上次买的照样再来一单").proposed == {"700001": 5}


def test_replacement_of_a_missing_item_leaves_the_list_unchanged(
    buyer: Account, pen: Product
) -> None:
    turn = ask_in_turn(buyer, "把600001加10支到购物车", "把投影仪换成中性笔")

    assert turn.proposed == {}
    assert "清单里没有“投影仪”" in turn.text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("找几款黑色中性笔，另外查一下预算还剩多少", ["找几款黑色中性笔", "查一下预算还剩多少"]),
        ("怎么退货？顺便看看待我审批的订单", ["怎么退货", "看看待我审批的订单"]),
        ("给10个新员工配入职礼包，另外不要背包", ["给10个新员工配入职礼包，另外不要背包"]),
        ("10 人会议用品，另外每人 50 元", ["10 人会议用品，另外每人 50 元"]),
    ],
)
def test_message_is_split_only_into_complete_parts(
    buyer: Account, pen: Product, text: str, parts: list[str]
) -> None:
    assert Understanding(buyer, [], get_lexicon("")).split(text) == parts


def test_both_wishes_are_answered_in_order(buyer: Account, pen: Product) -> None:
    turn = ask_in_turn(buyer, "推荐几款中性笔，另外查一下预算还剩多少")

    assert turn.tools == ["search_products", "budget_left"]
    assert turn.text.index("1. 推荐几款中性笔") < turn.text.index("2. 查一下预算还剩多少")


def test_rejection_reason_of_an_order_is_shown(
    buyer: Account, approver: Account, pen: Product
) -> None:
    settle_in(buyer)
    make_rule(buyer, approver)
    place_order(buyer, (pen, 5))
    approval_reject(actor=approver, approval_id=Approval.objects.get().pk, reason="本月已有库存")
    turn = ask_in_turn(buyer, "我的订单为什么被驳回")

    assert turn.tools == ["pending_approvals"]
    assert "原因：**本月已有库存**" in turn.text
