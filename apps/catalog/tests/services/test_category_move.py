"""Moving a category among its siblings and to another parent."""

from __future__ import annotations

import pytest
from auditlog.models import LogEntry

from apps.catalog.errors import CategoryMoveRefused, CategoryTreeStale
from apps.catalog.models import CatalogChange, Category, MenuGroup, Product
from apps.catalog.selectors.category_tree import get_place, hash_ids, list_siblings
from apps.catalog.services.taxonomy import CategoryMoveResult, category_move
from apps.catalog.tests.factories import CategoryFactory, MenuGroupFactory, ProductFactory
from apps.org.models import Account
from apps.search.selectors.categories import get_category_tree


@pytest.fixture
def tree(platform: None) -> dict[str, Category]:
    """Return the categories by name.

    书写 has 笔 (中性笔, 圆珠笔, 铅笔) and 本册 (empty). 纸张 has 复印 (A4纸). Each leaf except
    铅笔 has a product.
    """
    group = MenuGroupFactory(name="办公")
    category_by_name: dict[str, Category] = {}
    for name, above in (
        ("书写", ""),
        ("纸张", ""),
        ("笔", "书写"),
        ("本册", "书写"),
        ("复印", "纸张"),
        ("中性笔", "笔"),
        ("圆珠笔", "笔"),
        ("铅笔", "笔"),
        ("A4纸", "复印"),
    ):
        parent = category_by_name.get(above)
        category_by_name[name] = CategoryFactory(
            name=name,
            code=name,
            parent=parent,
            level=parent.level + 1 if parent else 1,
            menu_group=None if parent else group,
        )
    for name in ("中性笔", "圆珠笔", "A4纸"):
        ProductFactory(code=str(len(Product.objects.all()) + 1), category=category_by_name[name])
    CatalogChange.objects.all().delete()
    LogEntry.objects.all().delete()
    return category_by_name


def get_version(category: Category) -> str:
    """Return the version of the category's sibling list, as a page shows it."""
    return hash_ids(row.pk for row in list_siblings(get_place(category)))


def move(staff: Account, category: Category, beside: Category, at: str) -> CategoryMoveResult:
    """Move the category into the sibling list of `beside`."""
    category.refresh_from_db()
    beside.refresh_from_db()
    return category_move(
        actor=staff,
        category_id=category.pk,
        place=get_place(beside).key,
        next_sibling=at,
        old_list_version=get_version(category),
        new_list_version=get_version(beside),
    )


def list_names(category: Category) -> list[tuple[str, int]]:
    category.refresh_from_db()
    return [(row.name, row.position) for row in list_siblings(get_place(category))]


def test_sibling_categories_are_numbered_from_one(
    staff: Account, tree: dict[str, Category]
) -> None:
    move(staff, tree["铅笔"], tree["中性笔"], str(tree["中性笔"].pk))

    assert list_names(tree["笔"].children.get(name="铅笔")) == [
        ("铅笔", 1),
        ("中性笔", 2),
        ("圆珠笔", 3),
    ]


@pytest.mark.parametrize(
    ("at", "order"), [("first", "铅中圆"), ("last", "中圆铅"), ("圆珠笔", "中铅圆")]
)
def test_category_moves_first_last_or_before_a_sibling(
    staff: Account, tree: dict[str, Category], at: str, order: str
) -> None:
    move(staff, tree["铅笔"], tree["中性笔"], str(tree[at].pk) if at in tree else at)

    assert "".join(name[0] for name, _position in list_names(tree["铅笔"])) == order


def test_the_customers_menu_follows_at_once(staff: Account, tree: dict[str, Category]) -> None:
    def menu() -> list[str]:
        return [
            leaf.category.name
            for root in get_category_tree(actor=None).roots[:1]
            for middle in root.children
            for leaf in middle.children
        ]

    assert menu() == ["中性笔", "圆珠笔"]
    move(staff, tree["中性笔"], tree["铅笔"], "last")
    assert menu() == ["圆珠笔", "中性笔"]


def test_category_move_writes_one_log_entry(staff: Account, tree: dict[str, Category]) -> None:
    move(staff, tree["铅笔"], tree["中性笔"], "first")

    entry = LogEntry.objects.get()
    assert (entry.actor, entry.object_repr, entry.changes) == (
        staff,
        "铅笔",
        {"position": ["第 3 位", "第 1 位"]},
    )
    assert sorted(CatalogChange.objects.values_list("kind", "key")) == [
        ("category", "中性笔"),
        ("category", "圆珠笔"),
        ("category", "铅笔"),
    ]


def test_category_move_to_another_parent_moves_its_products(
    staff: Account, tree: dict[str, Category]
) -> None:
    moved = move(staff, tree["笔"], tree["复印"], "first")

    assert (moved.products, moved.category.level, list_names(tree["笔"])) == (
        2,
        2,
        [("笔", 1), ("复印", 2)],
    )
    paths = Product.objects.filter(category__parent=tree["笔"]).values_list("l1__name", "l2__name")
    assert set(paths) == {("纸张", "笔")}
    assert LogEntry.objects.get().changes == {
        "parent": ["书写", "纸张"],
        "position": ["第 1 位", "第 1 位"],
    }


def test_products_are_found_by_the_new_path(staff: Account, tree: dict[str, Category]) -> None:
    before = Product.objects.get(category=tree["中性笔"]).search_tokens
    move(staff, tree["中性笔"], tree["A4纸"], "last")

    product = Product.objects.get(category=tree["中性笔"])
    assert product.search_tokens != before
    assert (product.l1, product.l2, product.l3) == (tree["纸张"], tree["复印"], tree["中性笔"])


def test_category_move_is_reverted_by_its_returned_place(
    staff: Account, tree: dict[str, Category]
) -> None:
    moved = move(staff, tree["笔"], tree["复印"], "last")
    tree["笔"].refresh_from_db()

    target = hash_ids(row.pk for row in list_siblings(get_place(tree["本册"])))
    category_move(
        actor=staff,
        category_id=tree["笔"].pk,
        place=moved.old_place,
        next_sibling=moved.old_next_sibling,
        old_list_version=get_version(tree["笔"]),
        new_list_version=target,
    )

    assert list_names(tree["笔"]) == [("笔", 1), ("本册", 2)]
    assert set(Product.objects.filter(l2=tree["笔"]).values_list("l1__name")) == {("书写",)}


def test_category_move_to_another_menu_group_keeps_product_paths(
    staff: Account, tree: dict[str, Category]
) -> None:
    other: MenuGroup = MenuGroupFactory(name="生活")

    moved = category_move(
        actor=staff,
        category_id=tree["纸张"].pk,
        place=f"g{other.pk}",
        next_sibling="last",
        old_list_version=get_version(tree["纸张"]),
    )

    tree["纸张"].refresh_from_db()
    assert (tree["纸张"].menu_group, tree["纸张"].position, moved.products) == (other, 1, 0)
    assert LogEntry.objects.get(object_repr="纸张").changes["menu_group"] == ["办公", "生活"]


def test_an_empty_category_may_change_its_level(staff: Account, tree: dict[str, Category]) -> None:
    move(staff, tree["铅笔"], tree["笔"], "last")
    assert (
        tree["铅笔"].__class__.objects.get(name="铅笔").level,
        list_names(tree["铅笔"])[-1],
    ) == (
        2,
        ("铅笔", 3),
    )

    move(staff, tree["铅笔"], tree["书写"], "first")
    tree["铅笔"].refresh_from_db()
    assert (tree["铅笔"].level, tree["铅笔"].menu_group, tree["铅笔"].parent) == (
        1,
        tree["书写"].menu_group,
        None,
    )


@pytest.mark.parametrize(
    ("name", "into", "message"),
    [
        ("中性笔", "书写", "只能移动到同级的上级之下"),
        ("笔", "复印", "只能移动到同级的上级之下"),
        ("书写", "纸张", "只能移动到同级的上级之下"),
        ("铅笔", "A4纸", "类目最多三级"),
        ("笔", "笔", "上级不能是该类目自己或它的下级"),
        ("书写", "笔", "上级不能是该类目自己或它的下级"),
    ],
)
def test_the_tree_keeps_its_rules(
    staff: Account, tree: dict[str, Category], name: str, into: str, message: str
) -> None:
    with pytest.raises(CategoryMoveRefused, match=message):
        category_move(
            actor=staff,
            category_id=tree[name].pk,
            place=f"c{tree[into].pk}",
            next_sibling="last",
            old_list_version=get_version(tree[name]),
        )
    assert not LogEntry.objects.exists()


def test_middle_category_with_children_cannot_become_a_root(
    staff: Account, tree: dict[str, Category]
) -> None:
    with pytest.raises(CategoryMoveRefused):
        move(staff, tree["笔"], tree["书写"], "last")


def test_category_move_with_an_outdated_version_is_refused_as_stale(
    staff: Account, tree: dict[str, Category]
) -> None:
    was, seen = get_version(tree["中性笔"]), get_version(tree["A4纸"])
    move(staff, tree["铅笔"], tree["中性笔"], "first")

    with pytest.raises(CategoryTreeStale, match="已被同事改动"):
        category_move(
            actor=staff,
            category_id=tree["中性笔"].pk,
            place=f"c{tree['笔'].pk}",
            next_sibling="last",
            old_list_version=was,
        )
    move(staff, tree["铅笔"], tree["A4纸"], "last")
    pen, page, before = tree["圆珠笔"], f"c{tree['复印'].pk}", str(tree["A4纸"].pk)
    with pytest.raises(CategoryTreeStale):
        category_move(
            actor=staff,
            category_id=pen.pk,
            place=page,
            next_sibling=before,
            old_list_version=get_version(pen),
            new_list_version=seen,
        )


@pytest.mark.parametrize(
    "place", ["", "c", "c0", "g999999", "x1", "c99999999999999999999", "c１", "c1;drop"]
)
def test_category_move_to_a_missing_place_is_refused_as_stale(
    staff: Account, tree: dict[str, Category], place: str
) -> None:
    with pytest.raises(CategoryTreeStale):
        category_move(
            actor=staff,
            category_id=tree["铅笔"].pk,
            place=place,
            next_sibling="last",
            old_list_version=get_version(tree["铅笔"]),
        )


def test_category_move_to_its_own_place_writes_nothing(
    staff: Account, tree: dict[str, Category]
) -> None:
    assert not move(staff, tree["铅笔"], tree["中性笔"], "last").is_changed
    assert not move(staff, tree["铅笔"], tree["中性笔"], str(tree["铅笔"].pk)).is_changed
    assert (LogEntry.objects.count(), CatalogChange.objects.count()) == (0, 0)
