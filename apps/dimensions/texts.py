"""Chinese texts of accounting dimensions: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

IMPORTED = "表格导入"
STATE_INVALID = "状态请填写：启用或停用"


def code_repeated(first: int) -> str:
    return f"与第 {first} 行的类别和编码重复"


def default_repeated(first: int) -> str:
    return f"默认部门与第 {first} 行重复，每个部门每类只能有一个默认"


def kind_invalid(choices: str) -> str:
    return f"类别请填写：{choices}"


def owner_unavailable(username: str) -> str:
    return f"负责人账号“{username}”不存在或已停用"


def day_invalid(*, column: str, cell: str, advice: str) -> str:
    return f"{column}“{cell}”无法识别，{advice}"


def day_out_of_range(column: str) -> str:
    return f"{column}请填写 2000 至 2099 年之间的日期"


def department_unavailable(*, column: str, key: str) -> str:
    return f"{column}“{key}”不存在或已停用，请填写“企业编码/部门编码”"
