"""Chinese texts of budgets: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

IMPORTED = "表格导入"
ENTERPRISE_CODE_MISSING = "请填写企业编码"
NAME_INVALID = "请填写预算名称，最多 80 个字"
NAME_WITH_CONTROL_CHARACTERS = "预算名称含有换行等不可见字符，请删除后重试"
PERIOD_INVALID = "周期请填写：月度、季度或年度"
DAY_INVALID = "期次请填写月份、季度或年份，例如 2027-01、2027Q1、2027"
AMOUNT_INVALID = "额度请填写 0 至 10 亿元之间的金额，最多两位小数"
ROLLOVER_CAP_INVALID = "结转上限请填写金额，最多两位小数"
THRESHOLDS_INVALID = "预警线请填写百分比，例如 50/80/95，不需要预警请填写“不预警”"
NAME_TAKEN = "该归属在此周期已有同名预算"


def enterprise_code_out_of_reach(code: str) -> str:
    return f"企业编码“{code}”不存在，或不在您的管理范围内"


def account_unavailable(username: str) -> str:
    return f"账号“{username}”不存在、已停用或不属于该企业"


def department_unavailable(code: str) -> str:
    return f"部门编码“{code}”不存在、已停用或不属于该企业"


def policy_invalid(choices: str) -> str:
    return f"超出策略请填写：{choices}"


def rollover_invalid(choices: str) -> str:
    return f"结转方式请填写：{choices}"


def earmark_unavailable(earmark: str) -> str:
    return (
        f"限定范围“{earmark}”不存在或已停用，请填写如：类目/编码、项目/编码、"
        "成本中心/编码，不限则留空"
    )


def parent_ambiguous(*, count: int, name: str) -> str:
    return (
        f"有 {count} 个名为“{name}”的预算包含本预算的周期，"
        "请改用不重复的名称，或导入后在页面设置上级预算"
    )


def parent_unknown(name: str) -> str:
    return (
        f"同一企业中没有名为“{name}”且周期包含本预算的预算；"
        "上级预算在同一表格中时须排在前面且没有错误"
    )


def tree_too_deep(most: int) -> str:
    return f"预算最多 {most} 级，请选择更高一级的上级预算"


def repeats_row(first: int) -> str:
    return f"与第 {first} 行重复"
