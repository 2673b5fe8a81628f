"""The Chinese texts of /api/docs: the introduction, the groups in the order of a buyer's day, and
the texts of each app's operations.
"""

from __future__ import annotations

from typing import Any

from apps.aftersales.api import operation_texts as aftersales
from apps.approvals.api import operation_texts as approvals
from apps.assistant.api import operation_texts as assistant
from apps.budgets.api import operation_texts as budgets
from apps.cart.api import operation_texts as cart
from apps.common.api import operation_texts as common
from apps.common.api.docs import add_examples, describe_operation, merge_examples
from apps.content.api import operation_texts as content
from apps.dimensions.api import operation_texts as dimensions
from apps.identity.api import operation_texts as identity
from apps.inquiries.api import operation_texts as inquiries
from apps.invoices.api import operation_texts as invoices
from apps.notices.api import operation_texts as notices
from apps.orders.api import operation_texts as orders
from apps.org.api import operation_texts as org
from apps.org.menus import ENTRY_NAMES, MENU_TREE
from apps.questions.api import operation_texts as questions
from apps.quotations.api import operation_texts as quotations
from apps.recurring.api import operation_texts as recurring
from apps.reports.api import operation_texts as reports
from apps.requisitions.api import operation_texts as requisitions
from apps.reviews.api import operation_texts as reviews
from apps.search.api import operation_texts as search
from apps.selection.api import operation_texts as selection
from apps.webhooks.api import operation_texts as webhooks
from apps.workbench.api import operation_texts as workbench

INTRO = """
把商城接入 ERP、OA、财务等系统的全部接口。接口账号能看到和能做的，与它在页面上的相同；请为系统对接单独建立账号。

1. **登录**：`POST /api/Account/Login` 取得 `Token` 与 `RefreshToken`，之后的请求带上请求头 `Authorization: Bearer <Token>`；
   应答 401 时换取新令牌再重试。在本页试用时，把 `Token` 填入下方的“登录授权”。
2. **信封**：JSON 应答都是 `{"MsgHeader": {"Success", "RetCode", "RetMessage", "RequestId"}, "MsgBody": …}`。
   业务与校验失败的 HTTP 状态是 200、`Success` 为 false，请按 `RetCode` 判断；只有 401、403、404、429、500、503 保留状态。
3. **幂等**：列有请求头 `Idempotency-Key` 的接口请带上它（8 至 80 位字母、数字或 `-_.:`），提交订单与开票申请时必须带。
   没有收到应答时，用同一个键、同样的内容重发，只生效一次。
4. **分页**：列表用 `PageIndex`（从 1 开始）与 `PageSize`（10、20、50、100、1000；未登录时最多 100），
   应答 `Items`、`Total`、`PageIndex`、`PageSize`。
5. **数据**：金额是两位小数的字符串，时间是带时区的 ISO 8601，编号是不透明的文本；请求内容里不支持的字段会被拒绝。
6. **事件推送**：不必轮询，登记一个 https 地址即可收到带签名的订单、发货、发票与价格事件，见“事件推送”。

可以逐条执行的例子、签名校验与 Python 客户端在随软件交付的《接口指南》（docs/api.md）。
""".strip()

# group → description, in the order of the page.
GROUPS: dict[str, str] = {
    "登录与令牌": "取得、刷新与作废令牌，找回密码，企业微信与会话密钥登录，滑动验证",
    "工作台": "待办、快捷入口、常购推荐与集团标志",
    "商品": "目录、搜索、详情、评价与采购排行",
    "收藏与浏览": "收藏的商品与最近浏览",
    "选型与快速下单": "按需求选型、按清单下单与常用采购清单",
    "商品提问": "就商品提问，回答后通知提问人",
    "意向询价": "目录之外的商品询价、留言与采纳报价",
    "购物车": "购物车各行的数量、选中与可购状态",
    "采购清单": "常用商品的清单：共享给同事、加入购物车、移交与导出",
    "报价单": "购物车商品的报价单：生成、下载、作废，有效期内按报价下单",
    "采购申请": "同事提交、采购人汇总的采购申请",
    "定期采购": "按工作日定期生成的订单：设置、暂停、跳过与处理",
    "订单": "预览、提交、查询、取消、支付、收货与评价",
    "订单审批": "待办、决定、改量、问答与审批代理",
    "取消申请": "发货前按行或整单取消",
    "退换货": "退货、换货与维修",
    "发票": "抬头与专票资质、开票申请、发票与红冲",
    "对账单": "月度对账、异议与应付账款",
    "预算": "预算、流水与调拨",
    "核算项": "成本中心、项目与会计科目",
    "报表": "各种报表、视图、导出任务与邮件订阅",
    "消息通知": "站内消息与通知偏好",
    "AI 咨询": "对话、回答与商品方案",
    "个人中心": "本人的资料、密码、登录设备与菜单权限",
    "集团与企业": "集团设置、企业与变更记录",
    "部门": "部门树、移动、合并与导入导出",
    "账号": "账号的开通、停用、交接与导入导出",
    "角色": "菜单权限与数据范围",
    "审批规则": "规则、版本、模拟与审批人待办统计",
    "收货地址": "本人与共用的收货地址",
    "事件推送": "推送地址、签名密钥与推送记录",
    "文件": "上传与下载",
    "导入": "表格导入的进度与取消",
    "内容与帮助": "横幅、公告、导航、页脚、帮助与介绍页面",
}
APPS = (
    identity,
    org,
    notices,
    common,
    content,
    search,
    selection,
    inquiries,
    questions,
    cart,
    requisitions,
    quotations,
    orders,
    recurring,
    reviews,
    approvals,
    workbench,
    budgets,
    dimensions,
    aftersales,
    invoices,
    reports,
    webhooks,
    assistant,
)
# "POST /api/Order" → (group, (summary, description))
WORDS = {
    address: (group, words)
    for app in APPS
    for group, operations in app.OPERATION_TEXTS.items()
    for address, words in operations.items()
}
# The text of each parameter that the code does not describe. Not every app has one.
PARAMETER_TEXTS = {
    name: text for app in APPS for name, text in vars(app).get("PARAMETER_TEXTS", {}).items()
}
EXAMPLES = merge_examples(app.EXAMPLES for app in APPS)
MENU_NAMES = {**ENTRY_NAMES, **{group: f"{name}的任一项" for group, (name, _) in MENU_TREE.items()}}


def words_hook(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,
) -> dict[str, Any]:
    """Add the introduction, the ordered groups and the text of each operation to the schema. An
    operation without a text stays without one; a test reports it.
    """
    result["info"]["description"] = INTRO
    result["tags"] = [{"name": name, "description": holds} for name, holds in GROUPS.items()]
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            group, words = WORDS.get(f"{method.upper()} {path}", (operation["tags"][0], None))
            if words is not None:
                describe_operation(
                    operation,
                    group=group,
                    words=words,
                    menu_names=MENU_NAMES,
                    parameter_texts=PARAMETER_TEXTS,
                )
    return result


def examples_hook(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,
) -> dict[str, Any]:
    """Add the apps' examples to the schema."""
    add_examples(result, EXAMPLES)
    return result
