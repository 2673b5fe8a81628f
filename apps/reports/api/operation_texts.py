"""The texts of /api/docs for each operation of this app: group → address → (summary,
description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "报表": {
        "GET /api/Report/Filters": (
            "查询报表筛选项",
            "某个报表可用的组织、人员等筛选项，含已停用的。",
        ),
        "GET /api/Report/Order": ("查询订单报表", "每张订单一行。"),
        "GET /api/Report/OrderDetail": (
            "查询订单明细报表",
            "每个订单行的每一笔业务一行，按业务日期统计。",
        ),
        "GET /api/Report/Product": ("查询商品报表", "每个商品一行，运费单列一行。"),
        "GET /api/Report/Department": ("查询部门报表", "每个部门一行。"),
        "GET /api/Report/Purchaser": ("查询采购人报表", "每位采购人一行。"),
        "GET /api/Report/Brand": ("查询品牌报表", "每个品牌一行，按下单时的品牌，运费单列一行。"),
        "GET /api/Report/Savings": (
            "查询节约与合规报表",
            "每个一级类目一行：与市场价相比的节约、协议内外金额；另附协议外采购人、长尾与价格变动。",
        ),
        "GET /api/Report/Budget": (
            "查询预算执行报表",
            "每个预算一行：期间内的采购，以及与预算余额一致的额度、占用与期末预计；合计中上下级预算只计上级。",
        ),
        "POST /api/Report/Budget/Export": (
            "导出预算执行报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "POST /api/Report/Brand/Export": (
            "导出品牌报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "POST /api/Report/Savings/Export": (
            "导出节约与合规报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "GET /api/Report/Dimension": (
            "查询核算报表",
            "期间内的订单按成本中心、项目或会计科目合计，含运费，取消的部分不计；各行之和等于合计。",
        ),
        "GET /api/Report/Dimension/Export": ("导出核算报表", "末行为合计。"),
        "POST /api/Report/Order/Export": ("导出订单报表", "直接返回文件；数据量大时请用导出任务。"),
        "POST /api/Report/OrderDetail/Export": (
            "导出订单明细报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "POST /api/Report/Product/Export": (
            "导出商品报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "POST /api/Report/Department/Export": (
            "导出部门报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "POST /api/Report/Purchaser/Export": (
            "导出采购人报表",
            "直接返回文件；数据量大时请用导出任务。",
        ),
        "GET /api/ExportJob": ("查询导出任务列表", "只有本人的导出任务，最近的在前。"),
        "POST /api/ExportJob": (
            "新建导出任务",
            "在后台生成文件；须有该报表的权限，每人同时最多三个未完成的任务。",
        ),
        "POST /api/ExportJob/Invoices": (
            "打包下载发票",
            "在后台把筛选条件下已开具的发票打成压缩包，最多 1,000 张；进度与文件见导出任务。",
        ),
        "GET /api/ExportJob/{Id}": ("查询导出任务进度", ""),
        "GET /api/ExportJob/{Id}/File": (
            "下载导出文件",
            "生成后保留 7 天；失去报表权限或数据范围改变后不能下载。",
        ),
        "POST /api/ExportJob/{Id}/Cancel": ("取消导出任务", "只能取消排队或生成中的任务。"),
        "POST /api/ExportJob/{Id}/Retry": (
            "重新执行导出任务",
            "用于失败、已取消或已过期的任务，筛选条件与日期不变。",
        ),
        "GET /api/SavedView": ("查询报表视图列表", "包括本人的与他人共享的视图。"),
        "POST /api/SavedView": ("保存报表视图", "每人最多 50 个，同一报表内名称不能重复。"),
        "GET /api/SavedView/{Id}": ("查询报表视图详情", ""),
        "PATCH /api/SavedView/{Id}": ("修改报表视图", "只有所有者可以修改。"),
        "DELETE /api/SavedView/{Id}": (
            "删除报表视图",
            "只有所有者可以删除；他人对它的订阅随即暂停并收到通知，本人仍在订阅时不能删除。",
        ),
        "GET /api/ReportSubscription": ("查询报表订阅列表", "只有本人的订阅，新建的在前。"),
        "POST /api/ReportSubscription": (
            "新增报表订阅",
            "按设定的时间把视图发送给收件人；收件人须有该报表的权限与邮箱，每人最多 20 个。",
        ),
        "GET /api/ReportSubscription/{Id}": ("查询报表订阅详情", ""),
        "PATCH /api/ReportSubscription/{Id}": ("修改报表订阅", ""),
        "DELETE /api/ReportSubscription/{Id}": (
            "删除报表订阅",
            "发送记录一并删除，尚未发出的邮件不再发送。",
        ),
        "GET /api/ReportSubscription/{Id}/Send": (
            "查询报表发送记录",
            "最近的在前，附每位收件人的结果。",
        ),
        "POST /api/ReportSubscription/{Id}/SendNow": (
            "立即发送报表",
            "向全部收件人发送一次，不影响设定的时间。",
        ),
        "GET /api/ReportSubscription/Recipient": (
            "查询报表的可选收件人",
            "有该报表权限的同事，最多 20 位，以及本集团的邮箱域名。",
        ),
        "POST /api/ReportSubscription/Leaving": (
            "查看退订链接",
            "返回邮件中的退订链接所指的订阅；不改变任何数据。",
        ),
        "POST /api/ReportSubscription/Leave": (
            "退订或恢复报表邮件",
            "凭邮件中的链接办理，重复办理结果相同。",
        ),
    },
}

PARAMETER_TEXTS = {
    "Charts": "是否同时返回图表数据",
}

EXAMPLES = Examples(
    values={
        "PaymentText": "月结",
        "FileName": "订单报表.xlsx",
        "Time": "09:00",
    },
    items={
        "Actions": "cancel",
        "Domains": "example.com",
        "Hide": "Amount",
    },
    objects={
        "Filters": {"Period": "month", "Basis": "ordered"},
    },
    components={
        "DimensionReport": {"Code": "CC-1001", "Name": "行政部", "Kind": "cost_center"},
        "SavedView": {"Name": "本月各部门采购"},
        "Report": {"Name": "本月各部门采购"},
    },
)
