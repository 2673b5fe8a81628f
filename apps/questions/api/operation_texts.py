"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "商品": {
        "GET /api/Product/{ProductCode}/Questions": (
            "查询商品问答",
            "最新回答的在前，可按词搜索；其他企业的提问人不显示。也可只看本集团的提问，"
            "含本人待回答的提问。",
        ),
    },
    "商品提问": {
        "GET /api/ProductQuestion": ("查询我的提问", "本人的提问与回答，最新的在前。"),
        "POST /api/ProductQuestion": (
            "提问",
            "就看得到的商品提问，由平台客服回答后通知提问人。每人每天次数有限，"
            "提问中不能有手机号、电话、邮箱或微信号。",
        ),
        "POST /api/ProductQuestion/{QuestionId}/Retract": (
            "撤回提问",
            "只能撤回本人的提问，撤回后任何人都看不到。",
        ),
    },
}

PARAMETER_TEXTS = {
    "QuestionId": "提问的编号",
    "Questions.PageSize": "每页条数；未登录时最多 100",
    "Questions.Keyword": "每个词都要出现在问题或回答中",
    "ProductQuestion.Keyword": "在问题、回答、商品名称中搜索，或填商品编码",
}

EXAMPLES = Examples(
    values={
        "Question": "这款笔芯可以换国产通用笔芯吗？",
        "Asker": "其他客户",
    },
)
