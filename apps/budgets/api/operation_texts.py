"""The texts of /api/docs for the operations of this app: group → address →
(summary, description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "预算": {
        "GET /api/Budget": (
            "查询预算列表",
            "返回数据范围内的预算，最近周期的在前，含额度、已预占、已使用与可用金额。",
        ),
        "GET /api/Budget/Usable": (
            "查询可用预算",
            "本人当天下单可以使用的预算：本人的、所属部门的与企业的。",
        ),
        "GET /api/Budget/Tree": (
            "查询预算树",
            "按列表的筛选条件返回，最多 2,000 个：每个预算之后紧跟其下级，金额含下级。",
        ),
        "GET /api/Budget/Export": (
            "导出预算",
            "按列表的筛选条件导出，最多 2,000 行；可修改后重新导入。",
        ),
        "GET /api/Budget/Summary": (
            "查询预算合计",
            "按列表的筛选条件合计，并说明本人能否维护预算。",
        ),
        "POST /api/Budget": (
            "新增预算",
            "额度随即记入流水；须有权维护该企业的预算，同一归属在同一周期内名称不能重复。",
        ),
        "PATCH /api/Budget/{BudgetId}": (
            "修改预算",
            "调整额度或超预算策略须填写原因；已超支的预算不能改为“超出禁止下单”。",
        ),
        "GET /api/Budget/{BudgetId}/Entries": (
            "查询预算流水",
            "分配、调整、预占、释放、使用与退回，最近的在前；可只看某一金额的构成。",
        ),
        "GET /api/Budget/{BudgetId}/Awaiting": (
            "查询预算的待审批占用",
            "预占了该预算且仍在审批的订单，最近 100 张。",
        ),
        "POST /api/Budget/{BudgetId}/Transfer": (
            "申请预算调拨",
            "把部分额度调往另一预算，由另一位预算维护人决定；没有这样的人时立即生效。",
        ),
        "GET /api/Budget/Template": ("下载预算导入模板", ""),
        "POST /api/Budget/Import": (
            "导入预算",
            "默认只检查，Confirm 为 true 时写入；"
            "任一行有误则全部不写入（`GoodOnly` 为 true 时写入其余行）。每次最多 1,000 行。"
            "同一表格正在写入时再次确认，立即答复进度：`Imported` 小于 `Total`。",
        ),
        "GET /api/BudgetTransfer": ("查询待决定的预算调拨", "最早的在前，最多 100 笔。"),
        "GET /api/BudgetTransfer/History": ("查询已结束的预算调拨", "最近的在前。"),
        "GET /api/BudgetTransfer/Deciders": (
            "查询预算调拨的决定人",
            "本人申请两个预算之间的调拨时由谁决定；没有人时立即生效。",
        ),
        "POST /api/BudgetTransfer/{TransferId}/Approve": (
            "同意预算调拨",
            "额度随即转移；不能同意本人的申请。",
        ),
        "POST /api/BudgetTransfer/{TransferId}/Reject": ("驳回预算调拨", "冻结的额度退回原预算。"),
        "POST /api/BudgetTransfer/{TransferId}/Withdraw": (
            "撤回预算调拨",
            "只能撤回本人的、尚未决定的申请。",
        ),
    },
}

PARAMETER_TEXTS = {
    "BudgetId": "预算编号",
    "TargetId": "目标的编号",
    "TransferId": "调拨编号",
    "SourceId": "转出预算的编号",
}

EXAMPLES = Examples(
    values={
        "DecidedBy": "周建国",
        "EarmarkText": "类目/A01",
        "OwnerName": "行政部",
        "Policy": "block",
        "PolicyText": "超出禁止下单",
        "PeriodText": "2026年3月",
        "RolloverText": "不结转",
        "BudgetName": "行政部 2026 年 3 月办公预算",
        "Budget": "行政部 2026 年 3 月办公预算",
        "ParentName": "行政部 2026 年办公预算",
        "OriginName": "行政部 2026 年 3 月办公预算",
        "SourceName": "行政部 2026 年 2 月办公预算",
        "TargetName": "行政部 2026 年 3 月办公预算",
    },
    items={
        "OwnerPath": "行政部",
        "Thresholds": 80,
    },
    components={
        "Budget": {"Name": "行政部 2026 年 3 月办公预算", "Kind": "reserve", "KindText": "预占"},
    },
)
