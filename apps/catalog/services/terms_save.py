"""Write price lists, assortments and agreements from the back office, each with its CatalogChange."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import structlog
from django.db import models, transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.models import (
    Agreement,
    Assortment,
    AssortmentRule,
    Brand,
    Category,
    CustomerAgreement,
    HotKeyword,
    MenuGroup,
    OwnName,
    PriceList,
    PriceListItem,
    Product,
    ProductDocument,
    ProductImage,
    ScenarioKind,
    SearchSynonym,
    SelectionScenario,
)
from apps.catalog.services.changes import change_record
from apps.catalog.services.price_moves import Moved, price_moves_record
from apps.common.files.variants import pictures_stored

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
# What a change of a row is told as: its kind, and its key.
TOLD_AS: dict[type[models.Model], tuple[ChangeKind, Callable[[Any], str]]] = {
    PriceList: (ChangeKind.PRICE, lambda row: row.code),
    PriceListItem: (ChangeKind.PRICE, lambda row: f"{row.price_list.code}:{row.product.code}"),
    Assortment: (ChangeKind.ASSORTMENT, lambda row: row.code),
    AssortmentRule: (ChangeKind.ASSORTMENT, lambda row: row.assortment.code),
    Agreement: (ChangeKind.AGREEMENT, lambda row: row.code),
    CustomerAgreement: (ChangeKind.AGREEMENT, lambda row: f"{row.group.code}:{row.agreement.code}"),
    Product: (ChangeKind.PRODUCT, lambda row: row.code),
    ProductImage: (ChangeKind.PRODUCT, lambda row: row.product.code),
    ProductDocument: (ChangeKind.PRODUCT, lambda row: row.product.code),
    OwnName: (ChangeKind.PRICE, lambda row: f"own:{row.group_id}:{row.product.code}"),
    Brand: (ChangeKind.PRODUCT, lambda row: f"brand:{row.code}"),
    Category: (ChangeKind.CATEGORY, lambda row: row.code),
    HotKeyword: (ChangeKind.SEARCH, lambda row: f"hot:{row.keyword}"),
    SearchSynonym: (ChangeKind.SEARCH, lambda row: row.word),
    SelectionScenario: (ChangeKind.CATEGORY, lambda row: f"scenario:{row.code}"),
    ScenarioKind: (ChangeKind.CATEGORY, lambda row: f"scenario:{row.scenario.code}"),
    MenuGroup: (ChangeKind.CATEGORY, lambda row: f"group:{row.code}"),
}


@transaction.atomic
def catalogue_row_save(*, actor: Account | None, row: models.Model) -> None:
    """Save a row that nothing is derived from, and tell of it."""
    price_was = _price_of(row)
    row.save()
    if isinstance(row, PriceListItem):
        price_moves_record([Moved(row.pk, row.product_id, price_was, row.price)])
    if isinstance(row, ProductImage):
        pictures_stored(paths=[row.path])
    _told(actor, row, "saved")


def _price_of(row: models.Model) -> Decimal | None:
    """Return what a row of a price list asks for its product before it is saved, locked; None for a new one and for all else."""
    if not isinstance(row, PriceListItem) or row.pk is None:
        return None
    stored = PriceListItem.objects.filter(pk=row.pk, product=row.product_id, price_list=row.price_list_id)
    price: Any = stored.select_for_update(no_key=True).values_list("price", flat=True).first()
    return cast("Decimal | None", price)


@transaction.atomic
def catalogue_row_delete(*, actor: Account | None, row: models.Model) -> None:
    """Delete a row, and tell of it; raises ProtectedError where something still refers to it."""
    _told(actor, row, "deleted")
    row.delete()


def _told(actor: Account | None, row: models.Model, what: str) -> None:
    kind, key = TOLD_AS[type(row)]
    change_record(kind, key(row))
    log.info("catalogue_row", what=what, model=row._meta.label, key=key(row), actor=actor.pk if actor else None)
