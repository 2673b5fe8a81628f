"""Product families: rules of the members, the state on the products, and the sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.catalog.errors import (
    FamilyAxesIllegal,
    FamilyCategoryDiffers,
    FamilyValueDiffers,
    FamilyValueMissing,
    FamilyValuesTaken,
    ImportRefused,
    ProductInOtherFamily,
)
from apps.catalog.models import FamilyMember, Product, ProductFamily
from apps.catalog.models.family import MAX_MEMBERS
from apps.catalog.services.families import (
    family_delete,
    family_member_add,
    family_members_set,
    family_save,
)
from apps.catalog.services.imports import import_apply
from apps.catalog.services.imports.families import FamilyMemberImporter
from apps.catalog.services.products import product_save
from apps.catalog.tests.factories import ProductFactory, create_category_path, make_family
from apps.catalog.tests.sheets import Rows
from apps.common.testing.faults import CHUNK_WRITTEN, at_statement
from apps.org.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture
def pens() -> list[Product]:
    """A black and a red pen of one category, without a family."""
    category = create_category_path()
    return [
        ProductFactory(code=code, category=category, pack="1支", attributes={"颜色": colour})
        for code, colour in (("1", "黑色"), ("2", "红色"))
    ]


def of_family() -> list[tuple[str, str | None]]:
    return list(Product.objects.order_by("code").values_list("code", "family__code"))


def apply(kind: str, *lines: str) -> str:
    source: Any = Rows(*(line.split(",") for line in lines))
    return str(
        import_apply(actor=None, kind=kind, source=source, pauses_between_chunks=False).summary
    )


def test_a_member_takes_its_values_from_its_attributes_and_its_pack(pens: list[Product]) -> None:
    make_family(*pens, axes=("颜色", "规格"))

    assert list(FamilyMember.objects.values_list("values", flat=True)) == [
        ["黑色", "1支"],
        ["红色", "1支"],
    ]
    assert of_family() == [("1", "F1"), ("2", "F1")]


@pytest.mark.parametrize("axes", [(), ("颜色", "颜色"), ("",), ("一", "二", "三", "四")])
def test_family_has_one_to_three_different_axes(pens: list[Product], axes: tuple[str, ...]) -> None:
    with pytest.raises(FamilyAxesIllegal):
        make_family(*pens, axes=axes)


def test_two_members_cannot_have_equal_values(pens: list[Product]) -> None:
    with pytest.raises(FamilyValuesTaken):
        make_family(*pens, axes=("规格",))

    family = make_family(*pens, axes=("颜色",), code="F2")
    with pytest.raises(IntegrityError), transaction.atomic():
        family.members.update(values_key="黑色")


def test_a_member_needs_a_value_that_does_not_contradict_the_product(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    other = ProductFactory(code="3", category=pens[0].category, attributes={})

    with pytest.raises(FamilyValueMissing):
        family_members_set(actor=None, family_id=family.pk, values_by_code={"3": {}})
    with pytest.raises(FamilyValueDiffers):
        family_members_set(actor=None, family_id=family.pk, values_by_code={"1": {"颜色": "蓝色"}})
    family_members_set(actor=None, family_id=family.pk, values_by_code={"3": {"颜色": "蓝色"}})
    assert of_family() == [("1", None), ("2", None), (other.code, "F1")]


def test_a_product_of_another_category_or_family_is_refused(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    ProductFactory(code="9", attributes={"颜色": "蓝色"})

    with pytest.raises(FamilyCategoryDiffers):
        family_members_set(actor=None, family_id=family.pk, values_by_code={"9": {}})
    with pytest.raises(ProductInOtherFamily):
        make_family(*pens, axes=("颜色",), code="F3")


def test_members_may_exchange_their_values(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    for product, colour in zip(pens, ("红色", "黑色"), strict=True):
        Product.objects.filter(pk=product.pk).update(attributes={"颜色": colour})

    family_members_set(actor=None, family_id=family.pk, values_by_code={"1": {}, "2": {}})

    assert [member.values for member in family.members.all()] == [["红色"], ["黑色"]]


def test_an_inactive_or_deleted_family_leaves_its_products(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    family.is_active = False
    family_save(actor=None, family=family)
    assert of_family() == [("1", None), ("2", None)]
    assert family.members.count() == 2

    family_delete(actor=None, family=family)
    assert Product.objects.count() == 2


def test_new_axes_apply_to_the_members(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    family.axes = ["规格", "颜色"]
    family_save(actor=None, family=family)

    assert [member.values for member in family.members.all()] == [["1支", "黑色"], ["1支", "红色"]]


def test_a_changed_product_has_its_new_value_in_its_family(
    pens: list[Product], staff: Account
) -> None:
    family = make_family(*pens, axes=("颜色", "规格"))
    pens[1].attributes = {"颜色": "蓝色"}
    product_save(actor=staff, product=pens[1])
    apply("products", "商品编码,包装规格", "1,2支")

    assert [member.values for member in family.members.all()] == [["黑色", "2支"], ["蓝色", "1支"]]


def test_a_changed_product_that_no_longer_fits_leaves_its_family(
    pens: list[Product], staff: Account
) -> None:
    family = make_family(*pens, axes=("颜色",))
    pens[1].attributes = {"颜色": "黑色"}
    product_save(actor=staff, product=pens[1])

    assert of_family() == [("1", "F1"), ("2", None)]
    assert family.members.count() == 1


def test_families_and_members_come_by_sheet(pens: list[Product]) -> None:
    code = pens[0].category.code
    family_sheet: tuple[str, ...] = (
        "编码,名称,三级分类编码,可选项,启用",
        f"F1,按动中性笔,{code},颜色;规格,是",
    )
    members: tuple[str, ...] = ("商品编码,商品族编码,可选值,排序", "1,F1,,2", "2,F1,颜色:红色,1")

    apply("families", *family_sheet)
    apply("family_members", *members)

    family_members: list[Any] = list(FamilyMember.objects.values_list("product__code", "values"))
    assert family_members == [("2", ["红色", "1支"]), ("1", ["黑色", "1支"])]
    assert of_family() == [("1", "F1"), ("2", "F1")]
    apply("families", family_sheet[0], f"F1,按动中性笔,{code},颜色,否")
    assert of_family() == [("1", None), ("2", None)]


def test_a_wrong_member_refuses_the_sheet(pens: list[Product]) -> None:
    make_family(pens[0], axes=("规格",))

    with pytest.raises(ImportRefused) as refused:
        apply("family_members", "商品编码,商品族编码", "2,F1", "7,F1")

    assert [str(error) for error in refused.value.report.errors] == [
        "第 2 行「可选值」：商品 2 与 1 的可选值同为“1支”，请区分或只保留一个",
        "第 3 行「商品编码」：没有编码为 7 的商品，请先导入商品",
    ]


def test_a_sheet_names_the_product_that_a_full_family_has_no_room_for(
    pens: list[Product],
) -> None:
    family = make_family(pens[0], axes=("颜色",))
    fields = {
        field.attname: getattr(pens[0], field.attname)
        for field in Product._meta.concrete_fields
        if field.name not in ("id", "code", "family")
    }
    products = Product.objects.bulk_create(
        Product(**fields, code=str(100 + n)) for n in range(MAX_MEMBERS - 1)
    )
    FamilyMember.objects.bulk_create(
        FamilyMember(family=family, product=one, values=[one.code], values_key=one.code)
        for one in products
    )

    with pytest.raises(ImportRefused) as refused:
        apply("family_members", "商品编码,商品族编码", "1,F1", "2,F1")

    assert [str(error) for error in refused.value.report.errors] == [
        "第 3 行「商品编码」：一个商品族最多 60 个商品，请分成几个族"
    ]


def test_a_sheet_with_axes_on_which_two_members_are_equal_is_refused(pens: list[Product]) -> None:
    make_family(*pens, axes=("颜色", "规格"))

    with pytest.raises(ImportRefused) as refused:
        apply("families", "编码,可选项", "F1,规格")

    assert [str(error) for error in refused.value.report.errors] == [
        "第 2 行「可选项」：商品 2 与 1 的可选值同为“1支”，请区分或只保留一个"
    ]


def test_members_may_exchange_their_values_by_sheet(pens: list[Product]) -> None:
    family = make_family(*pens, axes=("颜色",))
    Product.objects.update(attributes={})

    apply("family_members", "商品编码,商品族编码,可选值", "1,F1,颜色:红色", "2,F1,颜色:黑色")

    assert [member.values for member in family.members.all()] == [["红色"], ["黑色"]]


def test_a_sheet_takes_a_member_out_of_its_family(pens: list[Product]) -> None:
    make_family(*pens, axes=("颜色",))
    ProductFactory(code="3", category=pens[0].category)

    apply("family_members", "商品编码,商品族编码,移出", "1,F1,否", "2,F1,是")

    assert of_family() == [("1", "F1"), ("2", None), ("3", None)]
    assert FamilyMember.objects.get().product.code == "1"
    with pytest.raises(ImportRefused) as refused:
        apply("family_members", "商品编码,商品族编码,移出", "3,F1,是")
    assert [str(error) for error in refused.value.report.errors] == [
        "第 2 行「移出」：商品 3 不在商品族 F1 中，不能移出"
    ]


def test_a_removed_member_comes_back_if_the_sheet_cannot_be_written(
    pens: list[Product], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_family(*pens, axes=("颜色",))
    monkeypatch.setattr(FamilyMemberImporter, "chunk_rows", 1)

    def move_second() -> None:
        Product.objects.filter(code="2").update(category=create_category_path())

    with pytest.raises(ImportRefused), at_statement(CHUNK_WRITTEN, 1, move_second):
        apply("family_members", "商品编码,商品族编码,排序,移出", "1,F1,7,是", "2,F1,9,否")

    family_members: list[Any] = list(
        FamilyMember.objects.values_list("product__code", "values", "position")
    )
    assert family_members == [("1", ["黑色"], 0), ("2", ["红色"], 1)]
    assert of_family() == [("1", "F1"), ("2", "F1")]


def test_no_member_gets_back_a_value_that_another_one_keeps(
    pens: list[Product], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_family(*pens, axes=("颜色",))
    ProductFactory(code="3", category=pens[0].category, attributes={"颜色": "蓝色"})
    Product.objects.filter(code__in=("1", "2")).update(attributes={})
    monkeypatch.setattr(FamilyMemberImporter, "chunk_rows", 2)

    def move_second_and_third() -> None:
        Product.objects.filter(code__in=("2", "3")).update(category=create_category_path())

    with (
        pytest.raises(ImportRefused) as refused,
        at_statement(CHUNK_WRITTEN, 1, move_second_and_third),
    ):
        apply(
            "family_members",
            "商品编码,商品族编码,可选值,排序",
            "1,F1,颜色:红色,7",
            "2,F1,颜色:黑色,8",
            "3,F1,,9",
        )

    assert [str(one) for one in refused.value.report.stayed] == [
        "第 2 行：导入期间该行已被他人修改，保留现值",
        "第 3 行：导入期间该行已被他人修改，保留现值",
    ]
    members: list[Any] = list(
        FamilyMember.objects.values_list("product__code", "values", "position")
    )
    assert members == [("1", ["红色"], 0), ("2", ["黑色"], 1)]


def test_a_member_gets_back_a_value_that_a_new_member_took(
    pens: list[Product], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_family(*pens, axes=("颜色",))
    ProductFactory(code="3", category=pens[0].category, attributes={})
    ProductFactory(code="4", category=pens[0].category, attributes={"颜色": "绿色"})
    Product.objects.filter(code="1").update(attributes={})
    monkeypatch.setattr(FamilyMemberImporter, "chunk_rows", 2)

    def move_fourth() -> None:
        Product.objects.filter(code="4").update(category=create_category_path())

    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 1, move_fourth):
        apply(
            "family_members",
            "商品编码,商品族编码,可选值",
            "1,F1,颜色:蓝色",
            "3,F1,颜色:黑色",
            "4,F1,",
        )

    assert refused.value.report.stayed == []
    assert of_family() == [("1", "F1"), ("2", "F1"), ("3", None), ("4", None)]
    assert [member.values for member in FamilyMember.objects.all()] == [["黑色"], ["红色"]]


def test_changed_products_exchange_their_values_by_the_sheet_of_products(
    pens: list[Product],
) -> None:
    family = make_family(*pens, axes=("颜色",))

    apply("products", "商品编码,属性", "1,颜色:红色", "2,颜色:黑色")

    assert [member.values for member in family.members.all()] == [["红色"], ["黑色"]]


def _take_value() -> None:
    family_member_add(
        actor=None, family_id=ProductFamily.objects.get().pk, product_code="3", values={}
    )


def _move_product() -> None:
    Product.objects.filter(code="1").update(category=create_category_path())


def _add_axis() -> None:
    family = ProductFamily.objects.get()
    family.axes = ["颜色", "规格"]
    family_save(actor=None, family=family)


def _delete_family() -> None:
    family_delete(actor=None, family=ProductFamily.objects.get())


@pytest.mark.parametrize("change", [_take_value, _move_product, _add_axis, _delete_family])
def test_a_removed_member_that_no_longer_fits_stays_out_and_is_named(
    pens: list[Product], monkeypatch: pytest.MonkeyPatch, change: Callable[[], None]
) -> None:
    make_family(*pens, axes=("颜色",))
    ProductFactory(code="3", category=pens[0].category, pack="1支", attributes={"颜色": "黑色"})
    monkeypatch.setattr(FamilyMemberImporter, "chunk_rows", 1)

    def interfere() -> None:
        change()
        Product.objects.filter(code="2").update(category=create_category_path())

    with pytest.raises(ImportRefused) as refused, at_statement(CHUNK_WRITTEN, 1, interfere):
        apply("family_members", "商品编码,商品族编码,排序,移出", "1,F1,7,是", "2,F1,9,否")

    assert "第 2 行：导入期间该行已被他人修改，保留现值" in str(
        [str(one) for one in refused.value.report.stayed]
    )
    assert not FamilyMember.objects.filter(product__code="1").exists()
    assert dict(of_family())["1"] is None
