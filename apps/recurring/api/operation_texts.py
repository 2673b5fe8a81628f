"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "定期采购": {
        "GET /api/RecurringOrder": (
            "查询定期采购列表",
            "返回本人的，以及数据范围内同事的定期采购；待处理的排在最前。",
        ),
        "GET /api/RecurringOrder/Draft": (
            "预填定期采购",
            (
                "按订单、快速下单清单或已有的定期采购预填；都不指定时使用购物车中选中的商品。"
                "同时返回可选的收货地址、抬头、预算与付款方式。"
            ),
        ),
        "POST /api/RecurringOrder": (
            "设置定期采购",
            (
                "到期日遇非工作日顺延到下一个工作日。到期时以本人名义、按当时的价格、权限和限额下单，"
                "每张订单照常按审批规则审批。暂时缺货的商品也可以设置。"
            ),
        ),
        "GET /api/RecurringOrder/{RecurringNo}": (
            "查询定期采购详情",
            "包含执行记录，以及按今日价格试算的下一次订单和阻止下单的原因。",
        ),
        "PUT /api/RecurringOrder/{RecurringNo}": (
            "修改定期采购",
            "只有创建人可以修改；保存即按今日价格重新确认单价。",
        ),
        "POST /api/RecurringOrder/{RecurringNo}/Pause": ("暂停定期采购", "暂停期间不下单。"),
        "POST /api/RecurringOrder/{RecurringNo}/Resume": (
            "恢复定期采购",
            "从不早于今天的下一个到期日开始；暂停期间错过的不补下。",
        ),
        "POST /api/RecurringOrder/{RecurringNo}/Skip": (
            "跳过下一次",
            "跳过下一个到期日；待处理时跳过本次。",
        ),
        "POST /api/RecurringOrder/{RecurringNo}/End": ("结束定期采购", "已生成的订单不受影响。"),
        "POST /api/RecurringOrder/{RecurringNo}/Continue": (
            "处理待处理的定期采购",
            (
                "按今日价格下单，可同时移除商品。确认的单价用于以后比较涨幅，金额上限仅本次放行；"
                "库存、预算、权限等问题须先解决。"
            ),
        ),
    },
}

PARAMETER_TEXTS = {
    "RecurringNo": "定期采购编号",
    "QuickListId": "快速下单清单",
}

EXAMPLES = Examples(
    values={
        "RecurringNo": "RO26112612345678",
        "Rhythm": "weekly",
        "ApprovalModeText": "首次审批后，上限内不再审批",
        "ScheduleText": "每周四",
        "Approvers": "林晓雨",
    },
    components={
        "RecurringDetail": {"BlockReason": "price_rose", "BlockReasonText": "价格上涨"},
        "RecurringRow": {"BlockReason": "price_rose", "BlockReasonText": "价格上涨"},
        "RecurringRun": {"Outcome": "ordered", "OutcomeText": "已下单"},
    },
)
