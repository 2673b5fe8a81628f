"""Descriptions for /api/docs: {group: {operation: (summary, description)}}."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "账号": {
        "POST /api/Account/{Id}/Disable": (
            "停用账号",
            "其登录立即结束；有待其审批的事项时须指定接手人。不能停用集团最后一位管理员。",
        ),
        "GET /api/Account/{Id}/Leaving": (
            "查询账号停用前的交接事项",
            "列出停用该账号前需要移交或另行指定的事项。",
        ),
    },
    "订单审批": {
        "GET /api/Approval": (
            "查询审批列表",
            "Box 为 todo 是待我审批，done 是我已处理，mine 是我发起的；附各箱的数量。",
        ),
        "GET /api/Approval/Choices": ("查询审批筛选项", "本人各箱中出现的申请人与部门。"),
        "GET /api/Approval/{ApprovalId}": (
            "查询审批详情",
            "包括审批链、各任务的结果与当前可执行的操作。",
        ),
        "POST /api/Approval/{ApprovalId}/Approve": (
            "同意审批",
            "只能由当前步骤的审批人执行；可同时调低数量并说明原因。最后一步同意后订单进入待确认。",
        ),
        "POST /api/Approval/{ApprovalId}/Reject": (
            "驳回审批",
            "须填写原因；任一人驳回即结束审批，占用的库存与预算释放。",
        ),
        "POST /api/Approval/{ApprovalId}/Transfer": (
            "转交审批",
            "转给本集团的同事决定；不能转给申请人、本人或无权审批的人。",
        ),
        "GET /api/Approval/{ApprovalId}/Candidates": (
            "查询可转交或加签的同事",
            "最多 20 位；不能选择的同事附原因，排在后面。",
        ),
        "POST /api/Approval/{ApprovalId}/Add": (
            "加签审批",
            "由当前审批人添加审批人：先于本人、与本人一起，或在本人之后。",
        ),
        "POST /api/Approval/{ApprovalId}/RemoveAdded": (
            "撤回加签",
            "只能由加签的人撤回，且被加签的人尚未处理。",
        ),
        "POST /api/Approval/{ApprovalId}/Copy": (
            "抄送审批",
            "可查看该审批的人都可抄送给同事或角色；收到抄送的人可以查看，不参与决定。",
        ),
        "POST /api/Approval/{ApprovalId}/CopyRead": (
            "标记抄送已读",
            "由收到抄送的人标记；重复标记不改变阅读时间。",
        ),
        "POST /api/Approval/{ApprovalId}/Urge": (
            "催办审批",
            "由申请人提醒当前的审批人，四个工作小时内一次。",
        ),
        "POST /api/Approval/{ApprovalId}/AmendPreview": (
            "预览审批改量",
            "返回调低数量后的金额与审批链，不写入数据。",
        ),
        "POST /api/Approval/{ApprovalId}/Amend": (
            "调低审批数量",
            "只能调低或删去，须说明原因；只有受影响的步骤重新审批，审批仍待本人决定。",
        ),
        "POST /api/Approval/{ApprovalId}/Ask": (
            "向申请人提问",
            "审批等待申请人回答，任务仍在提问人处；同一人同时只能有一个未答的问题。",
        ),
        "POST /api/Approval/{ApprovalId}/Answer": (
            "回答审批提问",
            "由申请人回答，没有指定问题时回答最早的一个；回答后审批继续。",
        ),
        "GET /api/Approval/{ApprovalId}/Comment": (
            "查询审批讨论",
            "留言、提问与回答，最早的在前。",
        ),
        "POST /api/Approval/{ApprovalId}/Comment": (
            "发表审批留言",
            "可查看该审批者都可留言，结束后仍可；被提及的人会收到通知。",
        ),
        "GET /api/Approval/{ApprovalId}/Mention": (
            "查询可提及的同事",
            "最多 20 位，审批链中的人在前。",
        ),
        "POST /api/Approval/BulkApprove": (
            "批量同意审批",
            "按请求的顺序逐项返回结果；一项被拒绝不影响其他各项。",
        ),
        "POST /api/Approval/BulkReject": (
            "批量驳回审批",
            "各项使用同一原因，逐项返回结果；一项被拒绝不影响其他各项。",
        ),
        "GET /api/ApprovalDelegation": (
            "查询审批代理列表",
            "包括本人委托他人的与他人委托本人的，最近的在前。",
        ),
        "POST /api/ApprovalDelegation": (
            "新增审批代理",
            "起止日期之内，待本人审批的事项代理人也可以决定，可限定审批规则和订单金额；同一规则在同一天只有一个代理人，两人不能互为代理。",
        ),
        "PATCH /api/ApprovalDelegation/{DelegationId}": (
            "修改审批代理",
            "只能修改本人尚未结束的委托；此前已作的决定不变。",
        ),
        "DELETE /api/ApprovalDelegation/{DelegationId}": ("取消审批代理", "立即结束本人的委托。"),
        "GET /api/ApprovalDelegation/Colleagues": (
            "查询可委托的同事",
            "本企业有权审批的同事，最多 20 位。",
        ),
        "GET /api/ApprovalDelegation/Rules": ("查询可委托的审批规则", "本集团启用中的规则。"),
    },
    "审批规则": {
        "GET /api/ApprovalRule": (
            "查询审批规则列表",
            "返回数据范围内生效的规则，含上级继承的，按判断顺序排列。",
        ),
        "POST /api/ApprovalRule": ("新增审批规则", "只能为数据范围之内的组织设置。"),
        "GET /api/ApprovalRule/{RuleId}": ("查询审批规则详情", ""),
        "PATCH /api/ApprovalRule/{RuleId}": (
            "修改审批规则",
            "每次修改留下一个版本，审批中的订单仍按原版本审批；上级设置的规则不能修改。",
        ),
        "DELETE /api/ApprovalRule/{RuleId}": (
            "删除审批规则",
            "审批中的订单不受影响；上级设置的规则不能删除。",
        ),
        "POST /api/ApprovalRule/{RuleId}/Copy": ("复制审批规则", ""),
        "POST /api/ApprovalRule/{RuleId}/Enable": ("启用审批规则", "从下一张订单起生效。"),
        "POST /api/ApprovalRule/{RuleId}/Disable": ("停用审批规则", "审批中的订单不受影响。"),
        "POST /api/ApprovalRule/{RuleId}/Restore": (
            "恢复审批规则的版本",
            "恢复为指定版本的内容，启用状态与排序不变。",
        ),
        "GET /api/ApprovalRule/{RuleId}/Versions": ("查询审批规则的版本", "最近的在前。"),
        "POST /api/ApprovalRule/Check": (
            "检查审批规则",
            "返回按此规则会出现的问题，最严重的在前；不写入数据。",
        ),
        "GET /api/ApprovalRule/Choices": (
            "查询审批规则的可选项",
            "按关键词返回最多 50 项，部门返回全部。",
        ),
        "POST /api/ApprovalRule/Simulate": (
            "模拟审批规则",
            "按申请人、金额与明细返回会命中的规则、原因与审批链；不写入数据。",
        ),
        "POST /api/ApprovalRule/Replay": (
            "回放审批规则",
            "用近 90 天的真实订单在后台检验规则草稿；同一人同时只能有一次回放。",
        ),
        "GET /api/ApprovalRule/Replay": (
            "查询规则回放",
            "返回本人回放的进度；完成后附命中的订单与各审批人的待办变化。",
        ),
        "POST /api/ApprovalRule/Sort": ("调整审批规则顺序", ""),
        "GET /api/ApprovalWaiting": (
            "查询审批人待办统计",
            "数据范围内各审批人的待办与处理时长，逾期最多的在前。",
        ),
        "GET /api/ApprovalWaiting/Export": ("导出审批人待办统计", ""),
    },
}

PARAMETER_TEXTS = {
    "ApprovalId": "审批编号",
    "DelegationId": "审批代理编号",
    "RuleId": "审批规则编号",
    "ReplayId": "回放编号",
    "AmountFrom": "最低金额",
    "AmountTo": "最高金额",
    "OverBudget": "是否超出预算",
}

EXAMPLES = Examples(
    values={
        "SubjectNo": "SO26030512345678",
        "ActingFor": "周建国",
        "HandedTo": "周建国",
        "RoleName": "采购员",
        "PlaceText": "上海市",
        "Mode": "any",
        "ModeText": "或签",
        "SubjectType": "order",
        "Action": "confirmed",
        "ActionText": "确认订单",
        "ValidityText": "长期有效",
        "OriginText": "协议价",
        "ConditionsText": "订单金额大于 1000.00 元",
        "Comment": "同意",
        "Why": "订单金额大于 1000.00 元",
        "RuleName": "千元以上部门负责人审批",
    },
    items={
        "Reasons": "订单金额大于 1000.00 元",
        "Warnings": "规则「大额审批」第 1 步由您和王敏会签，王敏不能代您签字",
        "OtherReasons": "超出每月采购限额 ¥5,000.00（当月已下单 ¥4,200.00，本单 ¥1,280.00）",
        "Refusals": "预算“行政部月度预算”可用 ¥100.00，本单需要 ¥1,280.00",
        "ReasonsBefore": "订单金额大于 1000.00 元",
        "ReasonsAfter": "含协议外商品",
        "Rules": "千元以上部门负责人审批",
        "Mentions": "1024",
    },
    components={
        "RuleBand": {"Above": "1000.00", "UpTo": "5000.00"},
        "Approval": {
            "Status": "pending",
            "StatusText": "审批中",
            "Kind": "order",
            "KindText": "订单",
        },
    },
)
