"""Summaries and descriptions of this app's operations in /api/docs, by group and address."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "取消申请": {
        "POST /api/CancelOrder/Preview": (
            "预览取消申请",
            "返回取消指定数量的结果，没有指定时为全部可取消的数量；不写入数据。",
        ),
        "POST /api/CancelOrder": (
            "提交取消申请",
            "可整单或按行取消尚未发货的数量。商城确认之前立即取消，确认之后由商城审核，期间这些数量暂停发货。",
        ),
        "GET /api/CancelOrder": (
            "查询取消申请列表",
            "返回数据范围内的申请，最近的在前，附各状态的数量。",
        ),
        "GET /api/CancelOrder/{CancelOrderId}": ("查询取消申请详情", ""),
        "POST /api/CancelOrder/{CancelOrderId}/Withdraw": (
            "撤回取消申请",
            "只能撤回尚未审核的申请；这些数量恢复发货。",
        ),
    },
    "退换货": {
        "GET /api/ReturnOrder/Orders": (
            "查询可退换的订单",
            "有已收货且未在售后中的数量的订单，最近的在前。",
        ),
        "GET /api/ReturnOrder/Terms": (
            "查询订单的售后条件",
            "各行可以申请的类型、期限，以及不能申请的原因。",
        ),
        "POST /api/ReturnOrder": (
            "申请退换货",
            "类型为退货、换货或维修，提交后为待审核；数量不能超过已收货减去已在售后的数量。",
        ),
        "GET /api/ReturnOrder": (
            "查询退换货列表",
            "返回数据范围内的退换货单，最近的在前，附各状态的数量。",
        ),
        "GET /api/ReturnOrder/{ReturnOrderId}": (
            "查询退换货详情",
            "包括进度、留言与当前可执行的操作。",
        ),
        "POST /api/ReturnOrder/{ReturnOrderId}/Ship": (
            "填写寄回物流",
            "待寄回变为待收货；须填写承运商与单号，上门取件的不需要。",
        ),
        "POST /api/ReturnOrder/{ReturnOrderId}/Confirm": ("确认售后完成", "待确认变为已完成。"),
        "POST /api/ReturnOrder/{ReturnOrderId}/Withdraw": (
            "撤销退换货",
            "商城收到商品之前可以撤销。",
        ),
        "POST /api/ReturnOrder/{ReturnOrderId}/Message": ("发送售后留言", ""),
        "POST /api/ReturnOrder/{ReturnOrderId}/Read": (
            "标记退换货已读",
            "只有申请人本人查看才会改变已读状态。",
        ),
    },
}

PARAMETER_TEXTS = {
    "CancelOrderId": "取消申请编号",
    "ReturnOrderId": "退换货单编号",
}

EXAMPLES = Examples(
    values={
        "ReturnOrderId": "TH26030512345678",
        "CancelNo": "QX26030512345678",
        "OrderStatusText": "待发货",
        "Kind": "return",
        "KindText": "退货",
        "Way": "pickup",
        "WayText": "上门取件",
        "Direction": "back",
        "DirectionText": "客户寄回",
        "FindingText": "与申请相符",
        "Finding": "as_told",
        "ReasonText": "买错了",
        "DecisionNote": "同意",
        "FindingNote": "外包装完好，可二次销售",
        "WhyNot": "已超过退货期限",
        "Detail": "部分商品已从上海仓发出",
        "Pickup": "3月6日 上午",
        "VideoUrl": "https://video.example.com/1024",
        "SendTo": "buyer@example.com",
    },
    components={
        "ReturnDetail": {
            "Status": "pending_review",
            "StatusText": "待审核",
            "Reason": "unsuitable",
            "ReasonText": "不合用或多买了",
        },
        "ReturnRow": {
            "Status": "pending_review",
            "StatusText": "待审核",
            "Reason": "unsuitable",
            "ReasonText": "不合用或多买了",
        },
        "CancelOrder": {
            "Status": "pending",
            "StatusText": "待处理",
            "Reason": "wrong_choice",
            "ReasonText": "商品或规格选错",
        },
        "Return": {"Status": "pending_review", "StatusText": "待审核"},
        "Cancel": {"Status": "pending", "StatusText": "待处理"},
    },
)
