"""Texts of /api/docs for the operations of this app: by group, then by path, a summary and a
description.
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "选型与快速下单": {
        "POST /api/Product/Select": (
            "一键选型",
            (
                "提交文字或表格时为每一行给出候选商品，提交场景时给出不超过预算的组合。每次最多 "
                "200 行，不写入数据。"
            ),
        ),
        "GET /api/Product/SelectScenario": ("查询选型场景", ""),
        "POST /api/Product/Select/Export": ("导出选型结果", "按当前价格重新计算后导出。"),
    },
}

EXAMPLES = Examples(
    values={
        "HeadsName": "周建国",
        "Words": "黑色中性笔 20 支",
        "Hint": "可以改为 8 支",
        "Aim": "order",
    },
    items={
        "Words": "中性笔",
        "Changed": "Quantity",
        "Exclude": "110001",
        "Near": "中性笔",
        "Drop": "110001",
    },
)
