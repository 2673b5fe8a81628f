"""The interface between approvals and the things they approve. Approvals know a subject, never
an order: the subject's app registers a handler that locks it and applies decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from apps.common.hooks import Hook
from apps.common.money import ZERO

if TYPE_CHECKING:
    from apps.org.models import Account


OVER_BUDGET_REASON = "超出预算余额（预算要求超出时审批）"


@dataclass(frozen=True, slots=True)
class OverBudget:
    """A budget that the subject exceeds, and the reason as approvers read it. `budget_id` None and
    `name` "": no stored budget (the simulator).
    """

    budget_id: int | None
    reason: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SubjectReason:
    """A reason that no rule gives, as approvers read it: a purchase limit, another budget, the
    credit limit. `basis` is what the subject's app needs to judge it again, as JSON. Approvals
    store it and do not read it.
    """

    text: str
    basis: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedReason:
    """A `SubjectReason` before and after an amendment. "": it is not met."""

    before: str
    after: str


class ReasonJudge(Protocol):
    """Judges the reasons of an amended subject that no rule gives."""

    def judge(self, bases: Sequence[Mapping[str, Any]]) -> list[JudgedReason]:
        """Return one result for each basis. The facts beside the subject are the same before and
        after, so only the amendment itself ends a reason.
        """


@dataclass(frozen=True, slots=True)
class SubjectLine:
    """One line of a subject for the rules; `category_ids` holds all three levels, the first level
    first. `amount` and `price` are in 元 including tax. `is_off_agreement`: no agreement gives the
    price.
    """

    product_id: int
    category_ids: tuple[int, ...]
    quantity: int
    amount: Decimal = ZERO
    price: Decimal = ZERO
    name: str = ""
    brand_id: int = 0
    brand: str = ""
    is_off_agreement: bool = False


@dataclass(frozen=True, slots=True)
class SubjectPart:
    """The part of a subject that one department pays for at one address. A subject that was
    submitted to several addresses has several. The keys are "" if they are unknown.
    """

    amount: Decimal
    department_key: str = ""
    department: str = ""
    address_key: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class PastNeeds:
    """What the conditions have to know about earlier orders. `sums` is {(kind, days): keys},
    `firsts` is {kind: keys}, `products` are those whose last price is needed.
    """

    sums: Mapping[tuple[str, int], frozenset[str]]
    firsts: Mapping[str, frozenset[str]]
    products: frozenset[int]

    @property
    def has_needs(self) -> bool:
        """Return whether anything has to be read."""
        return bool(self.sums or self.firsts or self.products)


@dataclass(frozen=True, slots=True)
class PastFacts:
    """Earlier orders as the conditions need them. `sums` is {(kind, days, key): 元}, `used_before`
    the keys of each kind that were used before, `last_prices` {product id: 元} of the last order.
    """

    sums: Mapping[tuple[str, int, str], Decimal] = field(default_factory=dict)
    used_before: Mapping[str, frozenset[str]] = field(default_factory=dict)
    last_prices: Mapping[int, Decimal] = field(default_factory=dict)


class SubjectHistory(Protocol):
    """The orders before a subject. They count from the submit until they end unshipped."""

    def read(self, needs: PastNeeds) -> PastFacts:
        """Return what is known of the keys in `needs`."""


@dataclass(frozen=True, slots=True)
class ApprovalSubject:
    """The values that rules are matched against; `amount` in 元 including tax.

    A subject that was submitted in parts is evaluated as a whole: `whole_amount` is the total of
    all parts, `lines` are the lines of all parts.
    """

    requester: Account
    amount: Decimal
    payment_kind: str
    is_over_budget: bool = False
    # The names of the budgets that are exceeded, whatever their policies. Empty if they are
    # unknown: in the simulator and in a replay.
    over_budget_names: tuple[str, ...] = ()
    # The budget, and the budgets above it, whose exceeding requires approval.
    over_budgets: tuple[OverBudget, ...] = ()
    # Why leaving a nearer budget, which refuses the subject, requires approval.
    left_budget: SubjectReason | None = None
    # The credit limit of the enterprise is exceeded: the supplier's staff decide.
    over_credit: SubjectReason | None = None
    # Why purchase limits of the requester require approval, one reason per exceeded limit.
    over_limits: tuple[SubjectReason, ...] = ()
    lines: tuple[SubjectLine, ...] = field(default_factory=tuple)
    whole_amount: Decimal | None = None
    parts: tuple[SubjectPart, ...] = field(default_factory=tuple)
    cost_centers: tuple[str, ...] = ()
    # (id, name) of the projects that a part of the amount is for.
    projects: tuple[tuple[str, str], ...] = ()
    # The accounts that asked for goods of the subject in a requisition. Like the requester, they
    # may not approve it.
    asker_ids: frozenset[int] = frozenset()
    history: SubjectHistory | None = None
    # Read through `history` when the rules are known.
    past: PastFacts = field(default_factory=PastFacts)

    @property
    def judged_amount(self) -> Decimal:
        """Return the amount that rules compare with their limits."""
        return self.amount if self.whole_amount is None else self.whole_amount


@dataclass(frozen=True, slots=True)
class ChargeableBudget:
    """A budget that the requester of a subject may choose."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True)
class SubjectCharges:
    """What budgets, purchase limits and credit require of a new subject, beside the rules. The
    reasons are those of `ApprovalSubject`. `choices` are the budgets that the requester
    may choose, the nearest first; `budget_id` is the charged one. `refusals` are the messages of a
    submit that no approval can allow.
    """

    choices: tuple[ChargeableBudget, ...] = ()
    budget_id: int | None = None
    over_budget_names: tuple[str, ...] = ()
    over_budgets: tuple[OverBudget, ...] = ()
    left_budget: SubjectReason | None = None
    over_limits: tuple[SubjectReason, ...] = ()
    over_credit: SubjectReason | None = None
    refusals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CurrentLine:
    """One line of a subject with its current quantity."""

    line_id: int
    name: str
    unit: str
    quantity: int


@dataclass(frozen=True, slots=True)
class LineChange:
    """The quantity of one line before and after an amendment; `after` 0: the line is dropped."""

    line_id: int
    code: str
    name: str
    unit: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class FigureChange:
    """An amount in 元 before and after an amendment; `name` is its label on the screen."""

    name: str
    before: Decimal
    after: Decimal


@dataclass(frozen=True, slots=True)
class SubjectAmendment:
    """The subject before and after an amendment, for the rules, and the differences for the
    screen. `reason_judge` judges the reasons that no rule gives. None: they stay as they are.
    """

    before: ApprovalSubject
    after: ApprovalSubject
    lines: tuple[LineChange, ...]
    figures: tuple[FigureChange, ...]
    reason_judge: ReasonJudge | None = None


class SubjectHandler(Protocol):
    """The operations of a subject type. Its app registers them at start-up, e.g. for "order"."""

    def lock(self, *subject_ids: int) -> None:
        """Lock the rows of the subjects, sorted by key. Called before the approvals are locked."""

    def lock_held(self, *subject_ids: int) -> None:
        """Lock everything the locked subjects release when they are rejected, for several
        subjects at once.
        """

    def on_approved(self, subject_id: int, *, actor: Account | None) -> None:
        """Handle that the last step was approved."""

    def on_rejected(
        self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None
    ) -> None:
        """Handle a rejection. `acting_for` is the approver the actor stands in for."""

    def add_note(
        self,
        subject_id: int,
        *,
        actor: Account | None,
        kind: str,
        note: str,
        acting_for: Account | None = None,
    ) -> None:
        """Write an event of the approval into the subject's timeline (kinds: `approval.*`)."""

    def list_lines(self, subject_id: int) -> list[CurrentLine]:
        """Return the subject's lines in their order."""

    def preview_amendment(
        self, subject_id: int, *, quantities: Mapping[int, int]
    ) -> SubjectAmendment:
        """Return the effect of the quantities ({line id: quantity}, 0 drops the line) without
        writing anything.

        Raises:
            ValidationFailed, QuantityIllegal: a quantity rises or is not allowed, nothing changes,
                nothing is left, or the total rises.
        """

    def amend(
        self,
        subject_id: int,
        *,
        quantities: Mapping[int, int],
        actor: Account,
        reason: str,
        acting_for: Account | None = None,
    ) -> SubjectAmendment:
        """Apply the amendment to the locked subject and everything it holds, and write it into
        the timeline.
        """


_handlers: dict[str, SubjectHandler] = {}
_office_pages: dict[str, str] = {}
# Return the past of a new subject of the requester.
SUBJECT_HISTORY: Hook[Callable[[Account], SubjectHistory]] = Hook()
# Return the charges of a new subject on a budget; None: the requester's nearest one.
SUBJECT_CHARGES: Hook[Callable[[ApprovalSubject, int | None], SubjectCharges]] = Hook()


def register_approval_subject(
    subject_type: str, handler: SubjectHandler, *, office_page: str = ""
) -> None:
    """Register the handler of a subject type and the route of its back-office page. Call it in
    AppConfig.ready().
    """
    _handlers[subject_type] = handler
    _office_pages[subject_type] = office_page


def get_subject_office_page(subject_type: str) -> str:
    """Return the route of the subject's back-office page, or ""."""
    return _office_pages.get(subject_type, "")


def get_subject_handler(subject_type: str) -> SubjectHandler:
    """Return the handler of a subject type. An unknown type is a programming error (KeyError)."""
    return _handlers[subject_type]


@dataclass(frozen=True, slots=True)
class PastSubject:
    """A subject of the past, with its number and the time when it was submitted."""

    number: str
    at: datetime
    subject: ApprovalSubject


class PastSubjectSource(Protocol):
    """Returns the number of the subjects since a time, and the subjects, oldest first."""

    def __call__(
        self,
        *,
        since: datetime,
        before: timedelta,
        enterprise_id: int | None,
        department_id: int | None,
    ) -> tuple[int, Iterator[PastSubject]]:
        """`before`: how far the history of the first subjects reaches back."""


PAST_SUBJECTS: Hook[PastSubjectSource] = Hook()


def get_past_subjects(
    *, since: datetime, before: timedelta, enterprise_id: int | None, department_id: int | None
) -> tuple[int, Iterator[PastSubject]]:
    """Return how many subjects there are since a time, and the subjects, oldest first. They belong
    to requesters of the enterprise, or of the department and all departments below it. The
    history of each subject begins `before` earlier than `since`.
    """
    source = PAST_SUBJECTS.only
    if source is None:
        return 0, iter(())
    return source(
        since=since, before=before, enterprise_id=enterprise_id, department_id=department_id
    )


def get_new_subject_history(requester: Account) -> SubjectHistory | None:
    """Return the past of a new subject of the requester. None if no app has registered one."""
    get_history = SUBJECT_HISTORY.only
    return get_history(requester) if get_history else None


def get_subject_charges(subject: ApprovalSubject, *, budget_id: int | None) -> SubjectCharges:
    """Return the charges of a new subject on a budget, by default the requester's nearest one.
    Empty if no app has registered them.
    """
    get_charges = SUBJECT_CHARGES.only
    return get_charges(subject, budget_id) if get_charges else SubjectCharges()
