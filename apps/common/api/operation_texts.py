"""Summaries and descriptions of this app's operations for /api/docs, by group and address."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "导入": {
        "GET /api/Import": (
            "我的导入",
            (
                "本人某类表格正在进行的、一天内结束的和有未导入的行的导入，最多 5 个，"
                "含进度和后台排在前面的任务数。"
            ),
        ),
        "GET /api/Import/{Id}/WrongRows": (
            "下载未导入的行",
            "只导入正确的行时留下的行，末列为错误原因，更正后可再次上传。导入记录保存 30 天。",
        ),
        "POST /api/Import/{Id}/Cancel": (
            "取消导入",
            "写完当前一批后停止，并撤回已写入的行；之后被修改或使用的行保留。",
        ),
    },
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

PARAMETER_TEXTS = {
    "Id": "编号，来自列表",
    "FileId": "上传时返回的文件编号",
    "From": "起始日期",
    "IsActive": "是否启用",
    "Keyword": "关键词",
    "Kind": "可选项的种类",
    "PageIndex": "页码，从 1 开始；最多翻看前 10,000 条",
    "PageSize": "每页条数",
    "Sort": "排序的字段，前加 - 为降序",
    "Status": "状态",
    "To": "截止日期",
    "Total": "是否返回总数",
    "Unread": "是否只返回未读的",
    "UpdatedAt": "所见内容的修改时间；其后有人改过则答复 stale",
    "sig": "下载地址中的签名",
}

EXAMPLES = Examples(
    values={
        "Guid": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "Answer": "ok",
        "Field": "Quantity",
        "Target": "/api/Order",
        "Month": "2026-03",
        "Day": "2026-03-05",
        "From": "2026-03-05",
        "To": "2026-03-05",
        "NextAt": "2026-03-05T14:07:00+08:00",
        "Amount": "12.50",
        "NetAmount": "11.06",
        "Difference": "0.50",
        "Above": "1000.00",
        "Below": "1000.00",
        "Before": "12.50",
        "After": "12.00",
        "Value": "12.50",
        "Number": "1",
        "PageIndex": 1,
        "PageSize": 20,
        "Total": 1,
        "RetCode": "ok",
        "RetMessage": "",
        "RequestId": "0f8fad5bd9cb469fa165",
    },
    items={
        "Emails": "buyer@example.com",
        "Mails": "buyer@example.com",
        "Choices": "账号",
        "Items": "1024",
    },
)
