"""Products and their descriptions. The tables are normalised; no data is copied per customer."""

from apps.catalog.models.change import CatalogChange
from apps.catalog.models.family import FamilyMember, ProductFamily
from apps.catalog.models.picture_batch import PictureBatch, PictureBatchRow
from apps.catalog.models.product import (
    Product,
    ProductDocument,
    ProductImage,
    StockMovement,
    SuggestTerm,
)
from apps.catalog.models.taxonomy import Brand, Category, MenuGroup

__all__ = [
    "Brand",
    "CatalogChange",
    "Category",
    "FamilyMember",
    "MenuGroup",
    "PictureBatch",
    "PictureBatchRow",
    "Product",
    "ProductDocument",
    "ProductFamily",
    "ProductImage",
    "StockMovement",
    "SuggestTerm",
]
