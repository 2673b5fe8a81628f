"""Summaries and descriptions of this app's operations in /api/docs, by group and address."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "发票": {
        "GET /api/InvoiceApplication/Options": (
            "查询开票选项",
            "可选的发票种类、企业与部门，以及本人能否维护抬头。",
        ),
        "GET /api/InvoiceApplication/Available": (
            "查询可开票明细",
            "已收货且未开票的商品与运费，附全部明细的合计；没有指定企业时为本企业。",
        ),
        "POST /api/InvoiceApplication/Preview": (
            "预览开票申请",
            "返回将开出的发票与金额；不写入数据。",
        ),
        "POST /api/InvoiceApplication": (
            "提交开票申请",
            "提交后为待审核，所选数量随即占用；合计与所见不符时拒绝。",
        ),
        "GET /api/InvoiceApplication": (
            "查询开票申请列表",
            "返回数据范围内的申请，最近的在前，附各状态的数量。",
        ),
        "GET /api/InvoiceApplication/{ApplicationNo}": (
            "查询开票申请详情",
            "附其发票，以及按核算项分摊的价税合计。",
        ),
        "GET /api/InvoiceApplication/{ApplicationNo}/Allocations/Export": (
            "导出开票申请的核算分摊",
            "每个发票明细的每个核算项一行，各行之和等于申请的价税合计。",
        ),
        "GET /api/InvoiceApplication/{ApplicationNo}/File": (
            "打印开票申请",
            "PDF，附其发票与核算分摊；直接返回文件，不在信封内。",
        ),
        "POST /api/InvoiceApplication/{ApplicationNo}/Withdraw": (
            "撤回开票申请",
            "开始开票之前可以撤回，所占数量随即释放。",
        ),
        "GET /api/Invoice": (
            "查询发票列表",
            "返回数据范围内已开具的发票，最近的在前，附各状态的数量与合计，红字发票为负数。",
        ),
        "GET /api/Invoice/{Id}": ("查询发票详情", ""),
        "GET /api/Invoice/{Id}/File": (
            "下载发票文件",
            "返回 PDF，数电发票也可返回 XML，开票平台提供时可返回 OFD；直接返回文件，不在信封内。",
        ),
        "POST /api/Invoice/Archive": (
            "批量下载发票",
            "最多 50 张已开具的发票，压缩包内为每张发票的全部文件与一份清单；更多请用导出任务。",
        ),
        "POST /api/Invoice/Mark": (
            "登记发票处理状态",
            "登记或撤销已验真、已入账、已抵扣、有问题，最多 500 张；有一张不符合时全部不登记。",
        ),
        "POST /api/Invoice/MarkSheet": (
            "用表格登记发票处理状态",
            "先预览每一行，确认后全部登记或全部不登记，最多 2,000 行。",
        ),
        "GET /api/Invoice/MarkTemplate": ("下载发票处理状态模板", ""),
        "POST /api/Invoice/{Id}/RedApply": (
            "申请红冲",
            "可指定发票行与数量，由商城确认；不能超过各行尚未红冲的数量。",
        ),
        "POST /api/Invoice/{Id}/RedAnswer": (
            "答复红冲确认",
            "对商城发起的红冲表示同意或拒绝，拒绝须说明原因。",
        ),
        "POST /api/Invoice/{Id}/RedWithdraw": (
            "撤回红冲申请",
            "商城确认之前可以撤回；退货等待的红冲不能撤回。",
        ),
        "GET /api/InvoiceTitle": ("查询发票抬头列表", "默认抬头在前，附专票资质。"),
        "POST /api/InvoiceTitle": (
            "新增发票抬头",
            "需要企业及以上的数据范围；企业的第一个抬头为默认。",
        ),
        "GET /api/InvoiceTitle/{Id}": ("查询发票抬头详情", ""),
        "PATCH /api/InvoiceTitle/{Id}": (
            "修改发票抬头",
            "修改专票资质所核对的内容后，原资质失效。",
        ),
        "DELETE /api/InvoiceTitle/{Id}": (
            "停用发票抬头",
            "已有的订单与发票保留原抬头；停用的是默认抬头时由另一个接替。",
        ),
        "POST /api/InvoiceTitle/{Id}/Default": ("设为默认发票抬头", ""),
        "POST /api/InvoiceTitle/{Id}/SpecialQualification": (
            "提交专票资质",
            "提交证明文件，由商城审核；已有待审核或已通过的资质时不能再次提交。",
        ),
    },
    "对账单": {
        "GET /api/Statement": ("查询对账单列表", "最近月份的在前。"),
        "GET /api/Statement/{Id}": ("查询对账单详情", ""),
        "GET /api/Statement/{Id}/Lines": ("查询对账单明细", "可只看某一金额的构成，最早的在前。"),
        "POST /api/Statement/{Id}/Confirm": (
            "确认对账单",
            "当月结束后按月依次确认，确认后明细与金额不再变化；有未答复的异议时须明确放弃异议。",
        ),
        "POST /api/Statement/{Id}/Dispute": (
            "提出对账异议",
            "针对整张或其中一行；月份尚未结束或已确认的不能提出。",
        ),
        "GET /api/Statement/{Id}/Export": ("导出对账单", "包括全部明细的表格。"),
        "GET /api/Statement/{Id}/Allocations": (
            "查询对账单的核算分摊",
            "按成本中心、项目或会计科目合计：签收与运费减退货；没有分摊时为空。",
        ),
        "GET /api/Statement/{Id}/Allocations/Export": (
            "导出对账单的核算分摊",
            "每条明细按订单的分摊拆成若干行，合计等于签收与运费减退货。",
        ),
        "GET /api/Statement/{Id}/File": ("下载对账单", "供双方盖章的 PDF，最多 5,000 行明细。"),
        "GET /api/Statement/{Id}/Match": (
            "查询收货核对",
            "最近一次核对的各结果条数；从未核对时为空。",
        ),
        "POST /api/Statement/{Id}/Match/Upload": (
            "上传收货单核对",
            "按订单、物料编码与数量核对，最多 10,000 行；新的表格替换上一次的核对。",
        ),
        "GET /api/Statement/{Id}/Match/Lines": ("查询收货核对明细", "不指定结果时为全部差异。"),
        "GET /api/Statement/{Id}/Match/Export": ("导出收货核对", "包括一致的明细。"),
        "POST /api/Statement/{Id}/Match/Dispute": (
            "对收货差异提出异议",
            "每条差异一条异议，最多 200 条；已提出的、核对后对账单有变化的不能提出。",
        ),
        "GET /api/Statement/MatchTemplate": ("下载收货单模板", ""),
        "GET /api/Statement/Debts": (
            "查询应付账款账龄",
            "可查看对账单的各企业当前应付金额，按到期时间分段，逾期最多的在前。",
        ),
    },
}

PARAMETER_TEXTS = {
    "ApplicationNo": "开票申请单号",
    "IsRed": "是否红字发票",
}

EXAMPLES = Examples(
    values={
        "ApplicationNo": "KP26030512345678",
        "StatementNo": "DZ26030512345678",
        "RedNo": "HZ26030512345678",
        "RequestNo": "QG26030512345678",
        "InvoiceNo": "26312000000012345678",
        "OriginalNo": "26312000000012345678",
        "RedInvoiceNo": "26312000000012345679",
        "Reference": "SO26030512345678",
        "Grouping": "merged",
        "GroupingText": "合并开票",
        "LineText": "中性笔 × 12 支",
        "Failure": "文件已过期",
        "Capitals": "壹拾贰元伍角整",
        "MarkText": "已验真、已入账",
        "OrderRef": "SO26030512345678",
        "MaterialCode": "WL-10086",
        "ResultText": "数量不符",
        "Delivery": "mail",
        "DeliveryText": "电子邮件",
    },
    items={
        "FreightOrderNos": "SO26030512345678",
        "Formats": "pdf",
    },
    components={
        "DimensionSum": {"Code": "CC-1001", "Name": "行政部"},
        "Red": {
            "Reason": "02",
            "ReasonText": "销货退回",
            "Status": "awaits_seller",
            "StatusText": "待销方确认",
        },
        "Statement": {"Status": "pending", "StatusText": "待确认", "Name": "2026年3月对账单"},
        "Invoice": {
            "Status": "issued",
            "StatusText": "已开具",
            "Kind": "e_normal",
            "KindText": "数电普票",
        },
    },
)
