"""Chinese texts of invoices: problems that a page or a sheet lists.
Errors have their texts in errors.py.
"""

MARK_BEFORE_ISSUE = "尚未开具，开具后才能登记"
MARK_WITHOUT_NOTE = "登记“有问题”须填写说明"
DEDUCTION_OF_ORDINARY_INVOICE = "普通发票不能抵扣，只有专用发票可以登记“已抵扣”"
DEDUCTION_OF_RED_INVOICE = "红字发票或已全部红冲的发票不能登记“已抵扣”"
INVOICE_NO_MISSING = "请填写发票号码"
INVOICE_UNKNOWN = "发票不存在，或不在您的数据范围内"
INVOICE_AMBIGUOUS = "有多张发票是这个号码，请填写发票代码"
STATEMENT_SIDE = "对账单"
RECEIPT_SIDE = "我方收货"
QUANTITY_NOT_INTEGER = "数量须为整数，例如 12；退货冲减的数量填负数"
AMOUNT_OUT_OF_RANGE = "金额须在 100 亿元以内"


def invoice_repeated(first: int) -> str:
    return f"与第 {first} 行是同一张发票，请合并为一行"


def mark_unknown(*, name: str, choices: str) -> str:
    return f"处理状态“{name}”不存在，请填写：{choices}"


def mark_missing(choices: str) -> str:
    return f"请填写处理状态：{choices}"


def note_too_long(most: int) -> str:
    return f"说明最多 {most} 个字"


def match_reference(*, order_ref: str, material_code: str) -> str:
    return f"订单 {order_ref}，物料 {material_code}"


def match_line(*, result: str, reference: str, ours: str, theirs: str) -> str:
    return f"收货核对{result}：{reference}，{ours}，{theirs}"


def side_without(side: str) -> str:
    return f"{side}没有"


def side_pieces(*, side: str, quantity: int) -> str:
    return f"{side} {quantity} 件"


def value_missing(title: str) -> str:
    return f"请填写{title}"


def value_too_long(title: str) -> str:
    return f"{title}最多 60 个字"


def quantity_out_of_range(most: int) -> str:
    return f"数量须在 {most:,} 以内"
