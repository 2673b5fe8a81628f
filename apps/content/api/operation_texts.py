"""The texts of /api/docs for the operations of this app: group → address →
(summary, description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "内容与帮助": {
        "GET /api/Content/Banners": ("查询首页横幅", ""),
        "GET /api/Content/Announcements": ("查询公告", "返回当前展示的公告，置顶的在前。"),
        "GET /api/Content/Navigation": ("查询网站导航", ""),
        "GET /api/Content/Footer": ("查询页脚", ""),
        "GET /api/Content/BusinessLicence": ("查询营业执照信息", ""),
        "GET /api/Content/Help": ("查询帮助目录", "按编号排列，不含正文。"),
        "GET /api/Content/Help/{Number}": ("查询帮助正文", "编号为 1 至 15。"),
        "GET /api/Content/HelpSearch": ("搜索帮助", "返回含有全部词语的页面，标题命中的在前。"),
        "GET /api/Content/About/{Name}": ("查询介绍页面", ""),
    },
}

PARAMETER_TEXTS = {
    "Name": "页面名称，例如 BizCustom",
    "Number": "帮助编号，1 至 15",
}

EXAMPLES = Examples(
    values={
        "Tone": "info",
        "Subtitle": "本企业协议价与专属商品",
        "Excerpt": "部分商品已从上海仓发出",
        "Html": "<p>收到商品后 7 天内可以退换。</p>",
        "Copyright": "© 2026 文采商城",
        "ServiceHours": "工作日 9:00-18:00",
        "For": "all",
        "Path": "/help/detail/1",
    },
    items={
        "Licences": "ICP 备案：示例ICP备00000000号",
    },
    components={
        "Content": {"Key": "returns", "Title": "退换货说明"},
        "Page": {"Key": "returns", "Title": "退换货说明", "Summary": "什么情况可以退换、怎么办理"},
    },
)
