"""Chinese texts of accounts, departments and addresses: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

ADDRESS_EXISTS = "已有相同的收货地址"
PHONE_INVALID = "手机号码须为 11 位，或带区号的固定电话"
POSTAL_CODE_INVALID = "邮政编码为 6 位数字"
SCOPE_INVALID = "使用范围请填写：本人、部门、企业或集团"
DEPARTMENT_CODE_MISSING = "请填写部门编码"
ENTERPRISE_CODE_MISSING = "请填写企业编码"
SCOPE_BEYOND_RIGHTS = "您没有维护该范围共用地址的权限"
IMPORTED = "表格导入"
DEPARTMENT_DISABLED = "该部门已停用，请先启用再导入"
PARENT_BELOW_ITSELF = "上级部门不能是本部门或其下级"
USERNAME_MISSING = "请填写账号"
USERNAME_REPEATED = "账号在表格中重复"
PLACE_MISSING = "请填写企业编码和部门编码"
PLACE_OUT_OF_REACH = "您的数据范围内没有该编码的企业和启用部门"
NICKNAME_MISSING = "请填写昵称"
NOTE = "说明"
IMPORT_TAKEN_BACK = "表格导入未能完成，已撤回"
ACCOUNT_IN_USE = "该账号已被修改或使用，未能撤回"
ADDRESS_IN_USE = "该地址已被修改或使用，未能撤回"
DEPARTMENT_IN_USE = "该部门已被修改或使用，未能撤回"


def repeats_row(first: int) -> str:
    return f"与第 {first} 行重复"


def addresses_imported(count: int) -> str:
    return f"从表格导入 {count} 个共用地址"


def value_missing(title: str) -> str:
    return f"请填写{title}"


def value_too_long(*, title: str, most: int) -> str:
    return f"{title}最多 {most} 个字"


def values_too_long(titles: str) -> str:
    return f"{titles}内容过长"


def department_code_unknown(code: str) -> str:
    return f"没有编码为“{code}”的部门"


def enterprise_code_unknown(code: str) -> str:
    return f"没有编码为“{code}”的企业"


def own_addresses_full(most: int) -> str:
    return f"本人最多保存 {most} 个收货地址"


def enterprise_code_out_of_reach(code: str) -> str:
    return f"企业编码“{code}”不存在，或不在您的管理范围内"


def head_unavailable(username: str) -> str:
    return f"负责人账号“{username}”不存在或已停用"


def department_code_repeated(first: int) -> str:
    return f"部门编码与第 {first} 行重复"


def parent_code_unknown(code: str) -> str:
    return f"上级部门编码“{code}”不存在或已停用"


def stored_department(code: str) -> str:
    return f"现有部门 {code} "


def department_name_repeated(holder: str) -> str:
    return f"同一上级下与{holder}同名，请更换部门名称"


def sheet_row(number: int) -> str:
    return f"第 {number} 行"


def contact_repeated(*, title: str, first: int) -> str:
    return f"{title}与第 {first} 行相同，请核对；确需共用的，请留空，导入后在账号资料中填写"


def role_unknown(name: str) -> str:
    return f"没有角色“{name}”"


def role_beyond_rights(name: str) -> str:
    return f"不能授予角色“{name}”，它包含您自己没有的权限"
