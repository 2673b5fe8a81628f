"""The importers of categories (类目) and brands (品牌)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from apps.catalog.enums import ChangeKind
from apps.catalog.locks import lock_category_tree, lock_product_words
from apps.catalog.models import Brand, Category, MenuGroup, Product
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import CodedImporter, PlannedRow
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row
from apps.catalog.services.taxonomy import list_products_below


class CategoryImporter(CodedImporter[Category]):
    """Imports categories. A parent must precede its children, in the same file or in an earlier
    import.
    """

    kind = "categories"
    export_related = ("menu_group", "parent__menu_group", "parent__parent__menu_group")
    title = "类目"
    model = Category
    change_kind = ChangeKind.CATEGORY
    columns = (
        Column("编码", "code", cells.build_text_parser(20), is_key=True, example="110101"),
        Column("名称", "name", cells.build_text_parser(40), required=True, example="中性笔"),
        Column(
            "上级编码",
            "parent_code",
            cells.build_text_parser(20),
            empty="",
            writes="parent",
            example="1101",
        ),
        Column("级别", "level", cells.build_integer_parser(1, 3), required=True, example="3"),
        Column(
            "菜单分组编码",
            "group_code",
            cells.build_text_parser(20),
            empty="",
            writes="menu_group",
            example="11",
        ),
        Column(
            "菜单分组名称",
            "group_name",
            cells.build_text_parser(30),
            empty="",
            writes="menu_group_name",
            example="办公文具",
        ),
        Column("排序", "position", cells.build_integer_parser(0, 1_000_000), empty=0, example="1"),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._categories_by_code = {category.code: category for category in Category.objects.all()}
        self._groups = {group.code: group for group in MenuGroup.objects.all()}

    def lock(self, keys: Iterable[int]) -> None:
        """Lock the whole tree before an update."""
        if any(keys):
            lock_category_tree()

    def prepare(self, rows: Sequence[Row]) -> None:
        """Take the rows from the categories that are loaded already."""
        self._existing = {
            row.values["code"]: self._categories_by_code[row.values["code"]]
            for row in rows
            if row.values["code"] in self._categories_by_code
        }

    def plan_attributes(self, row: Row) -> dict[str, Any]:
        """Return the values with parent and group in place of their codes. Refuse a wrong level."""
        values = dict(row.values)
        group_code, group_name = values.pop("group_code", ""), values.pop("group_name", "")
        parent_code = values.pop("parent_code", None)
        if parent_code:
            parent = self._categories_by_code.get(parent_code)
            if parent is None:
                row.refuse("上级编码", f"没有编码为 {parent_code} 的类目，上级应排在它前面")
            elif parent.level != values.get("level", parent.level + 1) - 1:
                row.refuse(
                    "级别",
                    f"上级 {parent_code} 是 {parent.level} 级，此行应为 {parent.level + 1} 级",
                )
            else:
                values["parent"] = parent
        elif parent_code == "":
            values["parent"] = None
            if values.get("level", 1) != 1:
                row.refuse("上级编码", "二、三级类目必须填写上级编码")
            values["menu_group"] = self._get_menu_group(row, group_code, group_name)
        return values

    def _get_menu_group(self, row: Row, code: str, name: str) -> MenuGroup | None:
        if not code:
            row.refuse("菜单分组编码", "一级类目必须填写菜单分组")
            return None
        return self._groups.setdefault(
            code, MenuGroup(code=code, name=name or code, position=len(self._groups) + 1)
        )

    def check(self, item: PlannedRow[Category]) -> None:
        """Refuse nothing: note the category, so that later rows can name it as their parent."""
        self._categories_by_code[item.key] = item.instance

    def format_value(self, field: str, value: Any) -> str:
        """Show the parent and the group by their own texts."""
        return (
            str(value or "（空）")
            if field in {"parent", "menu_group"}
            else super().format_value(field, value)
        )

    def store(self, changed: Sequence[PlannedRow[Category]]) -> None:
        """Write level by level, because a child needs the primary key of its parent. Products
        below a moved category are indexed again.
        """
        for group in self._groups.values():
            if group._state.adding:
                group.save()
        for level in (1, 2, 3):
            of_level = [item for item in changed if item.instance.level == level]
            for item in of_level:
                item.instance.parent = item.instance.parent
                item.instance.menu_group = item.instance.menu_group
            super().store(of_level)
        moved_categories = [
            item.instance.pk
            for item in changed
            if item.action is Action.UPDATE and any(name == "parent" for name, _, _ in item.changes)
        ]
        if moved_categories:
            self.to_reindex += list_products_below(category_ids=moved_categories)

    def list_written_fields(self) -> list[str]:
        """Write parent and group together, because the parent column decides both."""
        present = {column.target for column in self.sheet.present}
        fields = [name for name in ("name", "level", "position") if name in present]
        return [*fields, *(["parent", "menu_group"] if "parent" in present else [])]


class BrandImporter(CodedImporter[Brand]):
    """Imports brands. The products of a renamed brand are indexed again, because its name is
    part of their search tokens.
    """

    kind = "brands"
    title = "品牌"
    model = Brand
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column("编码", "code", cells.build_text_parser(20), is_key=True, example="B001"),
        Column("名称", "name", cells.build_text_parser(40), required=True, example="文采"),
        Column("英文名", "english_name", cells.build_text_parser(60), empty="", example="Wencai"),
        Column(
            "简介", "description", cells.build_text_parser(300), empty="", example="办公文具品牌"
        ),
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._names = dict(Brand.objects.values_list("name", "code"))

    def lock(self, keys: Iterable[int]) -> None:
        """Block writers of products before an update: they could index the old name of a brand."""
        if any(keys):
            lock_product_words()

    def check(self, item: PlannedRow[Brand]) -> None:
        """Refuse a name that another brand has."""
        owner = self._names.setdefault(item.instance.name, item.key)
        if owner != item.key:
            item.row.refuse("名称", f"品牌 {owner} 已经叫“{item.instance.name}”，请换一个名称")

    def store(self, changed: Sequence[PlannedRow[Brand]]) -> None:
        """Store the brands, and note the products of renamed brands, so that they are indexed
        again.
        """
        super().store(changed)
        renamed = [
            item.instance.pk
            for item in changed
            if any(name in {"name", "english_name"} for name, _, _ in item.changes)
        ]
        if renamed:
            self.to_reindex += (
                Product.objects.filter(brand__in=renamed)
                .order_by("pk")
                .values_list("pk", flat=True)
            )

    def change_key(self, item: PlannedRow[Brand]) -> str:
        """Return the code with a prefix, because a product may have the same code."""
        return f"brand:{item.key}"
