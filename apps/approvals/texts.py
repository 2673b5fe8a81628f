"""Chinese texts of approval rules: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

from datetime import date
from decimal import Decimal

DEPARTMENTS_OUT_OF_SCOPE = "条件中的申请部门都不在适用范围内，这条规则永远不会触发"
REQUESTERS_OUT_OF_SCOPE = "条件中的申请人都已停用或不在适用范围内，这条规则永远不会触发"
WITHOUT_RIGHT = "没有订单审批权限"
DISABLED = "账号已停用"
NOBODY_CAN_APPROVE = "没有可用的审批人，订单将转由集团管理员审批"
REQUESTER_IS_ONLY_APPROVER = "申请人就是唯一的审批人，本人不能审批自己的订单，将转由集团管理员审批"
ADMIN_IS_ONLY_APPROVER = "唯一的审批人是集团管理员，其本人的订单将转由平台客服审批"
ONE_APPROVER_ONLY = "只有一位审批人，其本人下单时将转由集团管理员审批"
HEADS_FALL_BACK = "这些部门的订单将转由集团管理员审批"
HEADS_OWN_ORDERS = "负责人本人下单时不由本人审批，将转由集团管理员审批"
ONLY_COMMON_STEPS = "只按所有档的步骤审批"
NO_APPROVAL_NEEDED = "不需要审批"
NO_ADMIN = "集团目前没有可用的管理员，上述无人审批的订单将转由平台客服处理"
APPROVERS_MISSING = "请选择审批人账号"
ROLE_MISSING = "请选择审批角色"
LEVELS_MISSING = "“上级部门负责人”请填写向上级数，至少 1"
APPROVERS_OF_OTHER_GROUP = "审批人须是该集团的账号"
ROLE_OF_OTHER_GROUP = "审批角色须属于该集团"
DAYS_REVERSED = "失效日不能早于生效日"
CONDITION_TWICE = "审批条件不正确：同一种条件只能设置一次"
ENTERPRISE_OF_OTHER_GROUP = "企业须属于该集团"
DEPARTMENT_OF_OTHER_GROUP = "部门须属于该集团"
DEPARTMENT_OF_OTHER_ENTERPRISE = "部门须属于所选企业"
PRODUCT_UNKNOWN = "商品不存在，或不在您的采购目录内"
CATEGORY_UNKNOWN = "类目不存在"
DEPARTMENT_UNKNOWN = "部门不存在，或不在您的管理范围内"
ACCOUNT_UNKNOWN = "账号不存在，或不在您的管理范围内"
PAYMENT_KIND_INVALID = "付款方式不正确"
NOTHING_CHOSEN = "请至少选择一项"
BAND_LIMITS_REVERSED = "金额上限须大于下限"
QUANTITY_MISSING = "请填写数量"
QUANTITY_TOO_SMALL = "数量至少为 1"
PERCENT_MISSING = "请填写百分比"
DAYS_MISSING = "请填写天数"
RULE_DISABLED = "规则已停用"
NO_BAND = "不属于任何一档"
ALL_ORDERS_IN_SCOPE = "适用范围内的所有订单"


def rule_has_ended(last_day: date) -> str:
    return f"失效日 {last_day:%Y-%m-%d} 已过，保存后这条规则不会触发"


def rule_begins_later(first_day: date) -> str:
    return f"{first_day:%Y-%m-%d} 起才会触发，此前的订单不受影响"


def requesters_out_of_scope(names: str) -> str:
    return f"申请人{names}已停用或不在适用范围内"


def role_without_approvers(role: str) -> str:
    return f"角色「{role}」下没有可审批的人，订单将转由集团管理员审批"


def approver_gets_nothing(*, name: str, reason: str) -> str:
    return f"{name}{reason}，不会收到审批"


def departments_without_level(*, departments: str, level: int, consequence: str) -> str:
    return f"{departments}没有上 {level} 级部门，{consequence}"


def departments_without_head(*, departments: str, above: str, consequence: str) -> str:
    return f"{departments}的{above}部门未设负责人，{consequence}"


def heads_unable(*, departments: str, consequence: str) -> str:
    return f"{departments}的负责人已停用或没有审批权限，{consequence}"


def approver_repeated(*, name: str, first: int) -> str:
    return f"{name}在第 {first} 步已审批，本步自动跳过"


def head_repeated(heads: str) -> str:
    return f"{heads}在前面的步骤已审批，本步自动跳过"


def band_never_used(*, second: int, first: int) -> str:
    return (
        f"第 {second} 档的订单都已属于第 {first} 档，第 {second} 档永远不会用到，请调整金额或顺序"
    )


def bands_overlap(*, amounts: str, first: int, second: int) -> str:
    return f"第 {first} 档和第 {second} 档重叠（{amounts}），重叠的订单按第 {first} 档审批"


def amount_in_no_band(*, amount: Decimal, consequence: str) -> str:
    return f"金额恰好 ¥{amount:,.2f} 的订单不属于任何一档，{consequence}"


def orders_in_no_band(*, amounts: str, consequence: str) -> str:
    return f"部分订单不属于任何一档（{amounts}），{consequence}"


def band_without_steps(number: int) -> str:
    return f"第 {number} 档没有审批步骤，这一档的订单不需要审批"


def band_below_condition(*, amount: Decimal, number: int) -> str:
    return f"条件要求订单金额达到 ¥{amount:,.2f}，第 {number} 档永远不会用到"


def band_out_of_scope(number: int) -> str:
    return f"第 {number} 档的部门不在适用范围或条件之内，这一档永远不会用到"


def many_copies(*, most: int, number: int) -> str:
    return (
        f"抄送的人和角色共 {number} 人，每张订单最多抄送 {most} 人："
        "先抄送指定的人，再抄送申请人所在企业的人，超出的人不会收到"
    )


def mutual_stand_ins(*, first: str, second: str) -> str:
    return f"会签的{first}和{second}互为代理人，谁也不能代对方签字"


def stand_in_signs_too(*, stand_in: str, delegator: str) -> str:
    return f"会签的{stand_in}是{delegator}的代理人，本人要签字，不能代{delegator}签字"


def same_as_rule(name: str) -> str:
    return f"与规则「{name}」完全相同，重复的审批人会自动跳过"


def covered_by_rule(name: str) -> str:
    return f"规则「{name}」已包含本规则的订单和审批人，本规则不会增加审批"


def covers_rule(name: str) -> str:
    return f"保存后，规则「{name}」的订单和审批人都已包含在本规则中"


def percent_out_of_range(most: int) -> str:
    return f"百分比须在 0 到 {most} 之间"


def days_out_of_range(most: int) -> str:
    return f"天数须在 1 到 {most} 之间"


def rule_not_valid(days: str) -> str:
    return f"不在有效期内（{days}）"


def requester_out_of_scope(scope: str) -> str:
    return f"申请人不在适用范围内（{scope}）"


def band_without_approval_steps(band: str) -> str:
    return f"{band}，没有审批步骤"


def condition_not_met(*, condition: str, fact: str) -> str:
    return f"未达到「{condition}」：{fact}"


def approved_in_step(number: int) -> str:
    return f"已在第 {number} 步审批，自动跳过"


def approved_by_another(number: int) -> str:
    return f"或签的审批人已在第 {number} 步审批，自动跳过"


def step_skipped(number: int) -> str:
    return f"第 {number} 步审批人已审批过，自动跳过"
