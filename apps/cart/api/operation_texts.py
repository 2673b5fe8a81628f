"""The texts of /api/docs for each operation of this app: group → address → (summary,
description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "收藏与浏览": {
        "POST /api/Favorite/AddToCart": (
            "将收藏加入购物车",
            "能购买的加入购物车，不能购买的留在原处并说明原因。",
        ),
    },
    "选型与快速下单": {
        "POST /api/Product/QuickOrder": (
            "识别快速下单清单",
            (
                "文字、表格或逐行录入转为商品、价格与合规数量；每一行都会返回，"
                "不能识别的注明原因或候选。不写入数据。"
            ),
        ),
        "POST /api/Product/QuickOrder/AddToCart": (
            "将清单加入购物车",
            "能购买的一次加入，其余逐行说明原因。",
        ),
        "GET /api/Product/QuickOrder/Template": ("下载快速下单模板", ""),
        "POST /api/Product/QuickOrder/Export": ("导出快速下单清单", "各行及其原因导出为表格。"),
    },
    "采购清单": {
        "GET /api/QuickList": (
            "查询采购清单列表",
            "包括本人的、共享给本人的与同部门共享的清单，最近修改的在前，不含明细。",
        ),
        "POST /api/QuickList": (
            "新增采购清单",
            "名称不能与本人的其他清单重复；各行记下此时的单价，用于提示以后的价格变动。",
        ),
        "GET /api/QuickList/Colleagues": ("查询可共享的同事", "本企业启用中的账号，最多 20 位。"),
        "GET /api/QuickList/{Id}": (
            "查询采购清单详情",
            "各行按本人的价格与目录计算，注明不能购买的原因与价格变动。",
        ),
        "PATCH /api/QuickList/{Id}": (
            "修改采购清单",
            "名称与部门共享由所有人修改，商品也可由有编辑权限的同事修改。"
            "注明所见版本时，清单已被他人修改则拒绝，并返回最新内容。",
        ),
        "DELETE /api/QuickList/{Id}": ("删除采购清单", "只有所有者可以删除。"),
        "POST /api/QuickList/{Id}/AddToCart": (
            "将采购清单加入购物车",
            "能购买的加入，其余逐项说明原因；数量或价格与清单不同的也逐项说明。清单不变。",
        ),
        "POST /api/QuickList/{Id}/Copy": ("另存采购清单", "复制为本人的清单，不带共享。"),
        "GET /api/QuickList/{Id}/Export": (
            "导出采购清单",
            "按本人的价格，直接返回表格文件，不在信封内。",
        ),
        "POST /api/QuickList/{Id}/HandOver": (
            "移交采购清单",
            "由所有人移交给已共享此清单的同事，本人保留编辑权限。",
        ),
        "POST /api/QuickList/{Id}/Leave": ("退出采购清单的共享", ""),
        "PUT /api/QuickList/{Id}/Members": (
            "设置采购清单的共享同事",
            "以提交的名单为准，不在名单内的同事不再能打开；新加入的同事会收到一次通知。",
        ),
        "POST /api/QuickList/{Id}/TakeOver": (
            "接管采购清单",
            "所有人停用或离开本企业后，由有编辑权限的同事接管。",
        ),
    },
    "意向询价": {
        "POST /api/ProductInquiry/{InquiryNo}/Adopt": (
            "采纳报价",
            (
                "已报价的商品加入购物车，数量调整为合规数量，状态变为已采纳；"
                "现价高于报价等不能加入的逐项说明。"
            ),
        ),
    },
    "购物车": {
        "GET /api/ShoppingCart": (
            "查询购物车",
            "每次查询都重新计价；不能购买的行保留并注明原因与处理建议。",
        ),
        "POST /api/ShoppingCart/AddToCart": (
            "添加商品到购物车",
            "与已有数量合并；任一商品不能购买则全部不加入。购物车最多 200 行。",
        ),
        "PATCH /api/ShoppingCart/{ItemId}": (
            "修改购物车行",
            "修改数量或是否选中。超过库存的数量会保留并提示，低于起订量或不合增量的被拒绝。",
        ),
        "POST /api/ShoppingCart/{ItemId}/Replace": (
            "替换购物车行",
            "移除该行并加入另一种商品，数量与已有的合并；新商品不能购买时该行保留。",
        ),
        "POST /api/ShoppingCart/Select": ("选中或取消选中购物车行", "没有指定行时作用于全部。"),
        "POST /api/ShoppingCart/Remove": ("移除购物车行", "已不在购物车中的行不算错误。"),
        "POST /api/ShoppingCart/Clear": ("清空购物车", ""),
        "POST /api/ShoppingCart/Count": ("查询购物车商品数", "返回不同商品的个数。"),
    },
}

PARAMETER_TEXTS = {
    "ItemId": "购物车行的编号",
    "QuickList.Keyword": "姓名或账号",
}

EXAMPLES = Examples(
    values={
        "Message": "库存不足，可售 8 支",
        "Suggestion": "改为 8 支",
        "Problem": "库存不足，可售 8 支",
        "ChangedText": "新建清单",
        "PriceChange": "-1.20",
    },
    items={
        "Errors": "库存不足，可售 8 支",
    },
    components={
        "QuickList": {"Name": "每月常购"},
    },
)
