"""Errors of price lists and agreements."""

from apps.common.errors import DomainError, WrongState


class OwnCodeTaken(DomainError):
    """The group uses this material code for another product. The message contains
    `product_code`.
    """

    code = "validation"
    message = "该物料号已用于其他商品，请核对后重新填写"

    def __init__(self, product_code: str = "") -> None:
        super().__init__(
            f"该物料号已用于商品 {product_code}，请核对后重新填写" if product_code else ""
        )


class PricePlanStale(WrongState):
    message = "预览之后价格有变化，未作任何调整，请重新预览"


class PricePlanRefused(DomainError):
    """The price batch cannot be applied. The message gives the number of refused rows and the
    first one.
    """

    code = "validation"
    message = "没有可以调整的价格，请检查范围和规则"


class AlarmSeen(WrongState):
    message = "该预警已由同事确认，无需重复处理"


class PriceRowGone(WrongState):
    message = "该价目已被同事删除或新增，请刷新页面核对后重新填写"


class ProductGone(WrongState):
    message = "该商品已被同事删除，请刷新页面核对"


class PriceRowMoved(WrongState):
    message = "已有价目不能改到其他价目表或商品，请删除后另行新增"


class PriceSheetGone(WrongState):
    message = "这份价目表格已不在等待复核，请驳回后由提出人重新上传"


class ProductsNotRepriced(PricePlanRefused):
    """`code` and `refusal` are those of the first of `count` products."""

    def __init__(self, *, count: int, code: str, refusal: str) -> None:
        super().__init__(f"{count} 个商品不能这样调价，例如 {code}：{refusal}")
