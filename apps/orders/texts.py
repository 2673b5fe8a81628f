"""Chinese texts of orders: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

from decimal import Decimal

from apps.org.enums import AddressScope

ORDER_ABOVE_CEILING = "订单金额超出单笔上限，请减少数量或分批下单"
ACTOR_WITHOUT_ENTERPRISE = "您的账号未归属企业，不能下单，请联系管理员"
ADDRESS_MISSING = "请先选择或新增收货地址"
TITLE_MISSING = "请先选择开票抬头，没有抬头请联系管理员维护"
TITLE_WITHOUT_QUALIFICATION = "该抬头的专票资质尚未审核，请改开普票或更换抬头"
CREDIT_NOT_OPENED = "贵企业未开通月结，请更换付款方式"
LINE_NOT_QUOTED = "该商品不在这张报价单中，请返回报价单核对"
LINE_LEFT_CART = "该商品已不在购物车中，可能已提交或删除，请返回购物车核对"
ADDRESS_OF_OTHERS = "该地址属于其他部门或企业，请另选地址，或为这些商品选择该地址所属的部门"
ADDRESS_UNAVAILABLE = "收货地址不存在或已停用，请重新选择"
BUDGET_USED_UP = "已用完"


# What to choose instead of an address beyond the scope.
ALLOWED_ADDRESSES: dict[str, str] = {
    AddressScope.OWN: "本人的收货地址",
    AddressScope.DEPARTMENT: "本人或所在部门的收货地址",
}


def address_beyond_scope(scope: AddressScope, *, owner: str) -> str:
    return (
        f"您的{owner}可用的收货地址为“{scope.label}”，不能使用该地址，"
        f"请改选{ALLOWED_ADDRESSES[scope]}，或联系集团管理员调整"
    )


def credit_exceeded(*, available: Decimal, needed: Decimal, limit: Decimal, used: Decimal) -> str:
    return (
        f"月结信用额度 ¥{limit:,.2f}，未结 ¥{used:,.2f}，可用 "
        f"¥{available:,.2f}，"
        f"本单需要 ¥{needed:,.2f}，请减少采购金额、更换付款方式，或先结清货款、"
        "联系客户经理调整额度"
    )


def limit_exceeded(reason: str) -> str:
    return f"{reason}，请减少采购金额，改为提交采购申请，或联系集团管理员调整限额"


def price_changed(*, name: str, before: Decimal, now: Decimal) -> str:
    return f"“{name}”价格已由 ¥{before:,.2f} 变为 ¥{now:,.2f}，请确认"


def requisition_refused(*, requester: str, requisition_no: str, problem: str) -> str:
    return f"{requester}的采购申请 {requisition_no}{problem}"


def line_of_ended_requisition(*, name: str, requisitions: str) -> str:
    return f"“{name}”来自{requisitions}，请从购物车移出后重试"


def requisitions_above_quantity(*, name: str, requested: int, unit: str, quantity: int) -> str:
    return (
        f"“{name}”中有 {requested} {unit}"
        f"来自采购申请，现仅 {quantity} {unit}，"
        "请改回数量，或移出购物车后重新选择申请数量"
    )


def deliveries_differ(*, name: str, unit: str, delivered: int, quantity: int) -> str:
    return f"“{name}”共 {quantity} {unit}，各地址合计 {delivered} {unit}，请调整到一致"


def quantity_rule(*, minimum: int, step: int, unit: str) -> str:
    return f"起订量 {minimum} {unit}，增量 {step} {unit}"


def delivery_quantity_against_rule(
    *, name: str, quantity: int, unit: str, receiver: str, rule: str
) -> str:
    return (
        f"送给{receiver}的“{name}”{quantity} {unit}不符合要求（{rule}），每个地址单独成单，请调整"
    )


def allocated_line_gone(kind: str) -> str:
    return f"{kind}分摊的商品已不在本单中，请刷新后重新分摊"


def dimension_unavailable(kind: str) -> str:
    return f"所选{kind}不存在或不属于贵集团，请刷新后重新选择"


def percents_not_whole(*, kind: str, total: Decimal) -> str:
    return f"{kind}的分摊比例合计 {total:.2f}%，须为 100%，请调整"


def percents_and_amounts_mixed(kind: str) -> str:
    return f"{kind}的分摊请全部填写比例，或全部填写金额"


def amounts_of_whole_order(kind: str) -> str:
    return f"整单分摊{kind}请填写比例；按金额分摊请逐个商品填写"


def amounts_differ(*, kind: str, allocated: Decimal, line_amount: Decimal) -> str:
    return f"{kind}的分摊金额合计 ¥{allocated:,.2f}，该商品为 ¥{line_amount:,.2f}，请调整到一致"


def cost_center_unknown(code: str) -> str:
    return f"成本中心“{code}”不在贵集团的成本中心内，请从列表中选择"


def enterprise_disabled(name: str) -> str:
    return f"“{name}”已停用，不能提交新订单，请联系贵司管理员"


def payment_kind_not_offered(kind: str) -> str:
    return f"贵司未开放“{kind}”，请更换付款方式"


def payment_kind_of_other_people(kind: str) -> str:
    return f"您的账号不能使用“{kind}”，请更换付款方式"


def payment_kind_of_other_roles(kind: str) -> str:
    return f"您的角色不能使用“{kind}”，请更换付款方式"


def invoice_kind_not_offered(kind: str) -> str:
    return f"贵司未开放“{kind}”，请更换发票种类"


def credit_needs_approval(*, limit: Decimal, used: Decimal, amount: Decimal) -> str:
    return (
        f"超出月结信用额度 ¥{limit:,.2f}（未结 ¥{used:,.2f}，本单 ¥{amount:,.2f}，"
        "超出时由平台审批）"
    )


def budget_available(available: Decimal) -> str:
    return f"可用 ¥{available:,.2f}"


def budget_passed_over(*, name: str, available: str, is_blocking: bool, used_name: str) -> str:
    policy = "超出禁止下单" if is_blocking else "超出须审批"
    return f"预算“{name}”{available}，{policy}，改用预算“{used_name}”"


def budget_exceeded(name: str) -> str:
    return f"超出预算“{name}”的余额（预算要求超出时审批）"


def parent_budget_exceeded(name: str) -> str:
    return f"超出上级预算“{name}”的余额（预算要求超出时审批）"


def earmark_exceeded(*, name: str, earmark: str) -> str:
    return f"超出专项预算“{name}”（{earmark}）的余额（预算要求超出时审批）"
