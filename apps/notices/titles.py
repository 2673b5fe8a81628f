"""What each kind of news is headed by: {who} did it, {no} is the number of what it is about."""

from apps.notices.enums import NoticeKind

K = NoticeKind

APPROVALS: dict[str, tuple[NoticeKind, str]] = {
    "approval.waiting": (K.APPROVAL_WAITING, "{who}提交的订单 {no} 等待您审批"),
    "approval.asked": (K.APPROVAL_ASKED, "{who}就订单 {no} 的审批向您提问"),
    "approval.answered": (K.APPROVAL_ANSWERED, "{who}答复了订单 {no} 的审批提问"),
    "approval.commented": (K.APPROVAL_COMMENTED, "{who}在订单 {no} 的审批中留言"),
    "approval.mentioned": (K.APPROVAL_MENTIONED, "{who}在订单 {no} 的审批中提到了您"),
    "approval.amended": (K.APPROVAL_AMENDED, "{who}调整了订单 {no} 的商品数量"),
    "approval.reminded": (K.APPROVAL_REMINDED, "{who}催办：订单 {no} 等待您审批"),
    "approval.escalated": (K.APPROVAL_ESCALATED, "订单 {no} 审批超时，已上报给您"),
}
ORDERS: dict[str, tuple[NoticeKind, str]] = {
    "order.shipped": (K.ORDER_SHIPPED, "订单 {no} 已发货"),
    "order.received": (K.ORDER_RECEIVED, "{who}确认了订单 {no} 的部分收货"),
    "order.completed": (K.ORDER_RECEIVED, "{who}确认了订单 {no} 的收货，订单已完成"),
    "order.cancelled": (K.ORDER_CANCELLED, "订单 {no} 已被{who}取消"),
}
# What nobody did: a deadline passed, and the text says which.
BY_CLOCK: dict[str, str] = {
    "order.cancelled": "订单 {no} 已自动取消",
    "cancel.granted": "取消申请 {no} 已自动同意",
}
INQUIRIES: dict[str, str] = {
    "inquiry.quoted": "询价单 {no} 已报价",
    "inquiry.message": "客服在询价单 {no} 中给您留言",
    "inquiry.declined": "询价单 {no} 已被客服关闭",
    "inquiry.expired": "询价单 {no} 的报价已到期",
}
RETURNS: dict[str, tuple[NoticeKind, str]] = {
    "return.approved": (K.RETURN_PROGRESS, "售后单 {no} 已通过审核"),
    "return.rejected": (K.RETURN_PROGRESS, "售后单 {no} 未通过审核"),
    "return.received": (K.RETURN_PROGRESS, "售后单 {no} 退回的商品已收到"),
    "return.inspected": (K.RETURN_PROGRESS, "售后单 {no} 已出检测结果"),
    "return.waits_red": (K.RETURN_PROGRESS, "售后单 {no} 正在等待发票红冲"),
    "return.refunded": (K.RETURN_PROGRESS, "售后单 {no} 已退款"),
    "return.replaced": (K.RETURN_PROGRESS, "售后单 {no} 的新品已寄出"),
    "return.repaired": (K.RETURN_PROGRESS, "售后单 {no} 修好的商品已寄出"),
    "return.sent_out": (K.RETURN_PROGRESS, "售后单 {no} 未通过检测的商品已退还"),
    "return.expired": (K.RETURN_PROGRESS, "售后单 {no} 超时未寄回，已自动撤销"),
    "return.completed": (K.RETURN_PROGRESS, "售后单 {no} 已完成"),
    "return.message": (K.RETURN_PROGRESS, "客服在售后单 {no} 中给您留言"),
    "return.reminded": (K.RETURN_DUE, "售后单 {no} 即将到期，请尽快处理"),
}
CANCELS: dict[str, str] = {
    "cancel.done": "{who}取消了订单中的部分商品（{no}）",
    "cancel.granted": "取消申请 {no} 已同意",
    "cancel.refused": "取消申请 {no} 被拒绝",
}
SAID: dict[str, NoticeKind] = {
    "budget.alert": K.BUDGET_ALERT,
    "terms.ending": K.TERMS_ENDING,
    "terms.changed": K.TERMS_CHANGED,
    "invoice.issued": K.INVOICE_ISSUED,
    "invoice.rejected": K.INVOICE_REJECTED,
    "invoice.qualification": K.INVOICE_QUALIFICATION,
    "statement.issued": K.STATEMENT_ISSUED,
    "statement.pending": K.STATEMENT_MOVED,
    "statement.disputed": K.STATEMENT_MOVED,
    "statement.confirmed": K.STATEMENT_MOVED,
    "review.replied": K.REVIEW_MOVED,
    "review.hidden": K.REVIEW_MOVED,
    "budget.transfer_asked": K.TRANSFER_WAITING,
    "budget.transfer_decided": K.TRANSFER_DECIDED,
    "webhook.paused": K.WEBHOOK_PAUSED,
    "export.ended": K.EXPORT_ENDED,
    "requisition.waiting": K.REQUISITION_WAITING,
    "requisition.moved": K.REQUISITION_MOVED,
    "report.trouble": K.REPORT_TROUBLE,
}
