"""The catalogue: normalised, the only truth, no per-customer copy (catalogue.md, Tables)."""

from apps.catalog.models.agreement import Agreement, Assortment, AssortmentRule, CustomerAgreement
from apps.catalog.models.change import AgreementsVersion, CatalogChange
from apps.catalog.models.favorite import Favorite
from apps.catalog.models.price import PriceList, PriceListItem
from apps.catalog.models.product import Product, ProductImage
from apps.catalog.models.search import SearchLog, SuggestTerm
from apps.catalog.models.stock import StockMovement
from apps.catalog.models.taxonomy import Brand, Category, MenuGroup

__all__ = [
    "Agreement",
    "AgreementsVersion",
    "Assortment",
    "AssortmentRule",
    "Brand",
    "CatalogChange",
    "Category",
    "CustomerAgreement",
    "Favorite",
    "MenuGroup",
    "PriceList",
    "PriceListItem",
    "Product",
    "ProductImage",
    "SearchLog",
    "StockMovement",
    "SuggestTerm",
]
