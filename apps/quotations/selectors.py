"""The quotations that an account may see, their lines beside the present prices, and the basket for
an order at held prices.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.cart.selectors.cart import BasketLine, CartLine, HeldPrice, list_basket_lines
from apps.common.events import list_events
from apps.common.models import Event
from apps.common.money import ZERO
from apps.common.queries import build_text_condition
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import can_purchase, require_prices
from apps.pricing.models import CustomerAgreement
from apps.quotations.enums import QuotationAction, QuotationState, QuotationStatus
from apps.quotations.errors import (
    QuotationExpired,
    QuotationNotFound,
    QuotationOrdered,
    QuotationVoided,
)
from apps.quotations.models import Quotation, QuotationLine

if TYPE_CHECKING:
    from apps.org.models import Account

A, S = QuotationAction, QuotationStatus


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """A line of a quotation, and the same product in the viewer's catalogue now."""

    line: QuotationLine
    present_line: CartLine
    is_held: bool

    @property
    def current_price(self) -> Decimal | None:
        """Return the present price for the quantity. None outside the catalogue."""
        offer = self.present_line.offer
        return offer.get_price_for(self.line.quantity) if offer.visible else None

    @property
    def order_price(self) -> Decimal | None:
        """Return the price at which the line is ordered: the lower one of both. None if the
        quotation is not valid.
        """
        return self.present_line.price if self.is_held else None

    @property
    def problem(self) -> str:
        """Return why the product cannot be ordered now. Empty if it can."""
        problem = self.present_line.problem
        return f"{problem.message}，{problem.suggestion}" if problem else ""


@dataclass(frozen=True, slots=True)
class QuotationDetail:
    quotation: Quotation
    lines: list[QuotedLine]
    timeline: list[Event]

    @property
    def order_amount(self) -> Decimal | None:
        """Return the amount of the lines that can be ordered now, in 元, 含税, before freight. None
        if the quotation is not valid.
        """
        if self.quotation.state != QuotationState.VALID:
            return None
        rows = (row for row in self.lines if row.present_line.is_valid)
        return sum(((row.order_price or ZERO) * row.line.quantity for row in rows), ZERO)


def list_visible_quotations(*, actor: Account) -> QuerySet[Quotation]:
    """Return the quotations of the actor's enterprise. Nobody else may open them, because another
    enterprise of the group may have other prices.

    Raises:
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    rows: QuerySet[Quotation] = Quotation.objects.filter(enterprise_id=actor.enterprise_id)
    return rows


def list_quotations(
    *, actor: Account, keyword: str, state: str, is_ours: bool
) -> QuerySet[Quotation]:
    """Return the actor's own quotations, or with `is_ours` those of the whole enterprise, newest
    first. `keyword` is in the number, the remark or the name of a product.
    """
    rows = list_visible_quotations(actor=actor)
    if not is_ours:
        rows = rows.filter(requester=actor)
    if keyword:
        lines = QuotationLine.objects.filter(build_text_condition("name", keyword)).values(
            "quotation"
        )
        number, remark = (
            build_text_condition("quotation_no", keyword),
            build_text_condition("remark", keyword),
        )
        rows = rows.filter(number | remark | Q(pk__in=lines))
    if state:
        rows = rows.filter(build_state_condition(state))
    return rows.select_related("requester").order_by("-pk")


def build_state_condition(state: str) -> Q:
    """Return the condition on a quotation that it has this `QuotationState` today."""
    today = timezone.localdate()
    conditions = {
        QuotationState.VALID: Q(status=S.VALID, valid_to__gte=today),
        QuotationState.EXPIRED: Q(status=S.VALID, valid_to__lt=today),
        QuotationState.ORDERED: Q(status=S.ORDERED),
        QuotationState.VOIDED: Q(status=S.VOIDED),
    }
    return conditions[QuotationState(state)]


def get_quotation(*, actor: Account, quotation_no: str) -> Quotation:
    """Return one quotation that the actor may see, with its requester and enterprise.

    Raises:
        QuotationNotFound: the actor cannot see one with this number.
    """
    rows = list_visible_quotations(actor=actor).select_related("requester", "enterprise")
    quotation = rows.filter(quotation_no=quotation_no).first()
    if quotation is None:
        raise QuotationNotFound
    apply_early_end(quotation)
    return quotation


def list_lines_with_early_end(lines: QuerySet[QuotationLine]) -> QuerySet[Any]:
    """Return the lines whose agreement, or its price list, ends before the quotation does or is no
    longer given to the enterprise. Each has `is_given`.
    """
    customers = CustomerAgreement.objects.filter(
        Q(enterprise__isnull=True) | Q(enterprise=OuterRef("quotation__enterprise")),
        group=OuterRef("group"),
        agreement=OuterRef("agreement"),
    )
    return lines.annotate(is_given=Exists(customers)).filter(
        Q(agreement__valid_to__lt=F("quotation__valid_to"))
        | Q(agreement__price_list__valid_to__lt=F("quotation__valid_to"))
        | Q(agreement__isnull=False, is_given=False)
    )


def apply_early_end(quotation: Quotation) -> str:
    """Move `valid_to` of a valid quotation, unsaved, to the end of the agreement that ends first.
    An agreement that the enterprise no longer has ended yesterday. Return the name of this
    agreement, or "" if nothing moves.
    """
    if quotation.state != QuotationState.VALID:
        return ""
    agreements = list_lines_with_early_end(quotation.lines.all()).values_list(
        "agreement__name", "agreement__valid_to", "agreement__price_list__valid_to", "is_given"
    )
    yesterday = timezone.localdate() - timedelta(days=1)
    ends: list[tuple[date, str]] = []
    for name, agreement_end, price_list_end, is_given in agreements:
        days = (agreement_end, price_list_end, None if is_given else yesterday)
        ends += [(day, name) for day in days if day and day < quotation.valid_to]
    if not ends:
        return ""
    quotation.valid_to, name = min(ends)
    return name


def get_quotation_detail(*, actor: Account, quotation_no: str) -> QuotationDetail:
    """Return the quotation with its lines beside the present prices, and its timeline.

    Raises:
        QuotationNotFound: the actor cannot see one with this number.
    """
    quotation = get_quotation(actor=actor, quotation_no=quotation_no)
    lines = list(quotation.lines.order_by("no"))
    present = list_basket_lines(actor=actor, basket=_build_basket(lines))
    is_held = quotation.state == QuotationState.VALID
    rows = [QuotedLine(line, row, is_held) for line, row in zip(lines, present, strict=True)]
    return QuotationDetail(quotation, rows, list(list_events(quotation)))


def get_quotation_basket(*, actor: Account, quotation_no: str) -> tuple[BasketLine, ...]:
    """Return the lines of a valid quotation with their held prices, for the checkout.

    Raises:
        QuotationNotFound: the actor cannot see one with this number.
        QuotationRefused: it is ordered, voided or expired.
    """
    quotation = get_quotation(actor=actor, quotation_no=quotation_no)
    refuse_unless_valid(quotation)
    return _build_basket(quotation.lines.order_by("no"))


def _build_basket(lines: QuerySet[QuotationLine] | list[QuotationLine]) -> tuple[BasketLine, ...]:
    """Return the lines with their quoted prices, so that the checkout can price them."""
    return tuple(
        BasketLine(
            line_id=line.pk,
            product_id=line.product_id,
            quantity=line.quantity,
            held_price=HeldPrice(
                price=line.price,
                tiers=line.price_tiers,
                unit=line.unit,
                pack=line.pack,
                contents=line.contents,
            ),
        )
        for line in lines
    )


def refuse_unless_valid(quotation: Quotation) -> None:
    """Raise a QuotationRefused that names the state, unless the quotation is valid today."""
    state = quotation.state
    if state == QuotationState.ORDERED:
        raise QuotationOrdered(quotation.order_no)
    if state == QuotationState.VOIDED:
        raise QuotationVoided
    if state == QuotationState.EXPIRED:
        raise QuotationExpired(quotation.valid_to)


def can_void(*, actor: Account, quotation: Quotation) -> bool:
    """Return whether the quotation is the actor's own, or the actor is the group admin."""
    return bool(quotation.requester_id == actor.pk or actor.is_group_admin)


def get_quotation_actions(*, actor: Account, quotation: Quotation) -> list[str]:
    """Return the codes of the actions that the actor can take on the quotation now."""
    if quotation.state != QuotationState.VALID:
        return []
    allowed_actions = {
        A.ORDER: can_purchase(actor=actor, needed=PurchasingRight.ORDER),
        A.VOID: can_void(actor=actor, quotation=quotation),
    }
    return [action.value for action, is_allowed in allowed_actions.items() if is_allowed]
