"""The texts of /api/docs for the operations of this app: group → address →
(summary, description).
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "核算项": {
        "GET /api/Dimension": (
            "查询核算项列表",
            "本集团的成本中心、项目与会计科目，按类别和编码排序。",
        ),
        "POST /api/Dimension": (
            "新增核算项",
            "须有“本集团”的数据范围；同一类别内编码不能重复。不填适用部门时全部部门可用。",
        ),
        "PATCH /api/Dimension/{DimensionId}": (
            "修改核算项",
            "类别不能修改。停用或过期后不能再用于新订单，已提交的订单保留当时的编码和名称。",
        ),
        "GET /api/Dimension/Summary": (
            "查询核算项数量",
            "各类别的总数与今日可用数，并说明本人能否维护。",
        ),
        "GET /api/Dimension/Choices": (
            "查询下单可选的核算项",
            "某部门今日可用的核算项，每类最多 50 条，可按编码或名称查找；含部门的默认值。",
        ),
        "GET /api/Dimension/Export": ("导出核算项", "表格与导入模板相同，修改后可再导入。"),
        "GET /api/Dimension/Template": ("下载核算项导入模板", ""),
        "POST /api/Dimension/Import": (
            "导入核算项",
            "默认只检查，Confirm 为 true 时写入；按类别和编码新增或修改，"
            "任一行有误则全部不写入（`GoodOnly` 为 true 时写入其余行）。"
            "类别、编码、名称以外的列可以省略，省略的列不改变原有内容。"
            "每次最多 10,000 行。",
        ),
    },
}

PARAMETER_TEXTS = {
    "DimensionId": "核算项编号",
}

EXAMPLES = Examples(
    components={
        "DimensionPlanRow": {"Departments": "YF/ADM"},
        "Dimension": {
            "Kind": "cost_center",
            "KindText": "成本中心",
            "Code": "CC-1001",
            "Name": "行政部",
            "State": "usable",
            "StateText": "可用",
            "Enterprise": "云帆科技有限公司",
        },
        "KindC": {
            "Kind": "cost_center",
            "KindText": "成本中心",
            "Code": "CC-1001",
            "Name": "行政部",
        },
    },
    items={"DepartmentIds": "12", "DefaultIds": "12"},
)
