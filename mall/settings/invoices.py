"""The seller, the highest amount of an invoice, and the gateway that issues it."""

from decimal import Decimal

import environ

env = environ.Env()

# 销售方: printed on each invoice and stored with it.
INVOICE_SELLER: dict[str, str] = {
    "Name": env("INVOICE_SELLER_NAME", default="文采商城示例商贸有限公司"),
    "TaxNumber": env("INVOICE_SELLER_TAX_NUMBER", default="91310000000000000U"),
    "Address": env("INVOICE_SELLER_ADDRESS", default="上海市浦东新区示例路 1 号"),
    "Phone": env("INVOICE_SELLER_PHONE", default="021-00000000"),
    "Bank": env("INVOICE_SELLER_BANK", default="示例银行上海浦东支行"),
    "BankAccount": env("INVOICE_SELLER_BANK_ACCOUNT", default="3100000000000000001"),
}
# Maximum amount of one invoice, 元 含税.
INVOICE_AMOUNT_LIMIT: Decimal = Decimal(env("INVOICE_AMOUNT_LIMIT", default="1000000.00"))
# Tax rate and 税收分类编码 of freight (运费).
INVOICE_FREIGHT_TAX_RATE: Decimal = Decimal(env("INVOICE_FREIGHT_TAX_RATE", default="0.09"))
INVOICE_FREIGHT_TAX_CODE: str = env("INVOICE_FREIGHT_TAX_CODE", default="3010102020100000000")
# Gateway that issues 数电 invoices. If empty, staff issue them by hand.
INVOICE_GATEWAY: str = env("INVOICE_GATEWAY", default="demo")
INVOICE_DEMO_DELAY_SECONDS: int = env.int("INVOICE_DEMO_DELAY_SECONDS", default=3)
