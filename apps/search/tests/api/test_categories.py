"""POST /api/Category/GetCustomerCategories and /MallCategories."""

from __future__ import annotations

import pytest

from apps.catalog.enums import ChangeKind
from apps.catalog.models import CatalogChange, Category, Product
from apps.catalog.services.changes import change_record
from apps.catalog.tests.factories import (
    AgreementFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group


@pytest.fixture
def leaf(db: None) -> Category:
    """书写 › 水笔 › 中性笔 with two public products and one product that is not public."""
    leaf = create_category_path("书写", "水笔", "中性笔")
    ProductFactory.create_batch(2, category=leaf)
    ProductFactory(category=leaf, is_public=False)
    return leaf


def test_public_category_tree_has_the_specified_shape_and_public_counts(
    leaf: Category, api: ApiClient
) -> None:
    assert leaf.parent is not None
    assert leaf.parent.parent is not None
    root = leaf.parent.parent

    assert api.post("/api/Category/MallCategories").body == [
        {
            "C1": {
                "CategoryId": str(root.pk),
                "Name": "书写",
                "CategoryGroup": root.menu_group.name if root.menu_group else "",
                "CategoryGroupCode": root.menu_group.code if root.menu_group else "",
                "ProductCounts": 2,
            },
            "Category2List": [
                {
                    "C2": {"CategoryId": str(leaf.parent_id), "Name": "水笔", "ProductCounts": 2},
                    "Category3List": [
                        {"C3": {"CategoryId": str(leaf.pk), "Name": "中性笔", "ProductCounts": 2}}
                    ],
                }
            ],
        }
    ]


def test_a_customers_tree_counts_his_own_catalogue(
    leaf: Category, group: Group, buyer: Account
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment, leaf)
    create_customer_agreement(group, agreement)
    ProductFactory()

    tree = ApiClient(buyer).post("/api/Category/GetCustomerCategories").body

    assert [(node["C1"]["Name"], node["C1"]["ProductCounts"]) for node in tree] == [("书写", 3)]


def test_a_category_without_products_on_sale_is_not_in_the_menu(
    leaf: Category, api: ApiClient
) -> None:
    Product.objects.update(status="off")

    assert api.post("/api/Category/MallCategories").body == []


def test_the_groups_of_the_menu_decide_the_order(db: None, api: ApiClient) -> None:
    later, sooner = create_category_path("后"), create_category_path("先")
    for leaf, position in ((later, 9), (sooner, 1)):
        assert leaf.parent is not None
        assert leaf.parent.parent is not None
        group = leaf.parent.parent.menu_group
        assert group is not None
        group.position = position
        group.save()
        ProductFactory(category=leaf)

    assert [node["C1"]["Name"] for node in api.post("/api/Category/MallCategories").body] == [
        "先",
        "后",
    ]


def test_a_customers_tree_asks_for_a_sign_in(db: None, api: ApiClient) -> None:
    assert api.post("/api/Category/GetCustomerCategories").status == 401


def test_a_tree_costs_four_queries_and_three_until_the_next_change(
    leaf: Category, api: ApiClient
) -> None:
    with assert_queries(4):
        api.post("/api/Category/MallCategories")
    with assert_queries(3):
        api.post("/api/Category/MallCategories")


def test_category_tree_is_recounted_after_a_late_commit_of_an_older_change(
    leaf: Category, api: ApiClient
) -> None:
    change_record(ChangeKind.PRODUCT, "younger")
    youngest = CatalogChange.objects.get()
    before = api.post("/api/Category/MallCategories").body

    ProductFactory(category=leaf)
    CatalogChange.objects.create(pk=youngest.pk - 1, kind=ChangeKind.PRODUCT, key="elder")
    after = api.post("/api/Category/MallCategories").body

    assert [before[0]["C1"]["ProductCounts"], after[0]["C1"]["ProductCounts"]] == [2, 3]
