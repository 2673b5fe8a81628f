"""What is approved: approvals know a subject, never an order; the subject's app registers how to lock it and what a decision does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class SubjectLine:
    """One line of a subject, as rules look at it; the category ids are those of all three levels."""

    product_id: int
    category_ids: tuple[int, ...]
    quantity: int


@dataclass(frozen=True, slots=True)
class ApprovalSubject:
    """What rules are matched against; `amount` in 元 含税.

    A subject that was submitted in parts is judged as the whole: `whole_amount` is what all its parts cost, `lines` are those of all.
    """

    requester: Account
    amount: Decimal
    payment_kind: str
    is_over_budget: bool = False
    over_budget_needs_approval: bool = False
    # More is owed on account than the supplier allows: its own people decide.
    over_credit_needs_approval: bool = False
    lines: tuple[SubjectLine, ...] = field(default_factory=tuple)
    whole_amount: Decimal | None = None

    @property
    def judged_amount(self) -> Decimal:
        """What rules compare with their limits."""
        return self.amount if self.whole_amount is None else self.whole_amount


@dataclass(frozen=True, slots=True)
class LineNow:
    """One line of a subject as it stands, for who is to lower it."""

    line_id: int
    name: str
    unit: str
    quantity: int


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line of a subject, was → is; `after` 0: it is dropped."""

    line_id: int
    code: str
    name: str
    unit: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure of a subject in 元, was → is, by the name it has on the screen."""

    name: str
    before: Decimal
    after: Decimal


@dataclass(frozen=True, slots=True)
class SubjectAmendment:
    """What lower quantities make of a subject: as rules looked at it, as they look at it now, and the difference in words."""

    before: ApprovalSubject
    after: ApprovalSubject
    lines: tuple[LineChange, ...]
    figures: tuple[FigureChange, ...]


class SubjectHandler(Protocol):
    """Registered by the subject's app at start-up under its type, e.g. "order"."""

    def lock(self, *subject_ids: int) -> None:
        """Lock the subjects' rows, by key, before their approvals' (locks: order → approval → budget → stock)."""

    def lock_held(self, *subject_ids: int) -> None:
        """Lock all that these subjects, locked before, give back when they are rejected: of several in one transaction at once."""

    def approved(self, subject_id: int, *, actor: Account | None) -> None:
        """The last step has passed."""

    def rejected(self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None) -> None:
        """Somebody has rejected it, in another's place where `acting_for` says so."""

    def noted(self, subject_id: int, *, actor: Account | None, kind: str, note: str, acting_for: Account | None = None) -> None:
        """Something happened on the way: write it into the subject's timeline (kinds: `approval.*`)."""

    def lines(self, subject_id: int) -> list[LineNow]:
        """Return its lines in their order."""

    def amendment(self, subject_id: int, *, quantities: Mapping[int, int]) -> SubjectAmendment:
        """Return what the quantities ({line: quantity}, 0 drops it) would make of the subject; nothing is written.

        Raises:
            ValidationFailed, QuantityIllegal: a quantity rises, is not legal, nothing changes, nothing is left, or the whole grows dearer.
        """

    def amend(
        self, subject_id: int, *, quantities: Mapping[int, int], actor: Account, reason: str, acting_for: Account | None = None
    ) -> SubjectAmendment:
        """Make the change of `amendment` to the subject locked before, with all that it holds, and write it into its timeline."""


_handlers: dict[str, SubjectHandler] = {}
_office_pages: dict[str, str] = {}


def register_subject(subject_type: str, handler: SubjectHandler, *, office_page: str = "") -> None:
    """Register the handler of a subject type, and the route of its back-office page; call it in AppConfig.ready()."""
    _handlers[subject_type] = handler
    _office_pages[subject_type] = office_page


def subject_office_page(subject_type: str) -> str:
    """Return the name of the route that shows a subject to staff by its id, or "" where it has none."""
    return _office_pages.get(subject_type, "")


def subject_handler(subject_type: str) -> SubjectHandler:
    """Return the handler; KeyError is a programming error."""
    return _handlers[subject_type]
