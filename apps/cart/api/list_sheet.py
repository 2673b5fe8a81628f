"""The sheet of a named list (采购清单), at the prices of the person who exports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from apps.cart.selectors.quick_lists import ListedLine

QUICK_LIST_HEAD = (
    "序号",
    "商品编码",
    "物料编码",
    "商品名称",
    "品牌",
    "包装规格",
    "单位",
    "数量",
    "单价（含税）",
    "金额（含税）",
    "备注",
    "提示",
)


def iterate_quick_list_rows(lines: Iterable[ListedLine]) -> Iterator[list[Any]]:
    """Return one row per line. A person who sees no prices gets empty cells for them."""
    for number, line in enumerate(lines, start=1):
        offer = line.offer
        product = offer.product if offer else None
        problem = line.problem
        notes = [
            f"{problem.message}，{problem.suggestion}" if problem else "",
            line.price_change,
        ]
        yield [
            number,
            line.code,
            offer.customer_code if offer else "",
            offer.name if offer else "",
            product.brand.name if product else "",
            product.pack if product else "",
            product.unit if product else "",
            line.quantity,
            line.price,
            line.amount,
            line.remark,
            "；".join(filter(None, notes)),
        ]
