"""Errors of the customer's catalogue."""

from apps.common.errors import DomainError


class FavoritesFull(DomainError):
    code = "too_large"
    message = "收藏夹最多放 500 种商品，请先整理收藏夹再添加"


class ImageKeyExpired(DomainError):
    code = "image_key_expired"
    message = "以图搜索的结果已失效，请重新上传图片"
