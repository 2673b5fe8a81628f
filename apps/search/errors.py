"""Errors of the customer's catalogue."""

from apps.catalog.errors import ProductNotFound
from apps.common.errors import DomainError, NotFound, WrongState


class FavoritesFull(DomainError):
    code = "too_large"
    message = "收藏夹最多放 500 种商品，请先整理收藏夹再添加"


class ImageKeyExpired(DomainError):
    code = "image_key_expired"
    message = "以图搜索的结果已失效，请重新上传图片"


class ProductNotInList(ProductNotFound):
    message = "该商品不在列表中，请刷新后重试"


class DocumentUnavailable(ProductNotFound):
    message = "该资料不存在，或已被更新，请刷新页面后重试"


class DeviceUnavailable(NotFound):
    message = "该机型不存在，或已被删除，请重新选择"


class RestockInStock(WrongState):
    message = "该商品现在有货，可以直接购买"


class RemindersFull(DomainError):
    code = "too_large"
    message = "到货提醒最多登记 100 种商品，请先在“用户中心 → 到货提醒”移除不再需要的"
