"""The acts of this app under dual control: 批量调价, typed prices (设置协议价, 设置市场价), deleted
prices (删除协议价) and sheets of prices (导入价格).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Model
from django.utils import timezone

from apps.catalog.models import Brand, Category, Product
from apps.catalog.selectors.low_prices import is_low_price
from apps.catalog.services.imports import ImportReport
from apps.catalog.services.imports.cells import parse_money
from apps.catalog.services.imports.products import ProductImporter
from apps.common.models import ImportRun
from apps.common.models.import_run import ImportState
from apps.common.money import ZERO, format_yuan
from apps.common.services.import_run import import_run_release
from apps.dual_control.controlled import ActPreview, ControlledAct, JobLimit, Parameters
from apps.pricing.enums import PriceRuleKind
from apps.pricing.errors import PriceSheetGone, ProductGone
from apps.pricing.models import PriceBatch, PriceList, PriceListItem, PriceMove
from apps.pricing.selectors.price_changes import (
    LOW_PRICE_TEXT,
    PriceRow,
    get_former_market_prices,
    list_row_changes,
)
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.importers import CODE_HEADER, PRICE_HEADER, TIER_HEADERS
from apps.pricing.services.prices import (
    market_price_set,
    price_batch_apply,
    price_rows_delete,
    price_rows_lock,
    price_rows_save,
    require_plan,
)

if TYPE_CHECKING:
    from apps.org.models import Account

CHANGE_PRICES = "pricing.change_prices"
SET_PRICES, IMPORT_PRICES = "pricing.set_prices", "pricing.import_prices"
DELETE_PRICES, SET_MARKET_PRICE = "pricing.delete_prices", "pricing.set_market_price"
MARKET_PRICE_HEADER = "市场价"
# Facts name this many rows.
NAMED_ROWS = 10
EARLIER = "提出人今日已自行变动"


def build_price_change_parameters(
    *,
    choice: PriceChoice,
    rule: PriceRule,
    digest: str,
    skips_refused: bool,
    earlier: Decimal = ZERO,
) -> Parameters:
    """Return the parameters of 批量调价 as JSON data, as a proposal stores them. `earlier`: as
    `get_changed_today` (元).
    """
    return {
        "earlier": str(earlier),
        "price_list_id": choice.price_list.pk,
        "category_id": choice.category.pk if choice.category else None,
        "brand_id": choice.brand.pk if choice.brand else None,
        "codes": list(choice.codes),
        "kind": str(rule.kind),
        "figure": str(rule.figure),
        "step": str(rule.step),
        "digest": digest,
        "skips_refused": skips_refused,
    }


def _parse_choice(parameters: Parameters) -> PriceChoice:
    return PriceChoice(
        PriceList.objects.get(pk=parameters["price_list_id"]),
        Category.objects.filter(pk=parameters["category_id"]).first(),
        Brand.objects.filter(pk=parameters["brand_id"]).first(),
        tuple(parameters["codes"]),
    )


def _parse_rule(parameters: Parameters) -> PriceRule:
    return PriceRule(
        PriceRuleKind(parameters["kind"]),
        Decimal(parameters["figure"]),
        Decimal(parameters["step"]),
    )


def _preview_change(parameters: Parameters) -> ActPreview:
    """Return the batch change as a proposal: what it is about, its amount and its facts. The amount
    is the sum of all changes of a price, up and down, and of those that the person has made alone
    today, in 元.
    """
    choice, rule = _parse_choice(parameters), _parse_rule(parameters)
    plan = get_price_plan(choice=choice, rule=rule)
    require_plan(plan, digest=parameters["digest"], skips_refused=parameters["skips_refused"])
    moved_amount = sum((row.moved for row in plan.changes), ZERO)
    # A proposal from before this sum has none.
    earlier = Decimal(parameters.get("earlier", "0"))
    is_low = any(row.is_low for row in plan.changes)
    ups = sum(row.after > row.before for row in plan.changes)
    largest = "；".join(
        f"{row.code} {row.prices_before} → {row.prices_after}" for row in plan.list_largest(10)
    )
    facts = (
        ("价目表", str(choice.price_list)),
        ("范围", str(choice)),
        ("规则", str(rule)),
        ("调整的价目", f"{len(plan.changes)} 个：上涨 {ups} 个，下降 {len(plan.changes) - ups} 个"),
        ("变动金额合计", format_yuan(moved_amount)),
        ("变动最大的", largest),
        *([(EARLIER, format_yuan(earlier))] if earlier else []),
    )
    subject_text = str(choice.price_list)
    preview = ActPreview(
        choice.price_list, subject_text, earlier + moved_amount, facts, earlier=earlier
    )
    return _judge(preview, is_low=is_low)


def _judge(preview: ActPreview, *, is_low: bool) -> ActPreview:
    """Return the preview of a price change; with a low price no limit is enough for one person."""
    return replace(preview, amount=None, reason=LOW_PRICE_TEXT) if is_low else preview


def _apply_price_batch(actor: Account, parameters: Parameters) -> PriceBatch:
    return price_batch_apply(
        actor=actor,
        choice=_parse_choice(parameters),
        rule=_parse_rule(parameters),
        digest=parameters["digest"],
        skips_refused=parameters["skips_refused"],
    )


def build_price_rows_parameters(*, rows: Sequence[PriceRow], earlier: Decimal) -> Parameters:
    """Return the parameters of 设置协议价 and 删除协议价. The rows to delete have no price.
    `earlier`: as `get_changed_today` (元)."""
    return {"rows": [row.as_json() for row in rows], "earlier": str(earlier)}


def _parse_rows(parameters: Parameters) -> list[PriceRow]:
    return [PriceRow.from_json(row) for row in parameters["rows"]]


def _preview_rows(parameters: Parameters) -> ActPreview:
    """Return the changed rows of a price list as a proposal: what it is about, its amount and its
    facts.

    The amount is the sum of the changes and of what the person has changed alone today, in 元. It
    is 0 if no price changes.
    """
    rows = _parse_rows(parameters)
    price_rows_lock(rows=rows)
    changes = list_row_changes(rows)
    moved_amount = sum((change.moved for change in changes), ZERO)
    earlier = Decimal(parameters["earlier"])
    largest = sorted(changes, key=lambda change: change.moved, reverse=True)[:NAMED_ROWS]
    # Also of rows that change nothing else: the release would undo a colleague's change.
    others = [change.others_text for change in changes if change.others_text]
    facts = (
        ("价目表", "、".join(dict.fromkeys(str(change.price_list) for change in changes))),
        ("价目", f"{len(changes)} 个"),
        ("变动最大的", "；".join(map(str, largest))),
        ("其他变动", f"{len(others)} 个：{'；'.join(others[:NAMED_ROWS])}" if others else "无"),
        ("变动金额合计", format_yuan(moved_amount)),
        (EARLIER, format_yuan(earlier)),
    )
    first = changes[0]
    subject: Model = first.product if len(changes) == 1 else first.price_list
    amount = earlier + moved_amount if moved_amount else ZERO
    preview = ActPreview(
        subject, str(subject), amount, facts, earlier=earlier if moved_amount else ZERO
    )
    return _judge(preview, is_low=any(change.is_low for change in changes))


def _set_prices(actor: Account, parameters: Parameters) -> list[PriceListItem]:
    return price_rows_save(actor=actor, rows=_parse_rows(parameters))


def _delete_prices(actor: Account, parameters: Parameters) -> int:
    return price_rows_delete(actor=actor, rows=_parse_rows(parameters))


def build_market_price_parameters(
    *, product_id: int, price: Decimal, earlier: Decimal
) -> Parameters:
    """Return the parameters of 设置市场价. `earlier`: as `get_changed_today` (元)."""
    return {"product_id": product_id, "price": str(price), "earlier": str(earlier)}


def _preview_market_price(parameters: Parameters) -> ActPreview:
    """Return the new market price as a proposal: the product, its amount and its facts. The amount
    is the change, and what the person has changed alone today, in 元.
    """
    products = Product.objects.select_for_update(no_key=True)
    product = products.filter(pk=parameters["product_id"]).first()
    if product is None:
        raise ProductGone
    after, earlier = Decimal(parameters["price"]), Decimal(parameters["earlier"])
    moved_amount = abs(after - product.market_price)
    facts = (
        ("商品", f"{product.code} {product.name}"),
        ("现市场价", format_yuan(product.market_price)),
        ("新市场价", format_yuan(after)),
        ("变动金额", format_yuan(moved_amount)),
        (EARLIER, format_yuan(earlier)),
    )
    preview = ActPreview(product, str(product), earlier + moved_amount, facts, earlier=earlier)
    former_price = get_former_market_prices(codes=[product.code]).get(
        product.code, product.market_price
    )
    is_low = is_low_price(after, present_price=product.market_price, market_price=former_price)
    return _judge(preview, is_low=is_low)


def _set_market_price(actor: Account, parameters: Parameters) -> Product:
    return market_price_set(
        actor=actor, product_id=parameters["product_id"], price=Decimal(parameters["price"])
    )


def build_price_sheet_parameters(*, run_id: int, earlier: Decimal) -> Parameters:
    """Return the parameters of 导入价格. `earlier`: as `get_changed_today` (元)."""
    return {"run_id": run_id, "earlier": str(earlier)}


def _preview_sheet(parameters: Parameters) -> ActPreview:
    """Return the staged price sheet as a proposal: its run, its amount and its facts.

    The amount is the sum of the price changes and of what the person has changed alone today, in
    元. It is 0 if no price changes.
    """
    run = ImportRun.objects.filter(pk=parameters["run_id"], state=ImportState.HELD).first()
    if run is None:
        raise PriceSheetGone
    report = ImportReport.from_json(run.options["staged"])
    moved_amount = Decimal(run.options["moved_cents"]) / 100
    earlier = Decimal(parameters["earlier"])
    later = _count_later_moves(run)
    fact_rows = [
        f"{example.key} {header + ' ' if header in TIER_HEADERS.values() else ''}{old} → {new}"
        for example in report.examples
        for header, old, new in example.changes
        if header in (PRICE_HEADER, MARKET_PRICE_HEADER, *TIER_HEADERS.values())
    ]
    facts = (
        (report.title, f"新增 {report.created} 行，更新 {report.updated} 行"),
        ("部分变动", "；".join(fact_rows[:NAMED_ROWS]) or "—"),
        ("变动金额合计", format_yuan(moved_amount)),
        (EARLIER, format_yuan(earlier)),
        ("核对后的其他价格变动", f"{later} 个" if later else "无"),
    )
    amount = earlier + moved_amount if moved_amount else ZERO
    subject_text = f"{report.title}表格（{run.rows} 行）"
    preview = ActPreview(
        run, subject_text, amount, facts, earlier=earlier if moved_amount else ZERO
    )
    return _judge(preview, is_low=bool(report.low_prices) or _has_low_market_price(run))


def _has_low_market_price(run: ImportRun) -> bool:
    """Return whether the sheet sets a market price below half of that of 30 days ago, so that
    nobody avoids the limit by several sheets. Without any move the staged rows are not read.
    """
    if run.kind != ProductImporter.kind or MARKET_PRICE_HEADER not in run.options["headers"]:
        return False
    former_prices = get_former_market_prices()
    if not former_prices:
        return False
    present_prices: dict[str, Any] = dict(
        Product.objects.filter(code__in=former_prices).values_list("code", "market_price")
    )
    typed_prices = _get_staged_cells(run, MARKET_PRICE_HEADER)
    return any(
        is_low_price(
            parse_money(typed_prices[code], timezone.localdate()),
            present_price=present_prices[code],
            market_price=former_prices[code],
        )
        for code in typed_prices.keys() & present_prices.keys()
    )


def _count_later_moves(run: ImportRun) -> int:
    """Return how many prices of the sheet's products have changed since the check: agreed ones, or
    market prices if the sheet has products. Without any move the staged rows are not read.
    """
    is_market = run.kind == ProductImporter.kind
    moves = PriceMove.objects.filter(at__gt=run.made_at, item__isnull=is_market)
    codes = list(moves.order_by().values_list("product__code", flat=True))
    if not codes:
        return 0
    sheet_codes = _get_staged_cells(run, CODE_HEADER).keys()
    return sum(code in sheet_codes for code in codes)


def _get_staged_cells(run: ImportRun, header: str) -> dict[str, str]:
    """Return {product code: cell below the header} of the staged rows that are long enough to have
    both cells.
    """
    headers = run.options["headers"]
    code_place, place = headers.index(CODE_HEADER), headers.index(header)
    return {
        cells[code_place].strip(): cells[place]
        for rows in run.chunks.values_list("rows", flat=True)
        for _number, cells, *_ in rows
        if len(cells) > max(code_place, place)
    }


def _import_prices(_actor: Account, parameters: Parameters) -> ImportRun:
    return import_run_release(run_id=parameters["run_id"])


CONTROLLED_ACTS = (
    ControlledAct(
        kind=SET_PRICES,
        title="设置协议价",
        permission="pricing.change_pricelistitem",
        limits={"商品": JobLimit(alone=Decimal(1_000), release=None)},
        preview=_preview_rows,
        run=_set_prices,
    ),
    ControlledAct(
        kind=DELETE_PRICES,
        title="删除协议价",
        permission="pricing.delete_pricelistitem",
        limits={"商品": JobLimit(alone=Decimal(1_000), release=None)},
        preview=_preview_rows,
        run=_delete_prices,
    ),
    ControlledAct(
        kind=SET_MARKET_PRICE,
        title="设置市场价",
        permission="catalog.change_product",
        limits={"商品": JobLimit(alone=Decimal(1_000), release=None)},
        preview=_preview_market_price,
        run=_set_market_price,
    ),
    ControlledAct(
        kind=IMPORT_PRICES,
        title="导入价格",
        permission="pricing.change_pricelistitem",
        limits={"商品": JobLimit(alone=Decimal(10_000), release=None)},
        preview=_preview_sheet,
        run=_import_prices,
    ),
    ControlledAct(
        kind=CHANGE_PRICES,
        title="批量调价",
        permission="pricing.change_pricebatch",
        limits={"商品": JobLimit(alone=Decimal(10_000), release=None)},
        preview=_preview_change,
        run=_apply_price_batch,
        # `preview` makes the same checks, and a trial would write every price.
        is_tried=False,
    ),
)
