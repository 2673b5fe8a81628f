"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "工作台": {
        "GET /api/Workbench": (
            "查询工作台",
            "一次返回工作台的全部内容：本人的待办与数据范围内的数字，没有权限的部分不返回。",
        ),
        "POST /api/Workbench/Shortcuts": ("设置快捷入口", "按给定顺序保存；为空时恢复默认入口。"),
    },
}

EXAMPLES = Examples(
    values={
        "FirstName": "晓雨",
        "FirstBrand": "得力",
    },
    items={
        "Chosen": "order.list",
        "Allowed": "order.list",
        "PurchasedCategories": "1101",
    },
)
