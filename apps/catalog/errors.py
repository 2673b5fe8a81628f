"""Errors of the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.common.errors import DomainError, FileRefused, Forbidden, NotFound, WrongState

if TYPE_CHECKING:
    from apps.catalog.services.imports.report import ImportReport


class ProductNotFound(NotFound):
    message = "该商品不存在，或不在您的采购目录内"


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


class BatchUndone(WrongState):
    message = "该批次已撤销过，不能再次撤销"


class BatchOvertaken(WrongState):
    message = "本批写入的内容之后都已被改动，没有可以恢复的；如需恢复，请先撤销之后的批次"


class PictureBatchAlreadyWritten(WrongState):
    message = "该批次已写入或已取消，请重新上传"


class PictureBatchNotWritten(WrongState):
    message = "该批次尚未写入，没有可撤销的图片"


class PictureBatchWaits(WrongState):
    message = "还有图片没有检查完，请等检查结束后再写入"


class PictureBatchFull(DomainError):
    """The batch would exceed its limit of files. Files added before remain in the batch."""

    code = "validation"
    message = "一批图片过多，请分批上传"

    def __init__(self, *, limit: int, existing: int, more: int) -> None:
        super().__init__(
            f"一批最多 {limit} 个文件，现有 {existing} 个，不能再加 {more} 个；请分批上传"
        )


class CategoryTreeStale(WrongState):
    message = "类目的顺序已被同事改动，未作任何移动；页面已刷新，请按最新顺序重试"


class CategoryMoveRefused(DomainError):
    """The rules of the tree forbid the new place. The message names the rule."""

    code = "validation"
    message = "该类目不能移动到这里"


class ImportRefused(DomainError):
    """At least one cell of the file was refused, so nothing was imported. `report` lists the
    refused cells by row and column.
    """

    code = "validation"
    message = "文件中有错误，未导入任何数据，请按提示修改后重新上传"

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        first = f"：{report.errors[0]}" if report.errors else ""
        outcome = report.taken_back_text or "未导入任何数据"
        super().__init__(f"共 {report.error_count} 处错误，{outcome}{first}")


class ImportOfColleague(Forbidden):
    """Another person has confirmed the sheet. `name` is empty for a run without a person."""

    def __init__(self, name: str) -> None:
        who = f"确认导入的{name}或" if name else ""
        super().__init__(f"这次导入只能由{who}超级管理员取消")


class ImportUnderWay(WrongState):
    """An equal confirm of the sheet is being written by another request."""

    def __init__(self, progress: str) -> None:
        super().__init__(f"这份文件已确认，无需再次确认：{progress}")


class ImportWaits(ImportUnderWay):
    """The sheet waits for a second person. Nothing is written."""

    def __init__(self, text: str = "") -> None:
        WrongState.__init__(
            self, text or "这份表格已提交复核、尚未生效；另一位同事在“待复核”放行后由后台写入"
        )


class SheetUnderWay(ImportUnderWay):
    """Another request of the person checks a sheet of the same kind."""

    def __init__(self) -> None:
        super().__init__("正在核对表格。刷新页面可查看进度。")


class ContentsRefused(DomainError):
    """The contents (内含数量) of a product are incomplete, or its pack (包装规格) says otherwise.
    `header` names the field that the user has to correct.
    """

    code = "validation"
    message = "内含数量与包装规格不一致，请核对"
    header = "内含数量"


class ContentsIncomplete(ContentsRefused):
    """Base unit or contents without the other."""

    def __init__(self, *, has_base_unit: bool) -> None:
        self.header = "内含数量" if has_base_unit else "基本单位"
        super().__init__("基本单位与内含数量须同时填写，或都留空")


class PackOfOtherUnit(ContentsRefused):
    """The pack describes another unit than the one that is sold."""

    header = "包装规格"

    def __init__(self, *, pack: str, packed: str, unit: str) -> None:
        super().__init__(f"包装规格“{pack}”说的是一{packed}，而单位是“{unit}”，请改成一致")


class ContentsConflict(ContentsRefused):
    """The pack states another number of base units."""

    def __init__(
        self, *, pack: str, pack_contents: str, contents: int, base_unit: str, unit: str
    ) -> None:
        super().__init__(
            f"包装规格“{pack}”写明一{unit}有 {pack_contents}{base_unit}，与内含数量 "
            f"{contents:,}{base_unit}不一致，请核对"
        )


class ContentsNotDivisible(ContentsRefused):
    """The pack counts inner packs that the base units do not fill evenly."""

    def __init__(self, *, pack: str, contents: int, base_unit: str, inner: str) -> None:
        super().__init__(
            f"内含数量 {contents:,}{base_unit}不能平均分到包装规格“{pack}”的 {inner}，请核对"
        )


class StockBelowReserved(DomainError):
    code = "validation"
    message = "库存不能小于订单已预占的数量，请先处理订单"

    def __init__(self, reserved: int) -> None:
        super().__init__(f"已有订单预占 {reserved}，库存不能小于它，请先处理订单")


class NothingUploaded(FileRefused):
    message = "请选择图片或 .zip 压缩包"


class ArchiveEmpty(FileRefused):
    message = "压缩包中没有文件"


class PictureTooLarge(FileRefused):
    def __init__(self, megabytes: int) -> None:
        super().__init__(f"文件大小不能超过 {megabytes}MB")


class ArchiveUnpacksTooLarge(FileRefused):
    message = "压缩包解压后过大，请分成几个上传"


class ProductsShort(StockShort):
    """`products`: code, name and available pieces of the products without enough stock."""

    def __init__(self, products: Sequence[tuple[str, str, int]]) -> None:
        """`products` are triples of code, name and available quantity. The message names five of
        them.
        """
        names = "、".join(f"{name}（剩余 {available}）" for _, name, available in products[:5])
        super().__init__(
            f"库存不足：{names}，请减少数量或更换商品",
            body={
                "Products": [
                    {"ProductCode": code, "Available": available} for code, _, available in products
                ]
            },
        )


class FamilyNotFound(NotFound):
    message = "该商品族不存在或已被删除"


class FamilyRefused(DomainError):
    """The family breaks a rule. `header` names the field that the user has to correct."""

    code = "validation"
    message = "商品族不符合要求，请按提示修改"
    header = "可选项"


class FamilyAxesIllegal(FamilyRefused):
    def __init__(self, *, limit: int) -> None:
        super().__init__(f"可选项须有 1 至 {limit} 个，名称不能为空，也不能重复")


class FamilyFull(FamilyRefused):
    header = "商品编码"

    def __init__(self, *, limit: int) -> None:
        super().__init__(f"一个商品族最多 {limit} 个商品，请分成几个族")


class FamilyCategoryDiffers(FamilyRefused):
    header = "商品编码"

    def __init__(self, *, product: str, category: str) -> None:
        super().__init__(f"商品 {product} 不在三级类目“{category}”中，不能加入该商品族")


class FamilyValueMissing(FamilyRefused):
    header = "可选值"

    def __init__(self, *, product: str, axis: str) -> None:
        super().__init__(f"商品 {product} 没有“{axis}”的值，请填写可选值或补充商品属性")


class FamilyValueDiffers(FamilyRefused):
    header = "可选值"

    def __init__(self, *, product: str, axis: str, value: str, stated: str) -> None:
        super().__init__(
            f"商品 {product} 的“{axis}”是“{stated}”，不能在商品族中写成“{value}”，请改成一致"
        )


class FamilyValuesTaken(FamilyRefused):
    header = "可选值"

    def __init__(self, *, product: str, other: str, values: str) -> None:
        super().__init__(f"商品 {product} 与 {other} 的可选值同为“{values}”，请区分或只保留一个")


class ProductInOtherFamily(FamilyRefused):
    header = "商品编码"

    def __init__(self, *, product: str, family: str) -> None:
        super().__init__(f"商品 {product} 已在商品族 {family} 中，请先从那里移出")
