"""The texts of /api/docs for the operations of this app: group → address →
(summary, description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "事件推送": {
        "GET /api/Webhook": ("查询推送地址列表", "需要全集团的数据范围；不含签名密钥。"),
        "POST /api/Webhook": (
            "新增推送地址",
            "只接受公网的 https 地址，每个集团最多 10 个。签名密钥只在本次应答中出现，请立即保存。"
            "须提供本人的登录密码，开启了两步验证的账号另须验证码或通行密钥。",
        ),
        "GET /api/Webhook/{Id}": ("查询推送地址详情", "需要全集团的数据范围；不含签名密钥。"),
        "PATCH /api/Webhook/{Id}": (
            "修改推送地址",
            "重新启用后，停用期间保留的事件立即补发。更换地址须提供本人的登录密码，开启了两步验证的账号另须验证码或通行密钥。",
        ),
        "DELETE /api/Webhook/{Id}": (
            "删除推送地址",
            "推送记录与尚未送达的事件一并删除，不可恢复；需要全集团的数据范围。",
        ),
        "POST /api/Webhook/{Id}/Rotate": (
            "更换签名密钥",
            "新密钥只在本次应答中出现；24 小时内每次推送同时带有新旧两个签名。"
            "须提供本人的登录密码，开启了两步验证的账号另须验证码或通行密钥。",
        ),
        "POST /api/Webhook/{Id}/Test": (
            "发送测试事件",
            (
                "立即发送一次并返回结果，已停用的地址也可以测试。每个集团同时只能有一次测试，"
                "每人每分钟 10 次。"
            ),
        ),
        "GET /api/Webhook/{Id}/Delivery": (
            "查询推送记录",
            "保留 30 天，最近的在前；列表不含正文。",
        ),
        "GET /api/Webhook/{Id}/Delivery/{DeliveryId}": (
            "查询推送记录详情",
            "包括事件正文与每次推送的结果。",
        ),
        "POST /api/Webhook/{Id}/Delivery/{DeliveryId}/Replay": (
            "重新推送事件",
            "以同一事件 Id 再次推送；正在等待或发送的事件，以及已停用的地址不能重推。",
        ),
    },
}

PARAMETER_TEXTS = {
    "DeliveryId": "推送记录编号",
    "Event": "事件的 Type",
}

EXAMPLES = Examples(
    values={
        "EventId": "evt_9f1c2d7a4b6e8035",
        "State": "delivered",
        "StateText": "已送达",
        "Event": "order.confirmed",
        "Error": "推送地址的域名无法解析",
        "PausedReason": "连续失败 10 次",
        "Subject": "SO26030512345678",
        "Url": "https://erp.example.com/mall/events",
        "Secret": "whsec_ZXhhbXBsZS1vbmx5LW5vdC1hLXNlY3JldA",
    },
    components={
        "Webhook": {"Name": "ERP", "Kind": "order", "Subject": "SO26030512345678"},
    },
)
