"""Say what the group itself calls a product, and which material code it has for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import IntegrityError, transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import OwnCodeTaken, ProductNotFound
from apps.catalog.models import OwnName
from apps.catalog.selectors.context import catalogue_context
from apps.catalog.selectors.offers import Offer, offers_by_code
from apps.catalog.services.changes import change_record

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)


@transaction.atomic
def own_name(*, actor: Account, product_code: str, name: str, code: str) -> Offer:
    """Return the offer under its new name and code for the whole group; both empty give the agreement's again.

    Raises:
        ProductNotFound: there is none, or the actor may not see it.
        OwnCodeTaken: the group has given the code to another product.
    """
    offer = _seen(actor, product_code)
    kept = OwnName.objects.filter(product=offer.product)
    if not name and not code:
        kept.delete()
    else:
        _write(actor, offer, name, code)
    change_record(ChangeKind.PRICE, f"own:{actor.group_id}:{product_code}")
    log.info("own_name", product=product_code, group=actor.group_id, actor=actor.pk, cleared=not (name or code))
    return _seen(actor, product_code)


def _write(actor: Account, offer: Offer, name: str, code: str) -> None:
    taken = OwnName.objects.exclude(product=offer.product).filter(code=code).select_related("product").first() if code else None
    if taken is not None:
        raise OwnCodeTaken(taken.product.code)
    try:
        with transaction.atomic():
            OwnName.objects.update_or_create(
                group_id=actor.group_id, product=offer.product, defaults={"name": name, "code": code, "changed_by": actor}
            )
    except IntegrityError as error:  # a colleague gave it away in the same moment
        raise OwnCodeTaken from error


def _seen(actor: Account, product_code: str) -> Offer:
    offer = offers_by_code(context=catalogue_context(actor=actor), codes=[product_code]).get(product_code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    return offer
