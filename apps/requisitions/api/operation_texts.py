"""Texts of /api/docs for each operation of this app: group → address → (summary, description)."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "采购申请": {
        "GET /api/Requisition": (
            "查询采购申请列表",
            "采购申请由同事提交、采购人汇总下单。返回本人的，以及数据范围内同事的申请。",
        ),
        "POST /api/Requisition": (
            "提交采购申请",
            (
                "没有指定行时提交购物车中选中的行，提交后离开购物车并通知采购人；"
                "暂时缺货的商品也可以申请。"
            ),
        ),
        "GET /api/Requisition/{RequisitionNo}": ("查询采购申请详情", ""),
        "POST /api/Requisition/{RequisitionNo}/Withdraw": (
            "撤回采购申请",
            "撤回本人申请中尚未下单的部分，并通知已将其放入购物车的采购人。",
        ),
        "POST /api/Requisition/{RequisitionNo}/Return": (
            "退回采购申请",
            "须填写原因；尚未下单的部分退给申请人。不能退回本人的申请。",
        ),
        "POST /api/Requisition/Gather": (
            "汇总采购申请到购物车",
            "一行同时只能在一个购物车中；没有放入的逐行说明原因。",
        ),
    },
}

PARAMETER_TEXTS = {
    "RequisitionNo": "采购申请单号",
}

EXAMPLES = Examples(
    values={
        "RequisitionNo": "QG26030512345678",
        "ClosedReason": "客户撤销",
    },
)
