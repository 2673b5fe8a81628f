"""Minimal valid bodies for the calls of the table of rights."""

# What must be in a body before the object is looked for; the route as in the table. CALLER stands
# for the key of the calling account.
CALLER = "{caller}"
BODIES: dict[str, dict[str, object]] = {
    "POST /api/Approval/{approval_id}/Amend": {
        "Lines": [{"Id": "1", "Quantity": 1}],
        "Version": 1,
        "Reason": "用不了这么多",
    },
    "POST /api/Approval/{approval_id}/AmendPreview": {"Lines": [{"Id": "1", "Quantity": 1}]},
    "POST /api/Approval/{approval_id}/Add": {"Placement": "before", "To": ["999999998"]},
    "POST /api/Approval/{approval_id}/Copy": {"To": ["999999998"]},
    "POST /api/Approval/{approval_id}/RemoveAdded": {"AccountId": "999999998"},
    "POST /api/Approval/{approval_id}/Answer": {"Text": "下周培训用"},
    "POST /api/Approval/{approval_id}/Ask": {"Text": "为什么要这么多？"},
    "POST /api/Approval/{approval_id}/Comment": {"Text": "请看一下"},
    "POST /api/Approval/{approval_id}/Reject": {"Reason": "重复采购"},
    "POST /api/Approval/{approval_id}/Transfer": {"To": CALLER, "Reason": "出差"},
    "PUT /api/Account/{pk}/Limits": {"Limits": []},
    "PATCH /api/ApprovalDelegation/{delegation_id}": {
        "DelegateId": CALLER,
        "ValidFrom": "2026-01-01",
        "ValidUntil": "2026-01-02",
    },
    "PATCH /api/ApprovalRule/{rule_id}": {
        "Name": "全部",
        "Steps": [{"ApproverKind": "head"}],
        "UpdatedAt": "2026-01-01T00:00:00+08:00",
    },
    "POST /api/ApprovalRule/{rule_id}/Restore": {
        "Number": 1,
        "UpdatedAt": "2026-01-01T00:00:00+08:00",
    },
    "POST /api/Requisition/{requisition_no}/Return": {"Reason": "库房还有"},
    "POST /api/Budget/{budget_id}/Transfer": {
        "TargetId": 999999998,
        "Amount": "1.00",
        "Reason": "补足",
    },
    "PATCH /api/Dimension/{dimension_id}": {
        "Kind": "cost_center",
        "Code": "CC-9",
        "Name": "行政",
    },
    "POST /api/BudgetTransfer/{transfer_id}/Reject": {"Reason": "本季不再追加"},
    "POST /api/Department/{pk}/Merge": {"TargetId": "999999998"},
    "POST /api/Department/{pk}/Move": {"ParentId": None},
    "POST /api/Order/{order_no}/Review": {"Lines": [{"OrderLineId": "1", "Stars": 5}]},
    "PATCH /api/Order/{order_no}/Review": {"OrderLineId": "1", "Stars": 5},
    "POST /api/Order/{order_no}/Review/FollowUp": {"OrderLineId": "1", "Text": "用了一个月"},
    "POST /api/Order/{order_no}/Cancel": {"Reason": "买错了"},
    "PATCH /api/Assistant/Conversation/{conversation_id}": {"Title": "会议用品"},
    "POST /api/Assistant/Conversation/{conversation_id}/Message": {"Text": "你好"},
    "POST /api/ProductInquiry/{inquiry_no}/AskAgain": {"Note": "希望再低一些"},
    "POST /api/ProductInquiry/{inquiry_no}/Close": {"Reason": "不需要了"},
    "POST /api/ProductInquiry/{inquiry_no}/Message": {"Text": "请尽快报价"},
    "POST /api/ReturnOrder/{return_order_id}/Message": {"Text": "请尽快处理"},
    "POST /api/ReturnOrder/{return_order_id}/Ship": {"Carrier": "示例快递", "TrackingNo": "SF900"},
    "POST /api/ReturnOrder/{return_order_id}/Withdraw": {"Reason": "不退了"},
    "PATCH /api/QuickList/{pk}": {"Name": "月度补货"},
    "POST /api/Statement/{pk}/Confirm": {"Closing": "0.00"},
    "POST /api/Statement/{pk}/Match/Dispute": {"LineIds": ["1"]},
    "POST /api/Statement/{pk}/Dispute": {"Text": "少收 1 支"},
    "PATCH /api/ShoppingCart/{item_id}": {"Quantity": 2},
}
