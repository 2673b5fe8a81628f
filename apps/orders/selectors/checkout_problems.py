"""Problems that block a submit. Each message says how to fix the problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.budgets.errors import BudgetExceeded
from apps.cart.selectors.cart import CartLine
from apps.catalog.errors import QuantityIllegal
from apps.common.errors import Stale, ValidationFailed
from apps.common.money import MAX_AMOUNT, ZERO
from apps.common.quantity import is_legal
from apps.orders import texts
from apps.orders.enums import InvoiceKind, PaymentKind
from apps.orders.errors import CreditExceeded, PriceMoved, PurchaseLimitExceeded
from apps.orders.selectors.customer_terms import CreditCharge, find_terms_problems
from apps.orders.selectors.deliveries import Delivery
from apps.orders.selectors.purchase_limits import LimitCharge
from apps.org.enums import CreditPolicy
from apps.requisitions.selectors import Gathered

if TYPE_CHECKING:
    from apps.orders.selectors.allocations import Allocations
    from apps.orders.selectors.budget_charge import BudgetCharge
    from apps.orders.selectors.checkout import CheckoutForm
    from apps.orders.selectors.earmarks import EarmarkCharges
    from apps.org.models import Account, Address, InvoiceTitle

# Codes of problems that no approval can override: the amount exceeds a blocking limit.
REFUSALS = frozenset({BudgetExceeded.code, CreditExceeded.code, PurchaseLimitExceeded.code})
SPECIAL_KINDS = (InvoiceKind.E_SPECIAL, InvoiceKind.PAPER_SPECIAL)

DELIVERIES_FIELD = "Deliveries"


@dataclass(frozen=True, slots=True)
class CheckoutProblem:
    """A problem. `cart_item_id` None means the whole order; `field` then names the choice.
    `quantity` is a quantity that would be accepted.
    """

    code: str
    message: str
    cart_item_id: int | None = None
    field: str = ""
    quantity: int | None = None

    @property
    def is_refusal(self) -> bool:
        """Return whether the problem refuses the order in any case, so that no approval is
        shown.
        """
        return self.code in REFUSALS


def find_problems(
    *,
    actor: Account,
    form: CheckoutForm,
    lines: list[CartLine],
    left_out: list[CartLine],
    deliveries: Sequence[Delivery],
    gathered: Mapping[int, Sequence[Gathered]],
    title: InvoiceTitle | None,
    budget: BudgetCharge | None,
    has_other_budgets: bool,
    credit: CreditCharge | None,
    limits: Sequence[LimitCharge],
    total: Decimal,
    allocations: Allocations,
    earmarks: EarmarkCharges,
) -> list[CheckoutProblem]:
    """Return every problem, those of lines first. Moved prices are included. If no line can be
    bought, the problems of the lines left out explain why.
    """
    checked = lines or left_out
    problems = [
        *_check_missing_lines(form, checked),
        *_check_lines(checked),
        *_check_prices(form, checked),
        *_check_choices(actor, form, address=deliveries[0].address, title=title),
    ]
    if total > MAX_AMOUNT:
        problems.append(_build_choice_problem(texts.ORDER_ABOVE_CEILING, "Lines"))
    problems += list_amount_refusals(
        actor=actor,
        payment_kind=form.payment_kind,
        credit=credit,
        limits=limits,
        budget=budget,
        has_other_budgets=has_other_budgets,
        total=total,
    )
    problems += [
        CheckoutProblem(BudgetExceeded.code, message, field="Lines")
        for message in earmarks.refusals
    ]
    problems += _check_requisitions(lines, gathered)
    problems += [
        CheckoutProblem(row.code, row.message, row.cart_item_id, field=row.field)
        for row in allocations.problems
    ]
    if form.deliveries:
        problems += _split_sums(lines, deliveries) + _check_line_quantities(deliveries)
    return problems


def list_amount_refusals(
    *,
    actor: Account,
    payment_kind: str,
    credit: CreditCharge | None,
    limits: Sequence[LimitCharge],
    budget: BudgetCharge | None,
    has_other_budgets: bool,
    total: Decimal,
) -> list[CheckoutProblem]:
    """Return the refusals of an order of `total` 元 by credit, purchase limits and budget."""
    problems: list[CheckoutProblem] = []
    if payment_kind == PaymentKind.CREDIT and actor.enterprise is not None:
        problems += _check_credit(credit, total)
    problems += [_build_limit_problem(limit) for limit in limits if limit.is_refused]
    if budget is not None and budget.refused is not None:
        message = budget.format_refusal(has_others=has_other_budgets)
        problems.append(CheckoutProblem(BudgetExceeded.code, message, field="BudgetId"))
    return problems


def _check_choices(
    actor: Account, form: CheckoutForm, *, address: Address | None, title: InvoiceTitle | None
) -> list[CheckoutProblem]:
    """Return the problems of the enterprise, address, invoice title and payment kind."""
    problems: list[CheckoutProblem] = []
    if actor.enterprise_id is None:
        problems.append(_build_choice_problem(texts.ACTOR_WITHOUT_ENTERPRISE, ""))
    if address is None:
        problems.append(_build_choice_problem(texts.ADDRESS_MISSING, "AddressId"))
    if title is None:
        problems.append(_build_choice_problem(texts.TITLE_MISSING, "InvoiceTitleId"))
    elif form.invoice_kind in SPECIAL_KINDS and not title.has_special_qualification:
        problems.append(_build_choice_problem(texts.TITLE_WITHOUT_QUALIFICATION, "InvoiceKind"))
    for field, message in find_terms_problems(
        actor=actor, payment_kind=form.payment_kind, invoice_kind=form.invoice_kind
    ):
        problems.append(_build_choice_problem(message, field))
    return problems


def _check_credit(charge: CreditCharge | None, total: Decimal) -> list[CheckoutProblem]:
    """Return a problem if the enterprise has no monthly credit, or if the order exceeds a limit
    that blocks. `total`: 元.
    """
    if charge is None:
        return [CheckoutProblem(CreditExceeded.code, texts.CREDIT_NOT_OPENED, field="PaymentKind")]
    credit = charge.credit
    if not charge.is_over or credit.policy != CreditPolicy.BLOCK:
        return []
    message = texts.credit_exceeded(
        available=max(credit.available, ZERO), needed=total, limit=credit.limit, used=credit.used
    )
    return [CheckoutProblem(CreditExceeded.code, message, field="PaymentKind")]


def _build_limit_problem(limit: LimitCharge) -> CheckoutProblem:
    message = texts.limit_exceeded(limit.reason)
    return CheckoutProblem(PurchaseLimitExceeded.code, message, field="Lines")


def _build_choice_problem(message: str, field: str) -> CheckoutProblem:
    return CheckoutProblem(ValidationFailed.code, message, field=field)


def _check_missing_lines(form: CheckoutForm, lines: list[CartLine]) -> list[CheckoutProblem]:
    """Return a problem for each line of the form that is in the cart or the quotation no longer."""
    present_ids = {line.item_id for line in lines}
    missing_ids = [
        line.cart_item_id for line in form.lines or () if line.cart_item_id not in present_ids
    ]
    message = texts.LINE_NOT_QUOTED if form.quotation_no else texts.LINE_LEFT_CART
    return [CheckoutProblem(Stale.code, message, pk) for pk in missing_ids]


def _check_lines(lines: list[CartLine]) -> list[CheckoutProblem]:
    """Return the problems that the cart already knows of these lines."""
    return [
        CheckoutProblem(
            line.problem.code,
            f"“{line.offer.name}”{line.problem.message}，{line.problem.suggestion}",
            line.item_id,
            quantity=line.problem.quantity,
        )
        for line in lines
        if line.problem
    ]


def _check_prices(form: CheckoutForm, lines: list[CartLine]) -> list[CheckoutProblem]:
    """Return a problem for each line whose price has changed since the buyer saw it."""
    return [
        CheckoutProblem(
            PriceMoved.code,
            texts.price_changed(name=line.offer.name, before=seen_price, now=line.price or ZERO),
            line.item_id,
        )
        for line, seen_price in list_changed_prices(form=form, lines=lines)
    ]


def list_changed_prices(
    *, form: CheckoutForm, lines: list[CartLine]
) -> list[tuple[CartLine, Decimal]]:
    """Return (line, price in 元 that the buyer saw) of each line whose price differs from it."""
    seen_prices = {line.cart_item_id: line.price for line in form.lines or ()}
    changes: list[tuple[CartLine, Decimal]] = []
    for line in lines:
        price = seen_prices.get(line.item_id)
        if price is not None and line.price is not None and price != line.price:
            changes.append((line, price))
    return changes


def _check_requisitions(
    lines: Sequence[CartLine], gathered: Mapping[int, Sequence[Gathered]]
) -> list[CheckoutProblem]:
    """Return a problem for each line whose requisition has ended or was already ordered, and
    for each line with fewer pieces than requested.
    """
    problems: list[CheckoutProblem] = []
    for line in lines:
        rows = gathered.get(line.item_id, ())
        for row in rows:
            if row.problem:
                sentence = texts.requisition_refused(
                    requester=row.requester, requisition_no=row.requisition_no, problem=row.problem
                )
                problems.append(
                    CheckoutProblem(
                        Stale.code,
                        texts.line_of_ended_requisition(
                            name=line.offer.name, requisitions=sentence
                        ),
                        line.item_id,
                    )
                )
        requested_pieces = sum(row.quantity for row in rows)
        if requested_pieces > line.quantity:
            message = texts.requisitions_above_quantity(
                name=line.offer.name,
                requested=requested_pieces,
                unit=line.offer.product.unit,
                quantity=line.quantity,
            )
            problems.append(
                CheckoutProblem(
                    code=ValidationFailed.code,
                    message=message,
                    cart_item_id=line.item_id,
                    field="Lines",
                    quantity=requested_pieces,
                )
            )
    return problems


def _split_sums(lines: Sequence[CartLine], deliveries: Sequence[Delivery]) -> list[CheckoutProblem]:
    """Return a problem for each line whose parts do not sum to its quantity."""
    delivered_pieces: dict[int, int] = {}
    for delivery in deliveries:
        for pk, quantity in delivery.quantities.items():
            delivered_pieces[pk] = delivered_pieces.get(pk, 0) + quantity
    return [
        CheckoutProblem(
            code=ValidationFailed.code,
            message=texts.deliveries_differ(
                name=line.offer.name,
                unit=line.offer.product.unit,
                delivered=delivered_pieces.get(line.item_id, 0),
                quantity=line.quantity,
            ),
            cart_item_id=line.item_id,
            field=DELIVERIES_FIELD,
        )
        for line in lines
        if delivered_pieces.get(line.item_id, 0) != line.quantity
    ]


def _check_line_quantities(deliveries: Sequence[Delivery]) -> list[CheckoutProblem]:
    """Return a problem for each part that violates minimum or step. Each part becomes an order
    line.
    """
    problems: list[CheckoutProblem] = []
    for delivery in deliveries:
        receiver = delivery.address.receiver if delivery.address else ""
        for line in delivery.lines:
            product = line.cart_line.offer.product
            if is_legal(line.quantity, minimum=product.min_quantity, step=product.step_quantity):
                continue
            rule = texts.quantity_rule(
                minimum=product.min_quantity,
                step=product.step_quantity,
                unit=product.unit,
            )
            message = texts.delivery_quantity_against_rule(
                name=line.cart_line.offer.name,
                quantity=line.quantity,
                unit=product.unit,
                receiver=receiver,
                rule=rule,
            )
            problems.append(
                CheckoutProblem(
                    code=QuantityIllegal.code,
                    message=message,
                    cart_item_id=line.cart_line.item_id,
                    field=DELIVERIES_FIELD,
                )
            )
    return problems
