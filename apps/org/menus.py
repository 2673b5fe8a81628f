"""The menu codes: one per entry of the user centre. The client hides entries by them and the
server enforces them.
"""

MENU_TREE: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "order": (
        "我的订单",
        (
            ("order.list", "订单列表"),
            ("order.approval", "订单审批"),
            ("order.cancel", "取消订单"),
            ("order.return", "退换货"),
        ),
    ),
    "report": (
        "报表中心",
        (
            ("report.order", "订单报表"),
            ("report.orderDetail", "订单明细报表"),
            ("report.product", "商品报表"),
            ("report.department", "部门报表"),
            ("report.purchaser", "采购人报表"),
            ("report.brand", "品牌报表"),
            ("report.savings", "节约与合规报表"),
            ("report.budget", "预算执行报表"),
        ),
    ),
    "asset": ("资产中心", (("asset.budget", "预算余额"), ("asset.dimension", "核算项"))),
    "management": (
        "管理中心",
        (
            ("management.group", "集团管理"),
            ("management.department", "部门管理"),
            ("management.account", "账号管理"),
            ("management.role", "角色管理"),
            ("management.approval", "审批规则"),
            ("management.address", "收货地址"),
        ),
    ),
    "invoice": ("发票中心", (("invoice.apply", "申请开票"), ("invoice.list", "开票记录"))),
}


class MenuCode:
    """The menu codes as constants, for views."""

    ORDER_LIST = "order.list"
    ORDER_APPROVAL = "order.approval"
    ORDER_CANCEL = "order.cancel"
    ORDER_RETURN = "order.return"
    REPORT_DEPARTMENT = "report.department"
    ASSET_BUDGET = "asset.budget"
    ASSET_DIMENSION = "asset.dimension"
    MANAGEMENT_GROUP = "management.group"
    MANAGEMENT_DEPARTMENT = "management.department"
    MANAGEMENT_ACCOUNT = "management.account"
    MANAGEMENT_ROLE = "management.role"
    MANAGEMENT_APPROVAL = "management.approval"
    MANAGEMENT_ADDRESS = "management.address"
    INVOICE_APPLY = "invoice.apply"
    INVOICE_LIST = "invoice.list"


ENTRY_CODES: tuple[str, ...] = tuple(
    code for _, entries in MENU_TREE.values() for code, _ in entries
)
ENTRY_NAMES: dict[str, str] = {
    code: name for _, entries in MENU_TREE.values() for code, name in entries
}
ALL_CODES: tuple[str, ...] = tuple(MENU_TREE) + ENTRY_CODES


def with_groups(codes: set[str]) -> list[str]:
    """Return the entry codes in menu order. The code of a menu group comes before its first
    allowed entry.
    """
    menu_codes: list[str] = []
    for group, (_, entries) in MENU_TREE.items():
        entry_codes = [code for code, _ in entries if code in codes or group in codes]
        if entry_codes:
            menu_codes += [group, *entry_codes]
    return menu_codes
