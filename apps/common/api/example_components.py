"""Examples for cases where the key alone is not enough: list items, bodies without named keys,
and single components.
"""

from __future__ import annotations

from typing import Any

# An example item, by the key of its list.
ITEMS: dict[str, Any] = {
    "MenuCodes": "order.list",
    "Errors": "库存不足，可售 8 支",
    "Reasons": "订单金额大于 1000.00 元",
    "Rules": "千元以上部门负责人审批",
    "Departments": "行政部",
    "GrantedBy": "采购员",
    "AllowedActions": "cancel",
    "Licences": "ICP 备案：示例ICP备00000000号",
    "Emails": "buyer@example.com",
    "Mails": "buyer@example.com",
    "OrderNos": "SO26030512345678",
    "ProductCodes": "110001",
    "Codes": "110001",
    "Words": "中性笔",
    "Images": "/media/products/110001.webp",
    "Pictures": "/media/products/110001.webp",
    "RoleIds": 1024,
    "Items": "1024",
    "FreightOrderNos": "SO26030512345678",
    "Brands": "卓砚",
    "OwnerPath": "行政部",
    "Mentions": "1024",
    "SellingPoints": "书写顺滑",
    "Changed": "Quantity",
    "Actions": "cancel",
    "Formats": "pdf",
    "Names": "周建国",
    "PaymentKinds": "credit",
    "InvoiceKinds": "e_normal",
    "Tags": "书写流畅",
    "Role": "采购员",
    "Domains": "example.com",
    "Exclude": "110001",
    "Near": "中性笔",
    "Drop": "110001",
    "Chosen": "order.list",
    "Allowed": "order.list",
    "History": "中性笔",
    "Hide": "Amount",
}
_ADDRESS = {
    "Receiver": "林晓雨",
    "Mobile": "13800000000",
    "Province": "上海市",
    "City": "上海市",
    "District": "浦东新区",
    "Street": "示例路 1 号",
}
# Objects with free keys.
OBJECTS: dict[str, dict[str, Any]] = {
    "Address": _ADDRESS,
    "Contact": {"Receiver": "林晓雨", "Mobile": "13800000000"},
    "InvoiceTitle": {"Title": "星澜示例精工有限公司", "TaxNumber": "91310000000000000U"},
    "Filters": {"Period": "month", "Basis": "ordered"},
}
# Examples for single components: prefix of the component's name → key → value.
_GOODS_BACK = {
    "Status": "pending_review",
    "StatusText": "待审核",
    "Reason": "unsuitable",
    "ReasonText": "不合用或多买了",
}
OF_COMPONENTS: dict[str, dict[str, Any]] = {
    "Tab": {"Code": "pending_receipt", "Name": "待收货", "Count": 3},
    "Submitted": {"Status": "pending_confirm", "StatusText": "待确认"},
    "SubmittedOrder": {"Status": "pending_confirm", "StatusText": "待确认"},
    "ReturnDetail": _GOODS_BACK,
    "ReturnRow": _GOODS_BACK,
    "CancelOrder": {
        "Status": "pending",
        "StatusText": "待处理",
        "Reason": "wrong_choice",
        "ReasonText": "商品或规格选错",
    },
    "Red": {
        "Reason": "02",
        "ReasonText": "销货退回",
        "Status": "awaits_seller",
        "StatusText": "待销方确认",
    },
    "Statement": {"Status": "pending", "StatusText": "待确认", "Name": "2026年3月对账单"},
    "Return": {"Status": "pending_review", "StatusText": "待审核"},
    "Cancel": {"Status": "pending", "StatusText": "待处理"},
    "Approval": {"Status": "pending", "StatusText": "审批中", "Kind": "order", "KindText": "订单"},
    "Invoice": {
        "Status": "issued",
        "StatusText": "已开具",
        "Kind": "e_normal",
        "KindText": "数电普票",
    },
    "Inquiry": {"Status": "quoted", "StatusText": "已报价"},
    "Webhook": {"Name": "ERP", "Kind": "order", "Subject": "SO26030512345678"},
    "Role": {"Name": "采购员", "Code": "R01", "Text": "采购员"},
    "Department": {"Name": "行政部", "Code": "ADM"},
    "Enterprise": {"Name": "星澜示例精工有限公司", "Code": "XLJG"},
    "Group": {"Name": "星澜示例制造集团", "Code": "XL"},
    "Budget": {"Name": "行政部 2026 年 3 月办公预算", "Kind": "reserve", "KindText": "预占"},
    "Product": {
        "Name": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色",
        "Title": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色",
    },
    "Order": {"Name": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色"},
    "Category": {"Name": "中性笔"},
    "QuickList": {"Name": "每月常购"},
    "SavedView": {"Name": "本月各部门采购"},
    "Report": {"Name": "本月各部门采购"},
    "Content": {"Key": "returns", "Title": "退换货说明"},
    "Page": {"Key": "returns", "Title": "退换货说明", "Summary": "什么情况可以退换、怎么办理"},
}
