"""Summaries and descriptions of this app's operations for /api/docs, by group and address."""

from __future__ import annotations

from apps.common.api.operation_descriptions import Words

OPERATION_TEXTS: Words = {
    "文件": {
        "POST /api/File/Execute": (
            "上传文件",
            (
                "文件字段可以是任意名称；按内容核对类型与大小。返回的 FileId 用于其他接口，Url 5 "
                "分钟内有效。"
            ),
        ),
        "GET /api/File/{FileId}": (
            "下载文件",
            (
                "凭带签名的地址访问，签名 5 分钟内有效；没有签名时，由上传者凭令牌访问。"
                "直接返回文件，不在信封内。"
            ),
        ),
    },
}
