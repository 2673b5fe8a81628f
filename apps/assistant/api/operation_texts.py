"""The texts of /api/docs for this app's operations: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "AI 咨询": {
        "GET /api/Assistant/Conversation": ("查询对话列表", "只有本人有过提问的对话，最近的在前。"),
        "POST /api/Assistant/Conversation": ("新建对话", "已有尚未提问的对话时返回该对话。"),
        "GET /api/Assistant/Conversation/{ConversationId}": (
            "查询对话内容",
            "已无权查看的商品不再列出。",
        ),
        "PATCH /api/Assistant/Conversation/{ConversationId}": ("重命名对话", ""),
        "DELETE /api/Assistant/Conversation/{ConversationId}": (
            "删除对话",
            "对话内容一并删除，用量记录保留。",
        ),
        "POST /api/Assistant/Conversation/{ConversationId}/Message": (
            "提问并接收回答",
            (
                "回答以 text/event-stream 逐段返回，不在信封内；开始之前的拒绝仍在信封内。"
                "每人同时最多两个回答。"
            ),
        ),
        "POST /api/Assistant/Conversation/{ConversationId}/Retry": (
            "重新生成回答",
            "去掉最后一个回答，对同一问题重新回答；应答格式与提问相同。",
        ),
        "POST /api/Assistant/Proposal/{ProposalId}/Accept": (
            "采纳商品方案",
            "把方案的全部或指定部分加入购物车，返回购物车的商品种数；每个方案只能采纳一次。",
        ),
    },
}

PARAMETER_TEXTS = {
    "ConversationId": "对话编号",
    "ProposalId": "商品方案编号，来自回答",
}

EXAMPLES = Examples(
    values={
        "Provider": "rules",
    },
)
