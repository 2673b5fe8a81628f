"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "报价单": {
        "GET /api/Quotation": ("查询报价单", "默认为本人生成的，最新的在前；也可查本企业全部。"),
        "POST /api/Quotation": (
            "生成报价单",
            "购物车已勾选且可购买的商品按现价生成，有效期内按报价单下单不涨价；购物车不变。",
        ),
        "GET /api/Quotation/{QuotationNo}": (
            "查询报价单详情",
            "本企业有权查看价格的同事均可打开；附各行现价，下单时取两者中较低的。",
        ),
        "GET /api/Quotation/{QuotationNo}/File": (
            "下载报价单 PDF",
            "直接返回 PDF 文件，不在信封内。",
        ),
        "POST /api/Quotation/{QuotationNo}/Void": (
            "作废报价单",
            "由生成人或集团管理员作废，作废后不再保留价格。",
        ),
    },
}

PARAMETER_TEXTS = {
    "QuotationNo": "报价单号",
    "Quotation.Keyword": "报价单号、备注或商品名称",
    "Quotation.Ours": "true 为本企业全部报价单，false 为本人生成的",
}

EXAMPLES = Examples(
    values={
        "QuotationNo": "BJ26112600000001",
        "ProblemText": "商品规格已变，请重新生成报价单",
        "VoidReason": "价格录入有误，请重新生成",
    },
)
