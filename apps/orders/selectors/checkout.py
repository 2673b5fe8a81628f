"""The checkout: lines, freight, budget, approval chain and problems of a possible order. The
preview shows it, and the submit writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from django.db.models import QuerySet, Subquery
from django.db.models.fields.json import KT

from apps.approvals.selectors.plan import Plan, approval_plan
from apps.approvals.selectors.standing import StandingApproval, apply_standing_approval
from apps.approvals.subjects import ApprovalSubject, SubjectLine, SubjectPart
from apps.budgets.enums import BudgetPolicy
from apps.budgets.errors import BudgetTreeMoved
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_choice import get_usable_budgets
from apps.cart.selectors.cart import BasketLine, CartLine, list_basket_lines, list_cart_lines
from apps.common.compiled_queries import (
    CompiledQuery,
    ListParameter,
    Parameter,
    key_parameter,
)
from apps.common.money import ZERO, MoneyField
from apps.dimensions.enums import DimensionKind
from apps.dimensions.selectors.facts import read_dimension_facts, with_dimension_facts
from apps.orders.enums import DeliveryWish, InvoiceKind, PaymentKind
from apps.orders.errors import AddressUnavailable, InvoiceTitleUnavailable, NothingSelected
from apps.orders.models import Order
from apps.orders.selectors.allocations import (
    AllocationForm,
    Allocations,
    OrderShares,
    collect_chosen_ids,
    collect_department_ids,
    format_order_cost_center,
    get_allocations,
    list_named_cost_centers,
    split_cost_center_codes,
)
from apps.orders.selectors.budget_charge import BudgetCharge, get_budget_charge
from apps.orders.selectors.checkout_problems import CheckoutProblem, find_problems
from apps.orders.selectors.customer_terms import (
    CreditCharge,
    list_invoice_kinds,
    list_payment_kinds,
)
from apps.orders.selectors.deliveries import (
    Amounts,
    Delivery,
    DeliveryForm,
    explain_address_beyond_scope,
    get_deliveries,
    sum_amounts,
)
from apps.orders.selectors.earmarks import (
    EarmarkCharges,
    Uses,
    collect_categories,
    collect_dimensions,
    get_earmark_charges,
    get_uses,
    list_line_parts,
)
from apps.orders.selectors.freight import with_freight
from apps.orders.selectors.past_orders import PastOrders
from apps.orders.selectors.purchase_limits import (
    LimitCharge,
    Usage,
    get_limit_charges,
    get_usage,
    list_limit_reasons,
)
from apps.orders.snapshots import build_address_key, build_address_snapshot, format_address
from apps.org.enums import AddressScope, PurchasingRight
from apps.org.models import Address, InvoiceTitle
from apps.org.selectors.addresses import list_addresses_of, list_usable_addresses
from apps.org.selectors.departments import get_department_chain
from apps.org.selectors.purchasing import require_purchasing
from apps.quotations.selectors import get_quotation_basket
from apps.requisitions.selectors import HOLDS_REQUISITION_PIECES, get_gathered

if TYPE_CHECKING:
    from apps.org.models import Account


# Locks budgets with all budgets above them, and returns them by key.
BudgetLock = Callable[[set[int]], Mapping[int, Budget]]
# Locks the enterprise if the order needs it, and then returns what earlier orders have used.
UsageLock = Callable[[], Usage]


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A cart line as the buyer saw it. `price` in 元; None if the client sent no price."""

    cart_item_id: int
    price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class CheckoutForm:
    """The choices of the buyer. `lines` None means the selected lines of the cart. `deliveries`
    assign the pieces to addresses.

    With a `basket` or a `quotation_no`, the lines of the basket or of the quotation are ordered
    instead of those of the cart, and the cart does not change. `lines` may then leave out lines of
    the quotation. With `standing`, an approval of an earlier order may count for this one.
    """

    address_id: int | None = None
    delivery_wish: str = DeliveryWish.ANY
    invoice_title_id: int | None = None
    invoice_kind: str = InvoiceKind.E_NORMAL
    payment_kind: str = PaymentKind.CREDIT
    budget_id: int | None = None
    cost_center: str = ""
    purchase_order_no: str = ""
    remark: str = ""
    lines: tuple[SeenLine, ...] | None = None
    deliveries: tuple[DeliveryForm, ...] = ()
    allocations: tuple[AllocationForm, ...] = ()
    basket: tuple[BasketLine, ...] | None = None
    quotation_no: str = ""
    standing: StandingApproval | None = None


@dataclass(frozen=True, slots=True)
class Checkout:
    """Everything that the checkout shows. A submit is refused while `problems` is not empty.
    `left_out` are the selected lines that cannot be bought now.
    """

    lines: list[CartLine]
    address: Address | None
    title: InvoiceTitle | None
    titles: list[InvoiceTitle]
    budget: Budget | None
    budgets: list[Budget]
    budget_charge: BudgetCharge | None
    amounts: Amounts
    deliveries: list[Delivery]
    subject: ApprovalSubject
    plan: Plan
    credit: CreditCharge | None = None
    invoice_kind: str = InvoiceKind.E_NORMAL
    problems: list[CheckoutProblem] = field(default_factory=list)
    left_out: list[CartLine] = field(default_factory=list)
    is_split: bool = False
    allocations: Allocations = field(default_factory=Allocations)
    earmarks: EarmarkCharges = field(default_factory=EarmarkCharges)
    locked_budgets: Mapping[int, Budget] = field(default_factory=dict)

    @property
    def last_address_id(self) -> str | None:
        """Return the address of the newest order of the requester. None before the first order."""
        return getattr(self.address, "last_used_id", None)

    @property
    def split(self) -> list[Delivery]:
        """Return the deliveries if the buyer split the lines. Otherwise empty."""
        return self.deliveries if self.is_split else []

    @property
    def promised_days(self) -> int:
        """Return the days until the last delivery."""
        return max(delivery.promised_days for delivery in self.deliveries)

    @property
    def payment_kinds(self) -> list[str]:
        """Return the kinds of payment to choose from."""
        return list_payment_kinds(self.subject.requester)

    @property
    def invoice_kinds(self) -> list[str]:
        """Return the kinds of invoice to choose from."""
        return list_invoice_kinds(self.subject.requester)


def get_checkout(
    *,
    actor: Account,
    form: CheckoutForm,
    lock_usage: UsageLock | None = None,
    lock_budgets: BudgetLock | None = None,
) -> Checkout:
    """Return the checkout of the actor's cart for the given choices. Missing choices use the
    actor's defaults. At most twelve queries with the bearer's, whatever the rules, limits and
    budgets.

    A preview takes no lock. A submit passes `lock_usage` and `lock_budgets`: this selector then
    locks through the callbacks, inside the submit's transaction. The lines, addresses, titles and
    allocations are read before the first lock, so that other orders of the enterprise wait less.
    Data that only the screen needs is then not read.

    Raises:
        ValidationFailed: the actor may not use the address or the invoice title, or nothing is
            selected.
        BudgetNotFound, BudgetNotNearest: the actor may not order on the budget.
        BudgetTreeMoved: a budget got another parent while the submit waited for the lock.
        QuotationNotFound, QuotationRefused: the quotation is not the enterprise's, or is not valid.
        PurchasingRefused: the actor may not order.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.ORDER)
    is_preview = lock_budgets is None
    lines, left_out = _select_lines(actor, form, is_preview=is_preview)
    gathered = get_gathered(lines)
    deliveries = get_deliveries(
        actor=actor,
        lines=lines,
        forms=form.deliveries,
        addresses=_get_chosen_addresses(actor, form, is_preview=is_preview),
        address=None
        if form.deliveries
        else _get_common_address(actor, form, lines, is_preview=is_preview),
        cost_center=form.cost_center,
        gathered=gathered,
    )
    address = deliveries[0].address
    # The query of the titles also reads the dimensions.
    titles = list(
        with_dimension_facts(
            InvoiceTitle.objects.filter(enterprise_id=actor.enterprise_id, is_active=True),
            group_id=actor.group_id,
            ids=collect_chosen_ids(form.allocations),
            codes=list_named_cost_centers(cost_center=form.cost_center, deliveries=deliveries),
            department_ids=collect_department_ids(actor, deliveries),
        )
    )
    allocations = get_allocations(
        actor=actor,
        forms=form.allocations,
        cost_center=form.cost_center,
        deliveries=deliveries,
        facts=read_dimension_facts(titles),
    )
    title = _choose_title(titles, form)
    amounts = sum_amounts(deliveries)
    usage = (
        lock_usage()
        if lock_usage is not None
        else get_usage(actor=actor, is_on_credit=form.payment_kind == PaymentKind.CREDIT)
    )
    credit = usage.credit
    credit_charge = CreditCharge(credit, credit.available - amounts.total) if credit else None
    parts = list_line_parts(deliveries, allocations)
    budgets = get_usable_budgets(
        actor=actor, category_ids=collect_categories(parts), dimension_ids=collect_dimensions(parts)
    )
    budget = budgets.choose(form.budget_id)
    uses = get_uses(budgets, parts)
    locked_budgets: Mapping[int, Budget] = {}
    if lock_budgets is not None:
        used_ids = _collect_budget_ids(uses)
        locked_budgets = _lock_used_budgets(lock_budgets, budget, used_ids)
        budgets.replace(locked_budgets)
        budget = budgets.choose(form.budget_id)
        uses = get_uses(budgets, parts)
        if _collect_budget_ids(uses) != used_ids:
            raise BudgetTreeMoved
    earmarks = get_earmark_charges(actor=actor, budgets=budgets, uses=uses)
    budget_charge = get_budget_charge(
        actor=actor, budgets=budgets, budget=budget, total=amounts.total
    )
    subject_lines = [_build_subject_line(line) for line in lines]
    limits = get_limit_charges(
        actor=actor, amount=amounts.total, lines=subject_lines, ordered=usage.ordered
    )
    subject = _build_subject(
        actor=actor,
        form=form,
        lines=subject_lines,
        amounts=amounts,
        budget=budget_charge,
        earmarks=earmarks,
        credit=credit_charge,
        limits=limits,
        deliveries=deliveries,
        allocations=allocations,
    )
    problems = find_problems(
        actor=actor,
        form=form,
        lines=lines,
        left_out=left_out,
        deliveries=deliveries,
        gathered=gathered,
        title=title,
        budget=budget_charge,
        has_other_budgets=len(budgets.choices) > 1,
        credit=credit_charge,
        limits=limits,
        total=amounts.total,
        allocations=allocations,
        earmarks=earmarks,
    )
    # A refused order has no approver, so the preview shows no chain for it.
    is_refused = any(problem.is_refusal for problem in problems)
    plan = approval_plan(subject=subject) if lines and not is_refused else Plan(False, [], [])
    if form.standing is not None:
        plan = apply_standing_approval(plan=plan, amount=amounts.total, standing=form.standing)
    return Checkout(
        lines=lines,
        address=address,
        title=title,
        titles=titles,
        budget=budget,
        budgets=budgets.choices,
        budget_charge=budget_charge,
        amounts=amounts,
        deliveries=deliveries,
        subject=subject,
        plan=plan,
        credit=credit_charge,
        invoice_kind=form.invoice_kind,
        problems=problems,
        left_out=left_out,
        is_split=bool(form.deliveries),
        allocations=allocations,
        earmarks=earmarks,
        locked_budgets=locked_budgets,
    )


def _collect_budget_ids(uses: Uses) -> set[int]:
    """Return the keys of the earmarked budgets that the lines of all orders use."""
    return {use.budget.pk for of_order in uses for row in of_order for use in row}


def _lock_used_budgets(
    lock_budgets: BudgetLock, budget: Budget | None, budget_ids: set[int]
) -> Mapping[int, Budget]:
    """Lock the budgets of a submit with all budgets above them, and return them by key. A budget
    that is alone and blocks needs no lock before its conditional UPDATE.

    If two orders each fit but not both, the lock makes the second one exceed a budget.
    """
    keys = budget_ids | ({budget.pk} if budget is not None else set())
    if not budget_ids and (
        budget is None or (budget.policy == BudgetPolicy.BLOCK and budget.parent_id is None)
    ):
        return {}
    return lock_budgets(keys)


def _select_lines(
    actor: Account, form: CheckoutForm, *, is_preview: bool
) -> tuple[list[CartLine], list[CartLine]]:
    """Return (lines of the order, lines left out). Named lines are all part of the order; of the
    selected lines only the valid ones are.

    Raises:
        NothingSelected: no line is selected.
    """
    if form.quotation_no:
        return _select_quotation_lines(actor, form, is_preview=is_preview)
    if form.basket is not None:
        return list_basket_lines(actor=actor, basket=form.basket), []
    if form.lines is not None:
        ids = [line.cart_item_id for line in form.lines]
        lines = list_cart_lines(actor=actor, item_ids=ids, for_colleagues=HOLDS_REQUISITION_PIECES)
        return lines, []
    selected = list_cart_lines(actor=actor, for_colleagues=HOLDS_REQUISITION_PIECES)
    if not selected:
        raise NothingSelected
    return [line for line in selected if line.is_valid], [
        line for line in selected if not line.is_valid
    ]


def _select_quotation_lines(
    actor: Account, form: CheckoutForm, *, is_preview: bool
) -> tuple[list[CartLine], list[CartLine]]:
    """Return the lines of a valid quotation as `_select_lines` does. A submit without
    chosen lines orders all lines, because it uses up the quotation. A line that cannot be bought is
    then a problem.
    """
    basket = get_quotation_basket(actor=actor, quotation_no=form.quotation_no)
    lines = list_basket_lines(actor=actor, basket=basket)
    if form.lines is not None:
        chosen_ids = {line.cart_item_id for line in form.lines}
        return [line for line in lines if line.item_id in chosen_ids], []
    if not is_preview:
        return lines, []
    return [line for line in lines if line.is_valid], [line for line in lines if not line.is_valid]


def _get_chosen_addresses(
    actor: Account, form: CheckoutForm, *, is_preview: bool
) -> dict[int, Address]:
    """Return the addresses that the deliveries name and that the actor may use, by key."""
    if not form.deliveries:
        return {}
    departments = {row.department_id for row in form.deliveries if row.department_id is not None}
    addresses = list_usable_addresses(actor=actor, department_ids=departments)
    if is_preview:
        addresses = _with_last_used(addresses, actor.pk)
    chosen_addresses = addresses.filter(pk__in={row.address_id for row in form.deliveries})
    return {row.pk: row for row in chosen_addresses}


def _get_common_address(
    actor: Account, form: CheckoutForm, lines: list[CartLine], *, is_preview: bool
) -> Address | None:
    """Return the address of an undivided order, with the freight of its lines.

    Raises:
        AddressUnavailable: the actor may not use the chosen address.
    """
    query = _compile_common_address(
        actor.address_scope, is_preview=is_preview, is_chosen=form.address_id is not None
    )
    addresses = query.fetch(
        account=actor.pk,
        departments=[link.pk for link in get_department_chain(account=actor)],
        enterprise=actor.enterprise_id or 0,
        goods=sum(((line.price or ZERO) * line.quantity for line in lines), ZERO),
        address=form.address_id,
    )
    if not addresses and form.address_id is not None:
        raise AddressUnavailable(
            explain_address_beyond_scope(actor=actor, address_id=form.address_id) or None
        )
    return addresses[0] if addresses else None


@lru_cache
def _compile_common_address(
    scope: AddressScope, *, is_preview: bool, is_chosen: bool
) -> CompiledQuery[Address]:
    """Return the query of the chosen address of an account, or of its first one."""

    def build() -> QuerySet[Address]:
        account, departments = key_parameter("account"), ListParameter("departments")
        addresses = list_addresses_of(
            scope,
            account=account,
            own_departments=departments,
            departments=departments,
            enterprise=key_parameter("enterprise"),
        )
        if is_preview:
            addresses = _with_last_used(addresses, account)
        addresses = with_freight(addresses, goods_amount=Parameter("goods", MoneyField()))
        return addresses.filter(pk=key_parameter("address")) if is_chosen else addresses[:1]

    return CompiledQuery(build)


def _with_last_used(addresses: QuerySet[Address], requester: int | Parameter) -> QuerySet[Address]:
    """Return the addresses with the key of the address of the requester's newest order."""
    newest = Order.objects.filter(requester=requester).order_by("-submitted_at", "-pk")
    return addresses.annotate(
        last_used_id=Subquery(newest.values(used=KT("address_snapshot__Id"))[:1])
    )


def _choose_title(titles: list[InvoiceTitle], form: CheckoutForm) -> InvoiceTitle | None:
    """Return the invoice title of the form, by default the first. None if the buyer has no
    title.

    Raises:
        InvoiceTitleUnavailable: the actor may not use the chosen title.
    """
    if form.invoice_title_id is None:
        return titles[0] if titles else None
    title = next((title for title in titles if title.pk == form.invoice_title_id), None)
    if title is None:
        raise InvoiceTitleUnavailable
    return title


def _build_subject(
    *,
    actor: Account,
    form: CheckoutForm,
    lines: Sequence[SubjectLine],
    amounts: Amounts,
    budget: BudgetCharge | None,
    earmarks: EarmarkCharges,
    credit: CreditCharge | None,
    limits: Sequence[LimitCharge],
    deliveries: Sequence[Delivery],
    allocations: Allocations,
) -> ApprovalSubject:
    """Return the facts of the checkout on which the approval rules decide."""
    exceeded = [
        level for level in (*(budget.levels if budget else ()), *earmarks.levels) if level.is_over
    ]
    return ApprovalSubject(
        requester=actor,
        amount=amounts.total,
        payment_kind=form.payment_kind,
        is_over_budget=bool(exceeded),
        over_budget_names=tuple(level.name for level in exceeded),
        over_budgets=(*(budget.over_budgets if budget else ()), *earmarks.over_budgets),
        left_budget=budget.left_reason if budget else None,
        over_credit=credit.approval_reason if credit is not None else None,
        over_limits=list_limit_reasons(limits),
        lines=tuple(lines),
        whole_amount=amounts.total if len(form.deliveries) > 1 else None,
        parts=tuple(_build_subject_part(actor, delivery) for delivery in deliveries),
        cost_centers=tuple(dict.fromkeys(_list_cost_centers(actor, deliveries, allocations))),
        projects=tuple(dict.fromkeys(_list_projects(allocations))),
        asker_ids=frozenset(
            line.gathered.requester_id
            for delivery in deliveries
            for line in delivery.lines
            if line.gathered is not None
        ),
        history=PastOrders(enterprise_id=actor.enterprise_id),
    )


def _build_subject_line(line: CartLine) -> SubjectLine:
    """Return the facts of a cart line for the approval rules. Amount and price are in 元 含税."""
    offer = line.offer
    product = offer.product
    return SubjectLine(
        product_id=product.pk,
        category_ids=(product.l1_id, product.l2_id, product.l3_id),
        quantity=line.quantity,
        amount=line.amount or ZERO,
        price=line.price or ZERO,
        name=offer.name,
        brand_id=product.brand_id,
        brand=product.brand.name,
        is_off_agreement=offer.price_source is None,
    )


def _build_subject_part(actor: Account, delivery: Delivery) -> SubjectPart:
    """Return amount (元), department and address of one delivery, for the approval rules."""
    department = delivery.department or actor.department
    snapshot = build_address_snapshot(delivery.address) if delivery.address else {}
    return SubjectPart(
        amount=delivery.amounts.total,
        department_key=str(department.pk) if department else "",
        department=department.name if department else "",
        address_key=build_address_key(snapshot),
        address=format_address(snapshot),
    )


def _list_projects(allocations: Allocations) -> Iterator[tuple[str, str]]:
    """Yield (id, name) of the projects of the orders."""
    for of_order in allocations.orders:
        for row in of_order.dimensions:
            if row.kind == DimensionKind.PROJECT:
                yield str(row.pk), row.name


def _list_cost_centers(
    actor: Account, deliveries: Sequence[Delivery], allocations: Allocations
) -> Iterator[str]:
    """Yield the cost centers that the submit writes into the orders, each by itself."""
    shares = allocations.orders or [OrderShares([], {})] * len(deliveries)
    for delivery, of_order in zip(deliveries, shares, strict=True):
        codes = [row.code for row in of_order.dimensions if row.kind == DimensionKind.COST_CENTER]
        text = format_order_cost_center(actor=actor, delivery=delivery, shares=of_order)
        yield from codes or split_cost_center_codes(text)
