"""Products and their descriptions. The tables are normalised; no data is copied per customer."""

from apps.catalog.models.change import CatalogChange
from apps.catalog.models.document import ProductDocument
from apps.catalog.models.picture_batch import PictureBatch, PictureBatchRow
from apps.catalog.models.product import Product, ProductImage
from apps.catalog.models.stock import StockMovement
from apps.catalog.models.suggest_term import SuggestTerm
from apps.catalog.models.taxonomy import Brand, Category, MenuGroup

__all__ = [
    "Brand",
    "CatalogChange",
    "Category",
    "MenuGroup",
    "PictureBatch",
    "PictureBatchRow",
    "Product",
    "ProductDocument",
    "ProductImage",
    "StockMovement",
    "SuggestTerm",
]
