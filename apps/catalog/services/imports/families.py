"""The importers of product families (商品族) and their members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import Q

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import FamilyRefused, FamilyValuesTaken
from apps.catalog.locks import hold_category_tree, lock_families
from apps.catalog.models import Category, FamilyMember, Product, ProductFamily
from apps.catalog.services.families import (
    check_axes,
    check_category,
    check_members,
    family_save,
    get_member_values,
    members_remove,
    members_store,
    product_families_refresh,
)
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, Importer, PlannedRow
from apps.catalog.services.imports.sheet import Column, Row

AXIS_SEPARATORS = str.maketrans({"；": ";", "、": ";"})


def parse_axes_cell(cell: str, _today: date) -> list[str]:
    """Parse the names of the axes, separated by semicolons."""
    try:
        return check_axes([name for name in cell.translate(AXIS_SEPARATORS).split(";") if name])
    except FamilyRefused as error:
        raise ValueError(error.text) from error


class FamilyImporter(CodedImporter[ProductFamily]):
    """Imports families. A change of the axes or of the state applies to all members."""

    kind = "families"
    export_related = ("category",)
    title = "商品族"
    model = ProductFamily
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column("编码", "code", cells.build_text_parser(30), is_key=True, example="F110003"),
        Column(
            "名称", "name", cells.build_text_parser(80), required=True, example="拔帽中性笔 0.7mm"
        ),
        Column(
            "三级分类编码",
            "category_code",
            cells.build_text_parser(20),
            required=True,
            writes="category_id",
            example="11010101",
        ),
        Column("可选项", "axes", parse_axes_cell, required=True, example="颜色;规格"),
        Column("启用", "is_active", cells.parse_yes_no, empty=True, example="是"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._categories = dict(Category.objects.filter(level=3).values_list("code", "pk"))

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with the primary key of the category in place of its code."""
        values = dict(row.values)
        code = values.pop("category_code", None)
        if code is not None:
            if code not in self._categories:
                row.refuse("三级分类编码", f"没有编码为 {code} 的三级类目，请先导入")
            values["category_id"] = self._categories.get(code)
        return values

    def format_value(self, field: str, value: Any) -> str:
        """Show the category by its code and the axes joined by semicolons."""
        if field == "category_id":
            return next((code for code, pk in self._categories.items() if pk == value), "（空）")
        return ";".join(value) if field == "axes" else super().format_value(field, value)

    def lock(self, keys: Iterable[int]) -> None:
        """Hold the category tree, then lock the families."""
        hold_category_tree()
        lock_families(family_ids=keys)

    def change_key(self, item: PlannedRow[ProductFamily]) -> str:
        """Return the code with a prefix, because a product may have the same code."""
        return f"family:{item.key}"

    def check(self, item: PlannedRow[ProductFamily]) -> None:
        """Refuse axes or a category that a member does not fit, and axes on which two members have
        the same values.
        """
        family = item.instance
        if family.pk is None or item.row.refused:
            return
        family.category = Category.objects.get(pk=family.category_id)
        members = list(family.members.select_related("product"))
        try:
            for member in members:
                check_category(family, member.product)
                value_by_axis = dict(zip(_read_stored_axes(item), member.values, strict=False))
                member.values = get_member_values(
                    family=family, product=member.product, typed_values=value_by_axis
                )
            check_members(members)
        except FamilyValuesTaken as error:
            item.row.refuse("可选项", error.text)
        except FamilyRefused as error:
            item.row.refuse(error.header, error.text)

    def store(self, changed: Sequence[PlannedRow[ProductFamily]]) -> None:
        """Save each family through its service, so that its members follow."""
        for item in changed:
            family_save(actor=self.actor, family=item.instance)


def _read_stored_axes(item: PlannedRow[ProductFamily]) -> list[str]:
    """Return the axes before the change of the row."""
    return next((old for name, old, _ in item.changes if name == "axes"), item.instance.axes)


class FamilyMemberImporter(Importer[FamilyMember]):
    """Imports members by product code. A value that the product states may be left out. 移出 takes
    a product out of its family.
    """

    kind = "family_members"
    export_related = ("family", "product")
    joint_fields = ("family_id", "values")
    is_erased_first = True
    title = "商品族成员"
    model = FamilyMember
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column(
            "商品编码",
            "product_code",
            cells.build_digits_parser(18, label="商品编码"),
            is_key=True,
            writes="product_id",
            example="110003",
        ),
        Column(
            "商品族编码",
            "family_code",
            cells.build_text_parser(30),
            required=True,
            writes="family_id",
            example="F110003",
        ),
        Column("可选值", "values", cells.parse_attributes, empty={}, example="颜色:红色;规格:1支"),
        Column("排序", "position", cells.build_integer_parser(0, 10_000), empty=0, example="1"),
        Column("移出", "is_removed", cells.parse_yes_no, empty=False, example="否"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # The members of the families by product code, as they are after the rows planned so far.
        # Members of the rows still to plan are missing.
        self._members: dict[int, dict[str, FamilyMember]] = {}
        self._families: dict[str, ProductFamily] = {}
        self._is_writing = False
        # The members that `take_back` restores, by primary key. None until the member has its
        # former values.
        self._restored: dict[int, FamilyMember | None] = {}

    def build_row_key(self, row: Row) -> str:
        return str(row.values["product_code"])

    def prepare(self, rows: Sequence[Row]) -> None:
        codes = [row.values["product_code"] for row in rows]
        family_codes = {row.values.get("family_code") for row in rows} - {None}
        is_concerned = Q(code__in=family_codes) | Q(members__product__code__in=codes)
        families = ProductFamily.objects.select_related("category").filter(is_concerned).distinct()
        if self._is_writing:
            # The families that get new members too, so that the checks below still hold when the
            # rows are written.
            lock_families(family_ids=families.values_list("pk", flat=True))
        products = Product.objects.filter(code__in=codes).order_by("pk")
        if self._is_writing:
            products = products.select_for_update(no_key=True)
        self._products = {product.code: product for product in products}
        self._families |= {family.code: family for family in families}
        unread = [family.pk for family in families if family.pk not in self._members]
        self._members |= {pk: {} for pk in unread}
        for member in FamilyMember.objects.select_related("product", "family").filter(
            family__in=unread
        ):
            self._members[member.family_id][member.product.code] = member
        for members in self._members.values():
            for code in codes:
                members.pop(code, None)
        self._existing = {
            member.product.code: member
            for member in FamilyMember.objects.select_related("product", "family").filter(
                product__code__in=codes
            )
        }

    def find(self, row: Row) -> FamilyMember | None:
        return self._existing.get(row.values["product_code"])

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the family and the values of the member. Refuse a product that is in another
        family.
        """
        code = row.values["product_code"]
        product, family = self._products.get(code), self._find_family(row)
        if product is None:
            row.refuse("商品编码", f"没有编码为 {code} 的商品，请先导入商品")
        if product is None or family is None:
            return {}
        member = self._existing.get(code)
        if member is not None and member.family_id != family.pk:
            row.refuse(
                "商品族编码", f"商品 {code} 已在商品族 {member.family.code} 中，请先从那里移出"
            )
            return {}
        if row.values.get("is_removed"):
            return self._get_removed_attributes(row, family)
        typed_values: Mapping[str, str] = row.values.get("values") or {}
        if "values" not in row.values and member is not None:
            typed_values = dict(zip(family.axes, member.values, strict=False))
        planned = FamilyMember(family=family, product=product)
        members = self._members[family.pk]
        try:
            check_category(family, product)
            planned.values = get_member_values(
                family=family, product=product, typed_values=typed_values
            )
            check_members([*members.values(), planned])
        except FamilyRefused as error:
            row.refuse(error.header if error.header != "可选项" else "可选值", error.text)
            return {}
        members[code] = planned
        attributes = {"product_id": product.pk, "family_id": family.pk, "values": planned.values}
        if "position" in row.values:
            attributes["position"] = row.values["position"]
        return attributes

    def _get_removed_attributes(self, row: Row, family: ProductFamily) -> dict[str, Any]:
        """Return the values of a member that leaves its family. `store` deletes the row."""
        code = row.values["product_code"]
        if code not in self._existing:
            row.refuse("移出", f"商品 {code} 不在商品族 {family.code} 中，不能移出")
            return {}
        return {"family_id": None, "values": [], "position": 0}

    def _find_family(self, row: Row) -> ProductFamily | None:
        code = row.values.get("family_code")
        if code is None:
            member = self._existing.get(row.values["product_code"])
            return member.family if member else None
        if code not in self._families:
            row.refuse("商品族编码", f"没有编码为 {code} 的商品族，请先导入商品族")
        return self._families.get(code)

    def format_value(self, field: str, value: Any) -> str:
        """Show the family by its code and the values joined by semicolons."""
        if field == "values":
            return ";".join(value) or "（空）"
        if field == "family_id" and value is not None:
            return next(code for code, family in self._families.items() if family.pk == value)
        return super().format_value(field, value)

    def lock(self, keys: Iterable[int]) -> None:
        """Hold the category tree. `store` locks the families."""
        hold_category_tree()
        self._is_writing = True

    def begin_restore(self, keys: Iterable[int]) -> None:
        """Note the members to restore, because they are checked together."""
        self._restored = dict.fromkeys(keys)

    def store(self, changed: Sequence[PlannedRow[FamilyMember]]) -> None:
        """Remove the members without a family, then store the others family by family."""
        removals = [item for item in changed if item.instance.family_id is None]
        stored_rows = [item for item in changed if item.instance.family_id is not None]
        self.erase([item.instance.pk for item in removals])
        families = lock_families(family_ids={item.instance.family_id for item in stored_rows})
        for pk, family in families.items():
            members = [item.instance for item in stored_rows if item.instance.family_id == pk]
            members_store(family=family, members=members)
        product_families_refresh(families=families.values())

    def erase(self, keys: list[int]) -> None:
        """Remove the members through their service."""
        members_remove(keys=keys)

    def revive(self, key: str, pk: int) -> FamilyMember | None:
        """Return an empty member of the product. None if the product has a family again."""
        product = Product.objects.filter(code=key, family_member=None).first()
        return None if product is None else FamilyMember(pk=pk, product=product, values=[])

    def check_restored(self, instance: FamilyMember) -> bool:
        """Return whether the restored member fits its family as the family is now. Locks the
        family. Keeps a member that fits, so that the next members are checked together with it.
        """
        families = lock_families(family_ids=[instance.family_id] if instance.family_id else [])
        family = families.get(instance.family_id)
        if family is None or len(family.axes) != len(instance.values):
            return False
        others = family.members.exclude(pk__in=[*self._restored, instance.pk])
        earlier = [
            member for member in self._restored.values() if member and member.family_id == family.pk
        ]
        value_by_axis = dict(zip(family.axes, instance.values, strict=True))
        try:
            check_category(family, instance.product)
            get_member_values(family=family, product=instance.product, typed_values=value_by_axis)
            check_members(
                [
                    *others.select_related("product"),
                    *(member for member in earlier if member is not instance),
                    instance,
                ]
            )
        except FamilyRefused:
            return False
        self._restored[instance.pk] = instance
        return True
