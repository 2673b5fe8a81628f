"""The texts of /api/docs for the operations of this app: group → address →
(summary, description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "消息通知": {
        "GET /api/Notice": ("查询消息列表", "只有本人的站内消息，最新的在前。"),
        "GET /api/Notice/UnreadCount": ("查询未读消息数", "最多返回 100，表示 100 条及以上。"),
        "POST /api/Notice/Read": (
            "标记消息已读",
            "`All` 为 true 时全部标为已读；返回标记的条数与剩余的未读数。",
        ),
        "POST /api/Notice/Follow": (
            "打开消息中的链接",
            "返回链接所指的页面路径，链接随即失效，消息标为已读；链接只对收件人有效。",
        ),
        "GET /api/Notice/Preference": ("查询通知偏好", ""),
        "PUT /api/Notice/Preference": ("保存通知偏好", "个别重要消息必须保留站内通知。"),
    },
}

EXAMPLES = Examples(
    values={
        "Title": "订单 SO26030512345678 已发货",
        "Summary": "部分商品已从上海仓发出",
        "Notice": "部分商品已从上海仓发出",
        "Section": "order",
        "SectionText": "订单",
        "Link": "/userCenter/order/detail?OrderNo=SO26030512345678",
    },
)
