"""Chinese texts of returns: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

NOT_RECEIVED = "尚未签收，签收后可申请"
ALL_RETURNED = "已签收的数量都在售后中或已退回"
RETURN_BY_OTHERS = "只有下单人或集团管理员可以为该订单申请售后"


def return_period_over(*, kind: str, last_day: str, name: str) -> str:
    return f"以“{name}”申请{kind}的期限已过{last_day}，如有质量问题请改选原因"


def opened_goods_refused(*, kind: str, exception: str) -> str:
    return f"已拆封的商品不支持无理由{kind}{exception}"


def kind_not_supported(kind: str) -> str:
    return f"该类商品不支持{kind}"


def period_over(*, kind: str, last_day: str) -> str:
    return f"已过{kind}期限（截至 {last_day}）"
