"""今日工作 as one table, for the cards of the first page and the filter of the order list."""

# kind of staff_work → (title, icon)
WORK: dict[str, tuple[str, str]] = {
    "to_confirm": ("待确认", "fact_check"),
    "to_ship": ("待发货（含部分发货）", "local_shipping"),
    "overdue": ("超时未发货", "schedule"),
    "unpaid": ("待在线支付", "payments"),
    "unsettled": ("待到账（公司转账）", "account_balance"),
    "today": ("今日下单", "today"),
}
