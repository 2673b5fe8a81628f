"""The page that sorts and moves categories (类目排序) in the back office."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.catalog.models import Category, Product
from apps.catalog.tests.factories import (
    AssortmentFactory,
    CategoryFactory,
    ProductFactory,
    create_category_path,
    include_in_assortment,
)
from apps.common.tenancy import platform_scope
from apps.common.testing import assert_queries
from apps.org.tests.office import create_staff, open_office
from apps.pricing.models import AssortmentRule

TREE = "/admin/catalog/category/tree/"


@pytest.fixture
def leaf(platform: None) -> Category:
    """Return 中性笔 below 办公 / 笔, with one product. Its next sibling is 圆珠笔."""
    leaf = create_category_path("办公", "笔", "中性笔")
    CategoryFactory(name="圆珠笔", parent=leaf.parent, level=3, menu_group=None)
    ProductFactory(category=leaf)
    return leaf


@pytest.fixture
def desk(leaf: Category) -> Client:
    return open_office(create_staff("商品"))


def get_button(page: str, label: str) -> str:
    match = re.search(rf'name="move" value="([^"]+)" aria-label="{label}"', page)
    assert match is not None, label
    return match[1]


def open_page(desk: Client) -> str:
    return desk.get(TREE).content.decode()


def order() -> list[str]:
    return list(
        Category.objects.filter(level=3)
        .order_by("parent", "position")
        .values_list("name", flat=True)
    )


def test_category_button_moves_a_row_and_undo_reverts_it(desk: Client, leaf: Category) -> None:
    after = desk.post(
        TREE, {"move": get_button(open_page(desk), "上移“圆珠笔”")}, follow=True
    ).content.decode()

    assert "已将“圆珠笔”移到“办公 / 笔”第 1 位" in after
    assert order() == ["圆珠笔", "中性笔"]
    undo = re.search(r'name="move" value="([^"]+)" class="office-plain">撤销这次移动', after)
    assert undo is not None
    desk.post(TREE, {"move": undo[1], "confirm": "1"})
    assert order() == ["中性笔", "圆珠笔"]


def test_category_move_from_an_outdated_page_is_refused(desk: Client, leaf: Category) -> None:
    old = get_button(open_page(desk), "下移“中性笔”")
    desk.post(TREE, {"move": get_button(open_page(desk), "上移“圆珠笔”")})

    answer = desk.post(TREE, {"move": old}, follow=True).content.decode()

    assert "类目的顺序已被同事改动，未作任何移动" in answer
    assert order() == ["圆珠笔", "中性笔"]


def test_category_move_that_changes_product_paths_requires_confirmation(
    desk: Client, leaf: Category
) -> None:
    other = create_category_path("生活", "礼品", "礼品笔").parent
    assert other is not None
    include_in_assortment(AssortmentFactory(), other, leaf)
    data = {
        "parent": other.pk,
        "menu_group": "",
        "at": "last",
        "move": leaf.pk,
        "was": get_button(open_page(desk), "下移“中性笔”").split(":")[3],
    }

    page = desk.get(TREE, data).content.decode()

    assert "<dd>1 个</dd>" in page
    assert "1 条规则指定了原上级或新上级" in page
    assert AssortmentRule.objects.count() == 2
    move = re.search(r'name="move"[^>]*value="([^"]+)"|value="(\d+:[^"]+)"[^>]*name="move"', page)
    assert move is not None, page
    text = move[1] or move[2]
    # Without `confirm` the page asks again. With it the products move too.
    assert "确认移动" in desk.post(TREE, {"move": text}).content.decode()
    done = desk.post(TREE, {"move": text, "confirm": "1"}, follow=True).content.decode()
    assert "已将“中性笔”移到“生活 / 礼品”第 2 位，1 个商品的类目已随之更新" in done
    assert Product.objects.get().l1.name == "生活"


def test_forbidden_category_place_is_refused_in_the_form(desk: Client, leaf: Category) -> None:
    assert leaf.parent is not None
    page = desk.get(
        TREE, {"move": leaf.pk, "parent": leaf.parent.parent_id, "at": "last", "was": ""}
    ).content.decode()

    assert "该类目下已有类目或商品，只能移动到同级的上级之下" in page


@pytest.mark.parametrize(
    "text", ["", "1", "a:b:c:d:e", "0:c1:last::", "999999:c1:last::", "１:c1:last::", "1:2:3:4:5:6"]
)
def test_malformed_category_move_changes_nothing(desk: Client, text: str) -> None:
    assert desk.post(TREE, {"move": text}, follow=True).status_code == 200
    assert order() == ["中性笔", "圆珠笔"]


@pytest.mark.parametrize("query", ["?move=x", "?move=999999"])
def test_page_of_a_missing_category_is_not_found(desk: Client, query: str) -> None:
    assert desk.get(f"{TREE}{query}").status_code == 404


def test_a_forged_undo_is_ignored(desk: Client) -> None:
    assert "撤销这次移动" not in desk.get(f"{TREE}?undo=x:y:z").content.decode()


def test_the_form_of_a_category_keeps_the_same_rules(desk: Client, leaf: Category) -> None:
    """The form must not turn a category with children into a root by clearing its parent."""
    middle = leaf.parent
    assert middle is not None
    assert middle.parent is not None
    values = {
        "code": middle.code,
        "name": middle.name,
        "parent": "",
        "menu_group": middle.parent.menu_group_id,
        "position": 1,
    }

    page = desk.post(f"/admin/catalog/category/{middle.pk}/change/", values).content.decode()

    assert "该类目下已有类目或商品，只能移动到同级的上级之下" in page
    middle.refresh_from_db()
    assert middle.level == 2


def test_read_only_staff_cannot_sort_categories(leaf: Category) -> None:
    looking = open_office(create_staff("客服"))

    with platform_scope(reason="test"):
        assert looking.get(TREE).status_code == 403
        assert "拖动排序" not in looking.get("/admin/catalog/category/").content.decode()


def test_the_whole_tree_costs_two_queries_however_large(desk: Client, leaf: Category) -> None:
    desk.get(TREE)
    for _ in range(20):
        create_category_path()
    with assert_queries(6):
        assert "21 个一级类目" not in open_page(desk)
