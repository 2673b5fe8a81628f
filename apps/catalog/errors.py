"""What the catalogue refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.common.errors import DomainError, Forbidden, NotFound, WrongState

if TYPE_CHECKING:
    from apps.catalog.services.imports.report import ImportReport


class ProductNotFound(NotFound):
    message = "该商品不存在，或不在您的采购目录内"


class FavoritesFull(DomainError):
    code = "too_large"
    message = "收藏夹最多放 500 种商品，请先整理收藏夹再添加"


class NotInCatalogue(DomainError):
    code = "not_in_catalogue"
    message = "该商品不在您的采购目录内，请更换商品或联系客服"


class OffSale(DomainError):
    code = "off_sale"
    message = "该商品已下架，请更换其他商品"


class StockShort(DomainError):
    code = "stock_short"
    message = "库存不足，请减少数量或更换商品"


class QuantityIllegal(DomainError):
    code = "quantity_illegal"
    message = "购买数量不符合起订量或增量要求，请调整数量"


class OwnCodeTaken(DomainError):
    """The group has this material code already; `product_code` names where."""

    code = "validation"
    message = "该物料号已用于其他商品，请核对后重新填写"

    def __init__(self, product_code: str = "") -> None:
        super().__init__(f"该物料号已用于商品 {product_code}，请核对后重新填写" if product_code else "")


class ScenarioUnknown(DomainError):
    code = "validation"
    message = "该选品场景不存在或已停用，请重新选择场景"


class ImageKeyExpired(DomainError):
    code = "image_key_expired"
    message = "以图搜索的结果已失效，请重新上传图片"


class InquiryNotFound(NotFound):
    message = "询价单不存在，或您无权查看"


class NotYourInquiry(Forbidden):
    message = "只有询价人或集团管理员可以操作该询价单"


class QuoteRefused(DomainError):
    """A quote that cannot be given as it stands; the message says which line and why."""

    code = "validation"
    message = "报价有误，请检查后重新提交"


class QuoteExpired(WrongState):
    message = "报价已过有效期，请重新询价"


class InquiryFull(WrongState):
    message = "该询价单的留言已达上限，请致电客服或发起新的询价"


class PricePlanStale(WrongState):
    message = "预览之后价格有变化，未作任何调整，请重新预览"


class PricePlanRefused(DomainError):
    """A mass change that cannot be made as it stands; the message says how many rows and which first."""

    code = "validation"
    message = "没有可以调整的价格，请检查范围和规则"


class AlarmSeen(WrongState):
    message = "该预警已由同事确认，无需重复处理"


class BatchUndone(WrongState):
    message = "该批次已撤销过，不能再次撤销"


class BatchOvertaken(WrongState):
    message = "本批写入的内容之后都已被改动，没有可以恢复的；如需恢复，请先撤销之后的批次"


class PictureBatchWritten(WrongState):
    message = "该批次已写入或已取消，请重新上传"


class PictureBatchNotWritten(WrongState):
    message = "该批次尚未写入，没有可撤销的图片"


class PictureBatchWaits(WrongState):
    message = "还有图片没有检查完，请等检查结束后再写入"


class PictureBatchFull(DomainError):
    """More files than one batch takes; those that came before stay in it."""

    code = "validation"
    message = "一批图片过多，请分批上传"


class CategoryTreeStale(WrongState):
    message = "类目的顺序已被同事改动，未作任何移动；页面已刷新，请按最新顺序重试"


class CategoryMoveRefused(DomainError):
    """The tree's rules forbid the place; the message says which."""

    code = "validation"
    message = "该类目不能移动到这里"


class ImportRefused(DomainError):
    """At least one cell of a file was refused, so nothing of it was written; `report` lists them by row and column."""

    code = "validation"
    message = "文件中有错误，未导入任何数据，请按提示修改后重新上传"

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        first = f"：{report.errors[0]}" if report.errors else ""
        super().__init__(f"共 {report.error_count} 处错误，未导入任何数据{first}")


class StockBelowReserved(DomainError):
    code = "validation"
    message = "库存不能小于订单已预占的数量，请先处理订单"
