"""The catalogue: normalised, the only truth, no per-customer copy."""

from apps.catalog.models.agreement import Agreement, Assortment, AssortmentRule, CustomerAgreement
from apps.catalog.models.change import AgreementsVersion, CatalogChange
from apps.catalog.models.document import ProductDocument
from apps.catalog.models.favorite import Favorite
from apps.catalog.models.hot_keyword import HotKeyword
from apps.catalog.models.inquiry import ProductInquiry, ProductInquiryLine, ProductInquiryMessage, ProductInquiryPicture
from apps.catalog.models.own import OwnName
from apps.catalog.models.picture import ImageSearch, PictureVector, PictureVersion
from apps.catalog.models.picture_batch import PictureBatch, PictureBatchRow
from apps.catalog.models.price import PriceList, PriceListItem
from apps.catalog.models.price_alarm import PriceAlarm
from apps.catalog.models.price_batch import PriceBatch, PriceBatchRow
from apps.catalog.models.price_move import PriceMove
from apps.catalog.models.product import Product, ProductImage
from apps.catalog.models.scenario import ScenarioKind, SelectionScenario
from apps.catalog.models.search import SearchLog, SearchSynonym, SuggestTerm
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
    "HotKeyword",
    "ImageSearch",
    "MenuGroup",
    "OwnName",
    "PictureBatch",
    "PictureBatchRow",
    "PictureVector",
    "PictureVersion",
    "PriceAlarm",
    "PriceBatch",
    "PriceBatchRow",
    "PriceList",
    "PriceListItem",
    "PriceMove",
    "Product",
    "ProductDocument",
    "ProductImage",
    "ProductInquiry",
    "ProductInquiryLine",
    "ProductInquiryMessage",
    "ProductInquiryPicture",
    "ScenarioKind",
    "SearchLog",
    "SearchSynonym",
    "SelectionScenario",
    "StockMovement",
    "SuggestTerm",
]
