"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "工作台": {
        "POST /api/ShoppingCart/YouLike/{Scene}/{Count}": (
            "查询推荐商品",
            "先是本客户常购的商品，不足时补充目录中的畅销商品。",
        ),
    },
    "商品": {
        "GET /api/Product/{ProductCode}/Delivery": (
            "查询商品送达时间",
            "按本人可用的收货地址逐一返回，默认地址在前，最多 50 个。",
        ),
        "GET /api/Product/{ProductCode}/Purchases": (
            "查询商品采购历史",
            "数据范围内谁在何时买过，以及本企业常一同采购的商品。",
        ),
        "GET /api/Product/Rank": (
            "查询企业采购排行",
            (
                "Scope 为 enterprise 时按本人数据范围内的订单排行，industry "
                "时汇总至少五个集团的订单。只列出本客户可购买的商品。"
            ),
        ),
        "POST /api/Product/Rank/Export": ("导出企业采购排行", ""),
    },
    "订单": {
        "POST /api/Order/Preview": (
            "预览订单",
            "返回提交后的金额、运费、是否需要审批及审批人、预算余额与每行的问题；不写入数据。",
        ),
        "POST /api/Order": (
            "提交订单",
            (
                "提交购物车中选中或指定的行。订单、库存、预算与审批在一次事务中完成，"
                "任一不满足则全部不生效；价格与所见不符时拒绝并列出差异。"
            ),
        ),
        "GET /api/Order": ("查询订单列表", "返回数据范围内的订单，附各状态的数量。"),
        "GET /api/Order/{OrderNo}": (
            "查询订单详情",
            (
                "包括明细、发货、时间线与当前可执行的操作（AllowedActions）；"
                "审批人可查看待其审批的订单。"
            ),
        ),
        "GET /api/Order/{OrderNo}/Trace": (
            "查询订单执行明细",
            "逐行列出从下单到发货、收货、开票与结算的单据与合计。",
        ),
        "POST /api/Order/{OrderNo}/Withdraw": (
            "撤回订单",
            "只能撤回待审批的订单；占用的库存与预算随即释放。",
        ),
        "POST /api/Order/{OrderNo}/Cancel": (
            "取消订单",
            "商城确认之前可整单取消，占用的库存与预算随即释放；已确认的订单请用取消申请。",
        ),
        "POST /api/Order/{OrderNo}/Pay": (
            "发起在线支付",
            "返回支付地址；已有未完成的支付时返回该支付。只用于待确认且尚未支付的在线支付订单。",
        ),
        "POST /api/Order/{OrderNo}/Receive": (
            "确认收货",
            (
                "可按行与数量收货，没有指定时收取全部在途商品；预算随收货转为已使用。"
                "报缺或报损的数量同时生成售后申请。"
            ),
        ),
        "POST /api/Order/{OrderNo}/Reorder": (
            "再次购买",
            "商品加入购物车，数量调整为当前的起订量与增量；不能购买的逐行说明。",
        ),
        "POST /api/Order/BatchReceive": (
            "批量确认收货",
            "收取各订单的全部在途商品，按请求的顺序逐单返回结果；一单被拒绝不影响其他订单。",
        ),
        "POST /api/Order/BatchReorder": (
            "批量再次购买",
            "相同商品合并数量后加入购物车，逐个商品返回结果。",
        ),
        "GET /api/Order/Departments": (
            "查询可下单的部门",
            "本人的部门，以及订单数据范围内本企业的部门。",
        ),
        "POST /api/Order/Export": ("导出订单", "导出指定的或符合筛选条件的订单，每个订单行一行。"),
        "POST /api/Order/Print": (
            "打印订单",
            "返回一个 PDF，每单另起一页；送货单只用于已发货的订单。",
        ),
    },
    "订单审批": {
        "GET /api/Approval/{ApprovalId}/Decision": (
            "查询审批决策信息",
            "审批人决定之前需要了解的内容，以及待办中的上一项与下一项。",
        ),
    },
    "账号": {
        "GET /api/Account/Sight": (
            "预览角色可见内容",
            "某部门中持有这些角色的人将看到的菜单与数据范围。",
        ),
    },
}

PARAMETER_TEXTS = {
    "Count": "返回的商品数",
    "OrderNo": "订单号",
    "Scene": "推荐场景，例如 订单",
    "PaymentKind": "支付方式",
    "PurchaseOrderNo": "采购单号",
    "Requester": "申请人",
    "RequesterId": "申请人的账号编号",
}

EXAMPLES = Examples(
    values={
        "OrderNo": "SO26030512345678",
        "ShipmentNo": "FH26030512345678",
        "PaymentNo": "FK26030512345678",
        "PurchaseOrderNo": "PO-2026-0301",
        "AskedBy": "周建国",
        "TrackingNo": "SF0000000000000",
        "Carrier": "示例快递",
        "Status": "pending_shipment",
        "StatusText": "待发货",
        "ApprovalStatus": "approved",
        "ApprovalStatusText": "已通过",
        "InvoiceStatus": "none",
        "InvoiceStatusText": "未开票",
        "SettlementStatus": "none",
        "SettlementStatusText": "未结算",
        "AfterSalesStatus": "none",
        "AfterSalesStatusText": "无",
        "PaymentKind": "credit",
        "PaymentKindText": "月结",
        "InvoiceKind": "e_normal",
        "InvoiceKindText": "数电普票",
        "DeliveryWish": "any",
        "DeliveryWishText": "均可",
        "Reason": "买错了",
        "Remark": "请送至前台",
        "Note": "已与仓库核对",
        "Text": "请尽快发货",
        "Whose": "行政部",
        "PayUrl": "/pay/demo/FK26030512345678",
    },
    items={
        "AllowedActions": "cancel",
        "OrderNos": "SO26030512345678",
    },
    components={
        "Tab": {"Code": "pending_receipt", "Name": "待收货", "Count": 3},
        "Submitted": {"Status": "pending_confirm", "StatusText": "待确认"},
        "SubmittedOrder": {"Status": "pending_confirm", "StatusText": "待确认"},
        "OrderAllocation": {
            "Kind": "cost_center",
            "KindText": "成本中心",
            "Code": "CC-1001",
            "Name": "行政部",
        },
        "Order": {"Name": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色"},
    },
)
