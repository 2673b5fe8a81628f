"""Build the description of an operation for /api/docs: first the text from the app's
`api/operation_texts.py`, then facts derived from the code, and the descriptions of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# group → "POST /api/Order" → (summary, description)
Words = dict[str, dict[str, tuple[str, str]]]
# The schema extension in which MallAutoSchema writes the declared access, also for machines.
EXTENSION = "x-access"
CHINESE = re.compile("[\u4e00-\u9fff]")
# A choice without a label: "* `true` - true".
MERE_CHOICE = re.compile(r"^\* `(.+)` - \1$\n?", re.MULTILINE)


def describe_operation(
    operation: dict[str, Any], *, group: str, words: tuple[str, str], menu_names: Mapping[str, str]
) -> None:
    """Set the operation's tag, summary and description, and describe its parameters.

    The description consists of the app's text, the declared access, and the possible RetCodes.
    """
    summary, own = words
    operation["tags"] = [group]
    operation["summary"] = summary
    paragraphs = (own, _declared(operation, menu_names), operation.get("description", ""))
    operation["description"] = "\n\n".join(text for text in paragraphs if text)
    for parameter in operation.get("parameters", ()):
        own_name = f"{operation['operationId'].rpartition('_')[2]}.{parameter['name']}"
        said = PARAMETERS.get(own_name) or PARAMETERS.get(parameter["name"])
        if "description" in parameter:
            parameter["description"] = MERE_CHOICE.sub("", parameter["description"]).strip()
        if said and not CHINESE.search(parameter.get("description", "")):
            parameter["description"] = said


def _declared(operation: dict[str, Any], menu_names: Mapping[str, str]) -> str:
    """Return the sentences about access, the idempotency key and paging."""
    access = operation[EXTENSION]
    said = [_access(access["kind"], access["menus"], menu_names)]
    if access["inPerson"]:
        said.append("运营人员代客户登录期间不可调用。")
    by_name = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
    if "Idempotency-Key" in by_name:
        said.append(
            "必须带 `Idempotency-Key`。"
            if by_name["Idempotency-Key"].get("required")
            else "可带 `Idempotency-Key`，以便安全重发。"
        )
    if "PageIndex" in by_name:
        said.append("按 `PageIndex`、`PageSize` 分页。")
    return "".join(said)


def _access(kind: str, menus: list[str], names: Mapping[str, str]) -> str:
    if kind != "menu":
        return "公开接口。" if kind == "public" else "登录后即可调用。"
    told = "、".join(f"{names[code]}（`{code}`）" for code in menus)
    return f"需要菜单权限：{told}。" if len(menus) == 1 else f"需要以下菜单权限之一：{told}。"


PARAMETERS: dict[str, str] = {
    # in the path
    "Id": "编号，来自列表",
    "ApplicationNo": "开票申请单号",
    "ApprovalId": "审批编号",
    "BudgetId": "预算编号",
    "CancelOrderId": "取消申请编号",
    "ConversationId": "对话编号",
    "Count": "返回的商品数",
    "DelegationId": "审批代理编号",
    "DeliveryId": "推送记录编号",
    "DocumentId": "资料编号，来自商品详情",
    "FileId": "上传时返回的文件编号",
    "InquiryNo": "询价单号",
    "ItemId": "购物车行的编号",
    "Name": "页面名称，例如 BizCustom",
    "Number": "帮助编号，1 至 15",
    "OrderNo": "订单号",
    "ProductCode": "商品编码，只含数字",
    "ProposalId": "商品方案编号，来自回答",
    "RequisitionNo": "采购申请单号",
    "ReturnOrderId": "退换货单编号",
    "RuleId": "审批规则编号",
    "Scene": "推荐场景，例如 订单",
    "TargetId": "目标的编号",
    "Token": "评价列表给出的图片凭据",
    "TransferId": "调拨编号",
    # in the query
    "AccountId": "账号编号，其本人已有的内容一并计入",
    "AdminLogin": "同 adminLogin",
    "AmountFrom": "最低金额",
    "AmountTo": "最高金额",
    "Attr": "属性，写作 名称:值，可重复",
    "Brand": "品牌，可重复",
    "Charts": "是否同时返回图表数据",
    "Cid": "类目编号",
    "City": "市",
    "Compare.Code": "商品编码，可重复",
    "CostCenter": "成本中心",
    "Department": "部门",
    "DepartmentId": "部门编号",
    "Dropped": "是否只返回降价的",
    "District": "区县",
    "EnterpriseId": "企业编号",
    "Event": "事件的 Type",
    "Facets": "是否返回类目、品牌、属性与价格的筛选项",
    "From": "起始日期",
    "InStock": "是否只返回有货的",
    "IsActive": "是否启用",
    "IsRed": "是否红字发票",
    "Key": "已输入的文字",
    "Keyword": "关键词",
    "Kind": "可选项的种类",
    "Managed": "是否只返回本人可以修改的",
    "MaxPrice": "最高价格",
    "MenuRight.Code": "菜单代码",
    "MinPrice": "最低价格",
    "OverBudget": "是否超出预算",
    "OwnerType": "归属：本人、部门、企业或集团",
    "PageIndex": "页码，从 1 开始；最多翻看前 10,000 条",
    "PageSize": "每页条数",
    "Product.PageSize": "每页条数；未登录时最多 100",
    "Reviews.PageSize": "每页条数；未登录时最多 100",
    "PaymentKind": "支付方式",
    "Province": "省",
    "PurchaseOrderNo": "采购单号",
    "Requester": "申请人",
    "RequesterId": "申请人的账号编号",
    "RoleIds": "角色编号",
    "SessionKey": "同 sessionKey",
    "Sort": "排序的字段，前加 - 为降序",
    "SourceId": "转出预算的编号",
    "Status": "状态",
    "SubjectId": "对象的编号",
    "SubjectType": "对象的种类",
    "To": "截止日期",
    "Total": "是否返回总数",
    "Unread": "是否只返回未读的",
    "UpdatedAt": "所见内容的修改时间；其后有人改过则答复 stale",
    "adminLogin": "是否由运营人员代客户登录",
    "code": "企业微信带回的授权码",
    "sessionKey": "会话密钥",
    "sig": "下载地址中的签名",
    "state": "企业微信带回的 state",
    "tag": "版本标记，原样传给旧版商城",
}
