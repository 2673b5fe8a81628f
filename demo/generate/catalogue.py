"""The three catalogue sheets, and the table of picture kinds."""

from collections.abc import Iterator

from demo.generate.products import COLUMNS, iterate_product_rows
from demo.generate.sheets import CATALOGUE, DEMO, Row, write_sheet
from demo.generate.vocabulary import Node, get_brands, list_groups, list_thirds

CATEGORY_COLUMNS = ("编码", "名称", "上级编码", "级别", "菜单分组编码", "菜单分组名称", "排序")
BRAND_COLUMNS = ("编码", "名称", "英文名", "简介")
KIND_COLUMNS = ("三级分类编码", "图形")


def _walk(*, node: Node, parent: str, group: Node, order: int) -> Iterator[Row]:
    yield {
        "编码": node.code, "名称": node.name, "上级编码": parent, "级别": str(node.level),
        "菜单分组编码": group.code, "菜单分组名称": group.name, "排序": str(order),
    }  # fmt: skip
    for place, child in enumerate(node.children, start=1):
        yield from _walk(node=child, parent=node.code, group=group, order=place)


def iterate_category_rows() -> Iterator[Row]:
    """Yield the category rows, parents first."""
    for group in list_groups():
        for place, first in enumerate(group.children, start=1):
            yield from _walk(node=first, parent="", group=group, order=place)


def write_catalogue() -> dict[str, int]:
    """Write the catalogue sheets and return the number of rows in each."""
    brand_rows = (
        {"编码": b.code, "名称": b.name, "英文名": b.english, "简介": b.profile}
        for b in get_brands().values()
    )
    kinds = ({"三级分类编码": third.code, "图形": third.kind} for third in list_thirds())
    return {
        "categories.csv": write_sheet(
            CATALOGUE / "categories.csv", CATEGORY_COLUMNS, iterate_category_rows()
        ),
        "brands.csv": write_sheet(CATALOGUE / "brands.csv", BRAND_COLUMNS, brand_rows),
        "products.csv": write_sheet(CATALOGUE / "products.csv", COLUMNS, iterate_product_rows()),
        "kinds.csv": write_sheet(DEMO / "pictures" / "kinds.csv", KIND_COLUMNS, kinds),
    }
