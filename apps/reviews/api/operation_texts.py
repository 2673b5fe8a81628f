"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "商品": {
        "GET /api/Product/{ProductCode}/Reviews": (
            "查询商品评价",
            "最新的在前，附汇总；其他客户的评价人姓名会隐去部分。",
        ),
        "GET /api/Product/ReviewPicture/{Token}": (
            "查看评价图片",
            "地址由评价列表给出；直接返回图片，不在信封内。",
        ),
    },
    "订单": {
        "GET /api/Order/{OrderNo}/Review": ("查询订单评价", "各行能否评价、已有的评价与追评。"),
        "POST /api/Order/{OrderNo}/Review": (
            "发表订单评价",
            "只能评价已收货的行，一行一次，立即展示；任一行不符合则全部不写入。",
        ),
        "PATCH /api/Order/{OrderNo}/Review": (
            "修改订单评价",
            "在允许修改的期限内由评价人修改，修改后重新审阅。",
        ),
        "POST /api/Order/{OrderNo}/Review/FollowUp": (
            "追加订单评价",
            "每行只能追评一次，且须在期限之内。",
        ),
    },
}

PARAMETER_TEXTS = {
    "Token": "评价列表给出的图片凭据",
    "Reviews.PageSize": "每页条数；未登录时最多 100",
}

EXAMPLES = Examples(
    values={
        "Author": "林晓雨",
        "ReplyText": "感谢您的评价",
        "FollowUpText": "用了两周，书写流畅",
        "HiddenReason": "含联系方式",
    },
    items={
        "Pictures": "/media/products/110001.webp",
        "Tags": "书写流畅",
    },
)
