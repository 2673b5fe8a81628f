"""What the catalogue refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.common.errors import DomainError, NotFound

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
