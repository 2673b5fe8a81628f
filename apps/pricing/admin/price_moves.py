"""价格变动 in the back office: the list of price moves, the history of one price, and the warning
when a saved price differs much from the price 30 days ago.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.catalog.admin.history import get_account_name, list_link, page_link
from apps.catalog.models import Product
from apps.catalog.services.imports import ImportReport, SheetFile
from apps.dual_control.controlled import Parameters
from apps.dual_control.services.proposals import act_submit
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import NEWEST, Trace
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import display, get_request_staff
from apps.office.service_forms import RefusalMixin
from apps.org.locks import lock_account
from apps.pricing.models import PriceBatch, PriceBatchRow, PriceListItem, PriceMove
from apps.pricing.models.tiers import FLAT_TIER_FIELDS
from apps.pricing.selectors.price_changes import PRICE_SHEETS, PriceRow, get_changed_today
from apps.pricing.services.controlled_acts import (
    DELETE_PRICES,
    SET_MARKET_PRICE,
    SET_PRICES,
    build_market_price_parameters,
    build_price_rows_parameters,
)
from apps.pricing.services.price_alarms import Drift, list_price_drifts
from apps.pricing.services.price_sheet import price_sheet_submit

if TYPE_CHECKING:
    from apps.catalog.admin.base import CatalogueAdmin
    from apps.catalog.admin.imports import ImportExportMixin

    class _Base(ImportExportMixin, CatalogueAdmin): ...
else:
    _Base = object

# Attribute of a request whose row waits for a second person.
PROPOSED = "price_proposed"

BEFORE, AFTER = build_money_column("before", "变动前"), build_money_column("after", "变动后")
# filter value → (label, condition)
DIRECTIONS: dict[str, tuple[str, Q]] = {
    "up": ("上涨", Q(after__gt=F("before"))),
    "down": ("下降", Q(after__lt=F("before"))),
}
PRICE_KINDS: dict[str, tuple[str, Q]] = {
    "agreed": ("协议价", Q(item__isnull=False)),
    "market": ("市场价", Q(item__isnull=True)),
}
# A batch and its moves belong to one transaction, so their times differ less than this.
BATCH_DURATION = timedelta(minutes=5)
# (old price, new price, time)
BatchChange = tuple[Decimal, Decimal, datetime]
MAX_PRICES_IN_WARNING = 5


class ConditionFilter(admin.SimpleListFilter):
    """A filter whose choices and conditions are in the table `conditions`."""

    conditions: dict[str, tuple[str, Q]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, name) for value, (name, _condition) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PriceMove]) -> QuerySet[PriceMove]:
        value = self.value()
        if value not in self.conditions:
            return queryset
        _name, condition = self.conditions[value]
        return queryset.filter(condition)


class DirectionFilter(ConditionFilter):
    title, parameter_name, conditions = "涨跌", "way", DIRECTIONS


class PriceKindFilter(ConditionFilter):
    title, parameter_name, conditions = "价格", "price", PRICE_KINDS


@admin.register(PriceMove)
class PriceMoveAdmin(ReadOnlyAdmin):
    """The log of price changes (元, 含税), newest first, read-only."""

    list_display = ("at", "product", "price_list", BEFORE, AFTER, "share", "way")
    list_select_related = ("product", "item__price_list")
    list_filter = (
        DirectionFilter,
        PriceKindFilter,
        ("product", AutocompleteSelectFilter),
        ("item__price_list", AutocompleteSelectFilter),
        ("at", RangeDateTimeFilter),
    )
    search_fields = (
        "product__code",
        "product__name",
        "item__price_list__code",
        "item__price_list__name",
    )
    search_help_text = "按商品编码、名称或价目表搜索"
    # Newest first. Ids follow the time of the change.
    ordering = ("-pk",)
    fields = ("at", ("product", "price_list"), (BEFORE, AFTER), ("share", "way"))
    readonly_fields = ("at", "price_list", BEFORE, AFTER, "share", "way")

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return False: a recorded move has no actions."""
        return False

    @admin.display(description="价目表")
    def price_list(self, move: PriceMove) -> str:
        return str(move.item.price_list) if move.item else "市场价"

    @admin.display(description="幅度")
    def share(self, move: PriceMove) -> str:
        """Return the change in percent of the old price."""
        return f"{(move.after - move.before) / move.before:+.1%}" if move.before else "—"

    @display(description="涨跌", label={"上涨": "warning", "下降": "success"})
    def way(self, move: PriceMove) -> str:
        return "上涨" if move.after > move.before else "下降"


def list_price_item_traces(request: HttpRequest, item: PriceListItem) -> list[Trace]:
    """Return the batches that changed or restored the price, and its other moves."""
    rows = (
        PriceBatchRow.objects.filter(item=item)
        .select_related("batch__made_by", "batch__undone_by")
        .order_by("-batch_id")[:NEWEST]
    )
    traces: list[Trace] = []
    changes: list[BatchChange] = []
    for row in rows:
        batch, page = row.batch, page_link(request, PriceBatch, row.batch_id)
        event_text = (
            f"批量调价（批次 {batch.pk}，{batch.rule_text}）：{_change(row.before, row.after)}"
        )
        traces.append(Trace(batch.made_at, event_text, get_account_name(batch.made_by), page))
        changes.append((row.before, row.after, batch.made_at))
        if batch.undone_at and not row.is_left:
            event_text = f"撤销批量调价（批次 {batch.pk}）：{_change(row.after, row.before)}"
            traces.append(
                Trace(batch.undone_at, event_text, get_account_name(batch.undone_by), page)
            )
            changes.append((row.after, row.before, batch.undone_at))
    moves = PriceMove.objects.filter(item=item).order_by("-pk")[:NEWEST]
    alone = [move for move in moves if not _is_of_batch(move, changes)]
    return [*traces, *(_move_trace(request, move) for move in alone)]


def list_market_price_traces(request: HttpRequest, product: Product) -> list[Trace]:
    """Return the moves of the product's market price."""
    moves = PriceMove.objects.filter(product=product, item=None).order_by("-pk")[:NEWEST]
    return [_move_trace(request, move) for move in moves]


def list_price_ledger(request: HttpRequest, product_id: int) -> list[tuple[str, str]]:
    """Return the label and URL of the product's price moves. Empty without the permission."""
    page = list_link(request, PriceMove, product__id__exact=product_id)
    return [("价格变动", page)] if page else []


def _is_of_batch(move: PriceMove, batch_changes: list[BatchChange]) -> bool:
    """Return whether a batch moved the price: same prices, and within BATCH_DURATION."""
    return any(
        (move.before, move.after) == (before, after) and abs(move.at - at) < BATCH_DURATION
        for before, after, at in batch_changes
    )


def _move_trace(request: HttpRequest, move: PriceMove) -> Trace:
    """Return the move as a row of the product's ledger, with a link to it."""
    name = "协议价" if move.item_id else "市场价"
    return Trace(
        move.at,
        f"{name}变动：{_change(move.before, move.after)}",
        page=page_link(request, PriceMove, move.pk),
    )


def _change(before: Decimal, after: Decimal) -> str:
    return f"{format_yuan(before)} → {format_yuan(after)}"


def format_price_change(before: Decimal, after: Decimal) -> str:
    """Return a text with the price change within the window: direction, amount and percentage."""
    difference = after - before
    share = f"（{abs(difference) / before:.1%}）" if before else ""
    return f"30 天内{'涨' if difference > 0 else '降'} {format_yuan(abs(difference))}{share}"


def drifts_warn(
    request: HttpRequest, *, items: Sequence[PriceListItem] = (), products: Sequence[Product] = ()
) -> None:
    """Show one warning that lists the saved prices whose change exceeds PRICE_MOVE_PERCENT, if
    any.
    """
    if not items and not products:
        return
    codes = {row.product_id: row.product.code for row in items}
    codes |= {row.pk: row.code for row in products}
    drifts = list_price_drifts(
        item_ids=[row.pk for row in items], product_ids=[row.pk for row in products]
    )
    if not drifts:
        return
    prices = "；".join(
        f"{codes[drift.last.product_id]} {_format_drift(drift)}"
        for drift in drifts[:MAX_PRICES_IN_WARNING]
    )
    more = f"；等 {len(drifts)} 个价格" if len(drifts) > MAX_PRICES_IN_WARNING else ""
    limit = f"超过 {settings.PRICE_MOVE_PERCENT}%，将列入价格预警，如填写有误请改回"
    messages.warning(request, f"{prices}{more}。{limit}")


class PricePageMixin(RefusalMixin, _Base):
    """For pages that save prices, which are under dual control. Imports sheets of prices, shows no
    success of an act that waits, and warns about large changes.
    """

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """Show the message, unless it reports the success of an act that waits."""
        if not _is_proposed(request):
            super().message_user(request, message, *args, **kwargs)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log the new row, unless it waits for a second person."""
        return None if _is_proposed(request) else super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log the change, unless it waits for a second person."""
        return None if _is_proposed(request) else super().log_change(request, obj, message)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        if _is_proposed(request):
            return self._redirect_to_list()
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Go back to the list if the change was only proposed."""
        return (
            self._redirect_to_list()
            if _is_proposed(request)
            else super().response_change(request, obj)
        )

    def _redirect_to_list(self) -> HttpResponse:
        label = f"{self.opts.app_label}_{self.opts.model_name}"
        return HttpResponseRedirect(reverse(f"admin:{label}_changelist"))

    def sheet_apply(self, request: HttpRequest, kind: str, source: SheetFile) -> ImportReport:
        """Import the sheet. A sheet of prices is imported only within the person's limit, otherwise
        proposed.
        """
        if kind not in PRICE_SHEETS:
            return super().sheet_apply(request, kind, source)
        return price_sheet_submit(
            actor=get_request_staff(request),
            kind=kind,
            source=source,
            is_good_only="good" in request.POST,
        )

    def after_change(
        self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]
    ) -> None:
        """Warn about the rows whose price changed by more than PRICE_MOVE_PERCENT."""
        drifts_warn(
            request,
            items=[
                row for row, names in changed if isinstance(row, PriceListItem) and "price" in names
            ],
        )


def submit_prices(
    request: HttpRequest, rows: Sequence[PriceListItem]
) -> list[PriceListItem] | None:
    """Save the rows and return them; None if they wait for a second person."""
    new_rows = [PriceRow.from_item(row) for row in rows]
    saved: list[PriceListItem] | None = _submit(
        request,
        SET_PRICES,
        f"{len(rows)} 个价目",
        lambda earlier: build_price_rows_parameters(rows=new_rows, earlier=earlier),
    )
    return saved


def submit_deletion(request: HttpRequest, rows: Sequence[PriceListItem]) -> bool:
    """Delete the stored rows and return whether it is done. Otherwise a second person decides."""
    stored_items = PriceListItem.objects.filter(pk__in=[row.pk for row in rows]).order_by("pk")
    nothing: dict[str, Any] = dict.fromkeys(("price", *FLAT_TIER_FIELDS))
    emptied_rows = [replace(PriceRow.from_item(row), **nothing) for row in stored_items]
    is_done = _submit(
        request,
        DELETE_PRICES,
        f"删除 {len(emptied_rows)} 个价目",
        lambda earlier: build_price_rows_parameters(rows=emptied_rows, earlier=earlier),
    )
    return is_done is not None


def submit_market_price(request: HttpRequest, product: Product, price: Decimal) -> bool:
    """Set the market price and return whether it is done. Otherwise a second person decides."""
    is_done = _submit(
        request,
        SET_MARKET_PRICE,
        f"市场价 {format_yuan(price)}",
        lambda earlier: build_market_price_parameters(
            product_id=product.pk, price=price, earlier=earlier
        ),
    )
    return is_done is not None


def _submit(
    request: HttpRequest, kind: str, what: str, parameters: Callable[[Decimal], Parameters]
) -> Any:
    """Do the act and return the result of its service; None if it waits for a second person.
    `parameters` gets what the person has changed alone today (元).
    """
    person = get_request_staff(request)
    # Two pages that are saved at once are judged together, as one after the other.
    lock_account(person.pk)
    outcome = act_submit(
        actor=person, kind=kind, parameters=parameters(get_changed_today(person=person))
    )
    if outcome.proposal is not None:
        messages.warning(request, f"{what}：{outcome.proposal_text}")
    return outcome.result


def _is_proposed(request: HttpRequest) -> bool:
    return getattr(request, PROPOSED, False)


def _format_drift(drift: Drift) -> str:
    name = "协议价" if drift.last.item_id else "市场价"
    return f"{name} {format_price_change(drift.was, drift.last.after)}"
