"""Claims at receipt: missing or damaged goods. The app with after-sales adds the handler.

The handler runs inside the transaction of the receipt. The order is locked and `received_quantity`
is written, so the pieces count as received. The handler opens a return of them at once. For 少件
nothing is sent back.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from apps.common.hooks import Hook

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Claim:
    """Pieces of an order line that are missing (`short`) or damaged (`damaged`). `kind` is an
    enums.ClaimKind.
    """

    order_line_id: int
    quantity: int
    kind: str
    note: str = ""
    # StoredFile.public_id of pictures. The handler refuses files that the actor has not uploaded.
    file_ids: tuple[uuid.UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenedReturn:
    """A return that a claim opened, as text. `number` is empty if the actor may not open its
    page.
    """

    number: str
    text: str


class ClaimHandler(Protocol):
    """Opens returns for claims and returns them."""

    def __call__(
        self, *, order: Order, actor: Account, claims: Sequence[Claim]
    ) -> Sequence[OpenedReturn]: ...


CLAIM_HANDLER: Hook[ClaimHandler] = Hook()
