"""Known column titles of customers' tables, and the role of each column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum


class Role(StrEnum):
    """The content of a column."""

    CODE = "code"
    NAME = "name"
    SPEC = "spec"
    QUANTITY = "quantity"
    UNIT = "unit"
    REMARK = "remark"
    OTHER = "other"


TITLES: dict[Role, str] = {
    Role.CODE: "商品编码|商品编号|产品编码|产品编号|商品代码|编码|编号|货号|商品号|sku|skucode|"
    "code|itemcode|productcode|商品sku|物料编码|物料编号|物料号|物料代码|料号|客户物料编码|"
    "客户编码|我方编码|自有编码|material|materialcode|商品编码/名称|编码/名称|编码或名称|"
    "商品编码或名称|商品编码/物料编码/型号/名称",
    Role.NAME: "名称|品名|商品名称|商品|产品名称|产品|货品|货品名称|货物名称|物品|物品名称|"
    "物料名称|物料|客户品名|采购物品|name|productname|item|description",
    Role.SPEC: "型号|规格|规格型号|型号规格|品牌|颜色|尺寸|model|spec|brand|参数|描述|包装|"
    "包装规格",
    Role.QUANTITY: "数量|采购数量|订购数量|需求数量|订货数量|下单数量|申请数量|申购数量|购买数量|"
    "数目|件数|需求量|采购量|qty|quantity|number|count",
    Role.UNIT: "单位|计量单位|unit|uom",
    Role.REMARK: "备注|说明|用途|需求说明|备注说明|remark|remarks|note|notes|comment|部门|"
    "使用部门|申请部门|需求部门|申请人|领用人|收货人|使用人",
    Role.OTHER: "序号|行号|no|no.|#|单价|价格|含税单价|未税单价|协议价|参考价|金额|小计|总价|"
    "含税金额|税率|price|amount|total|图片|链接|日期|需求日期|交货日期|要求到货日期|供应商|类别|"
    "分类|品类|种类",
}
ROLES: dict[str, Role] = {
    title: role for role, titles in TITLES.items() for title in titles.split("|")
}
DRESSING = re.compile(r"[\s:：*＊]|[(（\[【][^)）\]】]*+[)）\]】]")
MOST_TITLE = 100
SUM_LINE = re.compile(
    r"\s*(?:合计|总计|小计|共计|总金额|合计金额|total|subtotal)\s*+[:：]?[\s\d,.元¥￥件种个]*+",
    re.IGNORECASE,
)


def role_of(title: str) -> Role | None:
    """Return the role of a column title, or None for an unknown title."""
    return ROLES.get(DRESSING.sub("", title).casefold()) if len(title) <= MOST_TITLE else None


def columns_of(cells: Sequence[str]) -> dict[int, Role] | None:
    """Return the role of each column if the cells are column titles, else None.

    At least one title is a code, name or quantity. There are at least as many known titles as
    unknown ones, and no unknown title begins with a digit. A single known title counts if it is the
    only cell and not a quantity.
    """
    titled = {index: role_of(cell) for index, cell in enumerate(cells) if cell}
    roles = {index: role for index, role in titled.items() if role is not None}
    tells = any(role in (Role.CODE, Role.NAME, Role.QUANTITY) for role in roles.values())
    unknown = [cells[index] for index, role in titled.items() if role is None]
    if not tells or len(unknown) > len(roles) or any(cell[0].isdigit() for cell in unknown):
        return None
    return (
        roles
        if len(roles) > 1 or (len(titled) == 1 and next(iter(roles.values())) is not Role.QUANTITY)
        else None
    )


def is_sum(text: str) -> bool:
    """Whether the line is a total of the lines above it."""
    return SUM_LINE.fullmatch(text) is not None
