"""Errors of the customer's catalogue."""

from apps.catalog.errors import ProductNotFound
from apps.common.errors import DomainError


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
