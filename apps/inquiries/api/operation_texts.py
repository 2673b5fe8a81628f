"""Texts of /api/docs for the operations of this app: by group, then by path, a summary and a
description.
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "意向询价": {
        "GET /api/ProductInquiry": (
            "查询询价单列表",
            "返回数据范围内的询价单，新提交的在前，附各状态的数量。",
        ),
        "POST /api/ProductInquiry": ("提交询价单", "提交后为待报价。"),
        "GET /api/ProductInquiry/{InquiryNo}": ("查询询价单详情", ""),
        "POST /api/ProductInquiry/{InquiryNo}/AskAgain": (
            "重新询价",
            "已报价或已关闭的询价单回到待报价，原报价不再是本客户的价格。",
        ),
        "POST /api/ProductInquiry/{InquiryNo}/Close": (
            "关闭询价单",
            "只能关闭待报价或已报价的询价单。",
        ),
        "POST /api/ProductInquiry/{InquiryNo}/Message": ("发送询价留言", ""),
        "POST /api/ProductInquiry/{InquiryNo}/Read": (
            "标记询价单已读",
            "只有申请人本人查看才会改变已读状态。",
        ),
    },
}

PARAMETER_TEXTS = {
    "InquiryNo": "询价单号",
}

EXAMPLES = Examples(
    values={
        "InquiryNo": "XJ26030512345678",
        "Spec": "0.38mm 黑色",
        "QuoteNote": "含税含运费，30 天内有效",
        "CloseReason": "客户撤销",
    },
    components={
        "Inquiry": {"Status": "quoted", "StatusText": "已报价"},
    },
)
