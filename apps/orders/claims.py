"""What was missing or broken when the goods came: the app that has after-sales takes it on, and registers so in AppConfig.ready.

`claim_register(handler)`; `handler(order=, actor=, claims=)` is called inside the transaction of the receipt, with the order locked and
`received_quantity` written: the pieces count as received, and it opens a return of them at once. 少件 needs nothing sent back.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Claim:
    """Pieces of an order line that did not come (`short`) or came broken (`damaged`); `kind` is an enums.ClaimKind."""

    order_line_id: int
    quantity: int
    kind: str
    note: str = ""
    # Pictures that the actor has uploaded: StoredFile.public_id; the handler refuses another's.
    file_ids: tuple[uuid.UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """What a claim opened, in words; without its number where the actor may not open its page."""

    number: str
    text: str


class ClaimHandler(Protocol):
    """Opens returns of what is claimed, and says which."""

    def __call__(self, *, order: Order, actor: Account, claims: Sequence[Claim]) -> Sequence[Opened]: ...


_handlers: list[ClaimHandler] = []


def claim_register(handler: ClaimHandler) -> None:
    """Let the handler take on what is claimed at receipt; the last one registered does."""
    _handlers.append(handler)


def claims_are_taken() -> bool:
    """Whether anything takes claims on; where nothing does, none are offered."""
    return bool(_handlers)


def claims_open(*, order: Order, actor: Account, claims: Sequence[Claim]) -> Sequence[Opened]:
    """Hand the claims to whatever takes them on, and return what it opened."""
    return _handlers[-1](order=order, actor=actor, claims=claims)
