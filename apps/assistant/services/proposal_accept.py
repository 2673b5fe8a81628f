"""Add a proposal to the person's cart after his click, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.assistant.enums import ProposalStatus
from apps.assistant.errors import NotProposed, ProposalNotFound, ProposalUsed
from apps.assistant.models import CartProposal
from apps.cart.services.cart_add import cart_add

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from apps.org.models import Account


@transaction.atomic
def proposal_accept(
    *, actor: Account, public_id: UUID, quantities: Mapping[str, int] | None = None
) -> int:
    """Add the proposed products, or those named in `quantities`, to the cart. Return the number of
    products in the cart.

    Raises:
        ProposalNotFound: the actor has no such proposal.
        ProposalUsed: the proposal was already accepted.
        ValidationFailed: a product is not part of the proposal.
        NotInCatalogue, OffSale, QuantityIllegal, StockShort, CartFull: the cart refuses a product;
            the proposal stays open.
    """
    proposal: CartProposal | None = CartProposal.objects.filter(
        account=actor, public_id=public_id
    ).first()
    if proposal is None:
        raise ProposalNotFound
    accepted = proposal.quantities if quantities is None else dict(quantities)
    if not accepted.keys() <= proposal.quantities.keys():
        raise NotProposed
    open_proposals = CartProposal.objects.filter(pk=proposal.pk, status=ProposalStatus.OPEN)
    if not open_proposals.update(status=ProposalStatus.ACCEPTED, accepted_at=timezone.now()):
        raise ProposalUsed
    return cart_add(actor=actor, quantities=accepted)
