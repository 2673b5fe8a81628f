"""Chinese texts of requisitions: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

IN_YOUR_CART = "已在您的购物车中"
ALL_ORDERED = "已全部下单"


def requisition_not_open(state: str) -> str:
    return f"申请{state}，请刷新查看"


def in_cart_of(name: str) -> str:
    return f"{name}正在采购"


def less_left(*, left: int, unit: str) -> str:
    return f"只剩 {left} {unit}未下单，请调整数量"
