"""Kinds of notices and their default channels. A new kind needs one line in NoticeKind and one
in KINDS.
"""

from dataclasses import dataclass

from django.db import models


class NoticeSection(models.TextChoices):
    """The groups of kinds."""

    APPROVAL = "approval", "审批"
    ORDER = "order", "订单"
    INQUIRY = "inquiry", "询价"
    BUDGET = "budget", "预算"
    TERMS = "terms", "价格与协议"
    INVOICE = "invoice", "发票"
    ACCOUNT = "account", "账号安全"
    REPORT = "report", "报表"
    SHEET = "sheet", "表格导入"
    CONNECTION = "connection", "系统对接"


class NoticeKind(models.TextChoices):
    """What a notice is about, with its name on screen. `KINDS` has the section and the default
    channels of each.
    """

    APPROVAL_WAITING = "approval_waiting", "待我审批"
    APPROVAL_ASKED = "approval_asked", "向我提问"
    APPROVAL_REMINDED = "approval_reminded", "催办提醒"
    APPROVAL_ESCALATED = "approval_escalated", "超时升级"
    APPROVAL_DECIDED = "approval_decided", "审批结果"
    APPROVAL_AMENDED = "approval_amended", "审批改单"
    APPROVAL_ANSWERED = "approval_answered", "提问答复"
    APPROVAL_MENTIONED = "approval_mentioned", "提到我"
    APPROVAL_COPIED = "approval_copied", "抄送我"
    APPROVAL_COMMENTED = "approval_commented", "审批留言"
    APPROVAL_DELEGATED = "approval_delegated", "代理审批"
    ORDER_SHIPPED = "order_shipped", "订单发货"
    ORDER_RECEIVED = "order_received", "订单收货"
    ORDER_CANCELLED = "order_cancelled", "订单取消"
    ORDER_CHANGED = "order_changed", "订单修改"
    RETURN_PROGRESS = "return_progress", "售后进展"
    RETURN_DUE = "return_due", "售后到期提醒"
    CANCEL_DECIDED = "cancel_decided", "取消申请结果"
    REVIEW_MOVED = "review_moved", "评价回复"
    QUESTION_MOVED = "question_moved", "商品提问答复"
    REQUISITION_WAITING = "requisition_waiting", "待采购的申请"
    REQUISITION_MOVED = "requisition_moved", "采购申请进展"
    QUOTATION_MOVED = "quotation_moved", "报价单进展"
    LIST_SHARED = "list_shared", "采购清单共享"
    RESTOCK = "restock", "到货提醒"
    RECURRING_UPCOMING = "recurring_upcoming", "定期采购即将下单"
    RECURRING_BLOCKED = "recurring_blocked", "定期采购待处理"
    RECURRING_MOVED = "recurring_moved", "定期采购进展"
    INQUIRY_QUOTED = "inquiry_quoted", "询价答复"
    BUDGET_ALERT = "budget_alert", "预算预警"
    TRANSFER_WAITING = "transfer_waiting", "待我审批的预算调拨"
    TRANSFER_DECIDED = "transfer_decided", "预算调拨结果"
    TERMS_ENDING = "terms_ending", "价格与协议到期"
    TERMS_CHANGED = "terms_changed", "价格与协议变更"
    INVOICE_ISSUED = "invoice_issued", "发票开具"
    INVOICE_REJECTED = "invoice_rejected", "开票申请驳回"
    INVOICE_QUALIFICATION = "invoice_qualified", "专票资质审核"
    STATEMENT_ISSUED = "statement_issued", "对账单出账"
    STATEMENT_MOVED = "statement_moved", "对账进展"
    ACCOUNT_CHANGED = "account_changed", "账号变更"
    REPORT_TROUBLE = "report_trouble", "报表订阅异常"
    WEBHOOK_PAUSED = "webhook_paused", "事件推送暂停"
    EXPORT_ENDED = "export_ended", "报表导出结果"
    IMPORT_ENDED = "import_ended", "表格导入结果"


class MailMode(models.TextChoices):
    OFF = "off", "不发邮件"
    INSTANT = "instant", "立即发送"
    DAILY = "daily", "每日汇总"


class Channel(models.TextChoices):
    """The channels besides the page."""

    MAIL = "mail", "邮件"
    WECHAT_WORK = "wechat_work", "企业微信"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "待发送"
    SENDING = "sending", "发送中"
    SENT = "sent", "已发送"
    FAILED = "failed", "发送失败"
    SKIPPED = "skipped", "无需发送"


@dataclass(frozen=True, slots=True)
class KindRule:
    """The default channels of a kind. A kind that needs an act is always shown on the page.

    `has_own_mail`: the app that publishes it sends its own mail, independent of the preferences.
    """

    section: NoticeSection
    mail: MailMode = MailMode.OFF
    wechat_work: bool = False
    needs_act: bool = False
    has_own_mail: bool = False

    @property
    def is_page_fixed(self) -> bool:
        """Return whether the kind is always shown on the page: it needs an act or concerns
        account security.
        """
        return self.needs_act or self.has_own_mail


S, K, M = NoticeSection, NoticeKind, MailMode
KINDS: dict[NoticeKind, KindRule] = {
    K.APPROVAL_WAITING: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True, needs_act=True),
    K.APPROVAL_ASKED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True, needs_act=True),
    K.APPROVAL_REMINDED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True, needs_act=True),
    K.APPROVAL_ESCALATED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True, needs_act=True),
    K.APPROVAL_DECIDED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True),
    K.APPROVAL_AMENDED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True),
    K.APPROVAL_ANSWERED: KindRule(S.APPROVAL, wechat_work=True),
    K.APPROVAL_MENTIONED: KindRule(S.APPROVAL, M.INSTANT),
    K.APPROVAL_COPIED: KindRule(S.APPROVAL, M.DAILY),
    K.APPROVAL_COMMENTED: KindRule(S.APPROVAL),
    K.APPROVAL_DELEGATED: KindRule(S.APPROVAL, M.INSTANT, wechat_work=True),
    K.ORDER_SHIPPED: KindRule(S.ORDER, M.DAILY),
    K.ORDER_RECEIVED: KindRule(S.ORDER),
    K.ORDER_CANCELLED: KindRule(S.ORDER, M.INSTANT),
    K.ORDER_CHANGED: KindRule(S.ORDER, M.INSTANT),
    K.RETURN_PROGRESS: KindRule(S.ORDER, M.DAILY),
    K.RETURN_DUE: KindRule(S.ORDER, M.INSTANT, needs_act=True),
    K.CANCEL_DECIDED: KindRule(S.ORDER, M.INSTANT),
    K.REVIEW_MOVED: KindRule(S.ORDER),
    K.QUESTION_MOVED: KindRule(S.ORDER, M.DAILY),
    K.REQUISITION_WAITING: KindRule(S.ORDER, M.DAILY, wechat_work=True, needs_act=True),
    K.REQUISITION_MOVED: KindRule(S.ORDER, M.INSTANT, wechat_work=True),
    K.QUOTATION_MOVED: KindRule(S.ORDER, M.INSTANT),
    K.LIST_SHARED: KindRule(S.ORDER),
    K.RESTOCK: KindRule(S.ORDER, M.INSTANT),
    K.RECURRING_UPCOMING: KindRule(S.ORDER, M.INSTANT),
    K.RECURRING_BLOCKED: KindRule(S.ORDER, M.INSTANT, wechat_work=True, needs_act=True),
    K.RECURRING_MOVED: KindRule(S.ORDER, M.INSTANT),
    K.INQUIRY_QUOTED: KindRule(S.INQUIRY, M.INSTANT),
    K.BUDGET_ALERT: KindRule(S.BUDGET, M.INSTANT, wechat_work=True),
    K.TRANSFER_WAITING: KindRule(S.BUDGET, M.INSTANT, wechat_work=True, needs_act=True),
    K.TRANSFER_DECIDED: KindRule(S.BUDGET, M.INSTANT, wechat_work=True),
    K.TERMS_ENDING: KindRule(S.TERMS, M.DAILY),
    K.TERMS_CHANGED: KindRule(S.TERMS, M.DAILY),
    K.INVOICE_ISSUED: KindRule(S.INVOICE),
    K.INVOICE_REJECTED: KindRule(S.INVOICE, M.INSTANT),
    K.INVOICE_QUALIFICATION: KindRule(S.INVOICE, M.INSTANT),
    K.STATEMENT_ISSUED: KindRule(S.INVOICE, M.INSTANT),
    K.STATEMENT_MOVED: KindRule(S.INVOICE),
    K.ACCOUNT_CHANGED: KindRule(S.ACCOUNT, has_own_mail=True),
    K.REPORT_TROUBLE: KindRule(S.REPORT, M.INSTANT),
    K.EXPORT_ENDED: KindRule(S.REPORT),
    K.IMPORT_ENDED: KindRule(S.SHEET),
    K.WEBHOOK_PAUSED: KindRule(S.CONNECTION, M.INSTANT, wechat_work=True),
}
