"""Set the group's own name and material code of a product."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import IntegrityError, transaction

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import ProductNotFound
from apps.catalog.services.changes import change_record
from apps.pricing.errors import OwnCodeTaken
from apps.pricing.models import OwnName
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers_by_code

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)


@transaction.atomic
def own_name_set(*, actor: Account, product_code: str, name: str | None, code: str | None) -> Offer:
    """Set name and code for the whole group and return the offer. None leaves a value
    unchanged. If both are empty, the names of the agreements apply again.

    Raises:
        ProductNotFound: the product does not exist or is not visible to the actor.
        OwnCodeTaken: the group uses the code for another product.
    """
    offer = _get_visible_offer(actor, product_code)
    if name is None and code is None:
        return offer
    rows = OwnName.objects.filter(product=offer.product)
    present = rows.select_for_update().first()
    if name is None:
        name = present.name if present else ""
    if code is None:
        code = present.code if present else ""
    if not name and not code:
        rows.delete()
    else:
        _save_own_name(actor, offer, name, code)
    change_record(ChangeKind.PRICE, f"own:{actor.group_id}:{product_code}")
    log.info(
        "own_name",
        product=product_code,
        group=actor.group_id,
        actor=actor.pk,
        cleared=not (name or code),
    )
    return _get_visible_offer(actor, product_code)


def _save_own_name(actor: Account, offer: Offer, name: str, code: str) -> None:
    """Save the name and code of the group. Refuse a code that another product has."""
    other_name = (
        OwnName.objects.exclude(product=offer.product)
        .filter(code=code)
        .select_related("product")
        .first()
        if code
        else None
    )
    if other_name is not None:
        raise OwnCodeTaken(other_name.product.code)
    try:
        with transaction.atomic():
            OwnName.objects.update_or_create(
                group_id=actor.group_id,
                product=offer.product,
                defaults={"name": name, "code": code, "changed_by": actor},
            )
    except IntegrityError as error:  # a colleague assigned the code at the same time
        raise OwnCodeTaken from error


def _get_visible_offer(actor: Account, product_code: str) -> Offer:
    offer = get_offers_by_code(
        context=get_catalogue_context(actor=actor), codes=[product_code]
    ).get(product_code)
    if offer is None or not offer.visible:
        raise ProductNotFound
    return offer
