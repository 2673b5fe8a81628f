"""The table of tools for language models. They call the same functions as the embedded
assistant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.assistant.answers import HIDDEN_PRICE, Cards, Event, Link, Links, Proposal
from apps.assistant.tools.cart import ProposableLines, cart_lookup, proposal_prepare
from apps.assistant.tools.help import cut_excerpt, help_find
from apps.assistant.tools.orders import approvals_lookup, order_lookup, orders_lookup
from apps.assistant.tools.products import (
    Wish,
    find_first_matches,
    list_matches_by_name,
    products_find,
)
from apps.assistant.tools.quick_lists import DEFAULT_PEOPLE, SCENARIOS, find_scenario, quick_list
from apps.assistant.tools.rights import NotAllowed
from apps.assistant.tools.tool import Arguments, BadArguments, Tool, ToolResult
from apps.budgets.selectors.budgets import budgets_usable
from apps.common.quantity import MAX_QUANTITY
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.orders import UNPAID
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import can_purchase, purchasing_refusal
from apps.pricing.selectors.offers import Offer
from apps.search.enums import ProductSort

if TYPE_CHECKING:
    from apps.org.models import Account

SORTS = {
    "sales": ProductSort.SALES,
    "price": ProductSort.PRICE,
    "-price": ProductSort.PRICE_DESC,
    "new": ProductSort.NEW,
}
TEXT, NUMBER = {"type": "string"}, {"type": "number"}
CODES = {"type": "array", "items": TEXT, "description": "商品编码、物料编码或型号"}


def _serialize_product(offer: Offer) -> dict[str, Any]:
    product = offer.product
    return {
        "code": product.code,
        "name": offer.name,
        "brand": product.brand.name,
        "model": product.model_code,
        "pack": product.pack,
        "price": str(offer.price) if offer.is_priced else HIDDEN_PRICE,
        "market_price": str(offer.market_price) if offer.is_priced else HIDDEN_PRICE,
        "is_agreement_price": offer.price_source is not None,
        "unit": product.unit,
        "stock": offer.available,
        "min_quantity": product.min_quantity,
        "step_quantity": product.step_quantity,
        "lead_days": product.lead_days,
        "on_sale": offer.is_on_sale,
        "attributes": product.attributes,
    }


def _search_products(actor: Account, arguments: Arguments) -> ToolResult:
    wish = Wish(
        keyword=arguments.text("keyword"),
        brand=arguments.text("brand"),
        min_price=arguments.money("min_price"),
        max_price=arguments.money("max_price"),
        in_stock=arguments.flag("in_stock"),
        sort=SORTS.get(arguments.text("sort"), ProductSort.DEFAULT),
    )
    offers = products_find(actor=actor, wish=wish)
    return ToolResult(
        {"products": [_serialize_product(offer) for offer in offers]},
        (Cards(offers),) if offers else (),
    )


def _list_named_products(actor: Account, arguments: Arguments) -> ToolResult:
    offers, missing = find_first_matches(actor=actor, names=arguments.texts("codes"))
    return ToolResult(
        {"products": [_serialize_product(offer) for offer in offers], "not_found": missing},
        (Cards(tuple(offers)),) if offers else (),
    )


def _refusal_of_browser(actor: Account) -> ToolResult | None:
    """Return the result of a tool that proposes products, if the person may only browse."""
    if can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        return None
    return ToolResult({"error": purchasing_refusal(actor=actor)})


def _propose_cart(actor: Account, arguments: Arguments) -> ToolResult:
    if (refused := _refusal_of_browser(actor)) is not None:
        return refused
    rows = [
        (row.text("code"), row.whole("quantity", default=1, maximum=MAX_QUANTITY))
        for row in arguments.rows("items")
    ]
    matches = list_matches_by_name(actor=actor, names=[name for name, _ in rows])
    wishes: dict[str, tuple[Offer, int]] = {}
    for name, quantity in rows:
        if len(matches[name]) == 1:
            (offer,) = matches[name]
            before = wishes.get(offer.product.code, (offer, 0))[1]
            wishes[offer.product.code] = (offer, before + quantity)
    ambiguous = {
        name: [{"code": one.product.code, "name": one.name} for one in offers]
        for name, offers in matches.items()
        if len(offers) > 1
    }
    more: dict[str, Any] = {"not_found": [name for name, offers in matches.items() if not offers]}
    if ambiguous:
        more |= {
            "several": ambiguous,
            "advice": "several 里的型号对应多款商品，均未列入，请用户选定后用商品编码重新列出",
        }
    return _build_proposal_result(proposal_prepare(wishes=wishes.values()), more)


def _build_proposal_result(lines: ProposableLines, more: dict[str, Any]) -> ToolResult:
    lines_data = [
        {"code": line.offer.product.code, "name": line.offer.name, "quantity": line.quantity}
        for line in lines.lines
    ]
    data = {
        "proposed": lines_data,
        "total": str(lines.total),
        "remarks": list(lines.remarks),
        **more,
    }
    data["status"] = "等待用户点击确认，尚未加入购物车" if lines_data else "没有可以列入的商品"
    return ToolResult(data, (Proposal(lines.lines),) if lines.lines else ())


def _make_quick_list(actor: Account, arguments: Arguments) -> ToolResult:
    if (refused := _refusal_of_browser(actor)) is not None:
        return refused
    scenario = find_scenario(arguments.text("scenario"))
    if scenario is None:
        return ToolResult({"error": "没有这个场景", "scenarios": [one.name for one in SCENARIOS]})
    people = arguments.whole("people", default=DEFAULT_PEOPLE, maximum=5000)
    basket = quick_list(
        actor=actor,
        scenario=scenario,
        people=people,
        budget=arguments.money("budget"),
        exclude=arguments.texts("exclude"),
    )
    more: dict[str, Any] = {
        "scenario": basket.scenario,
        "people": people,
        "freight": str(basket.freight),
        "total_with_freight": str(basket.total),
    }
    more["left_out"] = [{"kind": one.kind, "why": one.reason} for one in basket.omitted]
    more["other_ways"] = [
        {"name": one.name, "total": str(one.total), "difference": one.difference}
        for one in basket.alternatives
    ]
    if basket.minimum_budget is not None:
        more["least_budget"] = str(basket.minimum_budget)
    return _build_proposal_result(basket.proposable, more)


def _view_cart(actor: Account, _arguments: Arguments) -> ToolResult:
    view = cart_lookup(actor=actor)
    lines = [
        {
            "name": line.offer.name,
            "quantity": line.quantity,
            "valid": line.is_valid,
            "problem": line.problem.message if line.problem else "",
        }
        for line in view.lines[:30]
    ]
    data = {"count": len(view.lines), "chosen_amount": str(view.chosen_amount), "lines": lines}
    return ToolResult(data, (Links((Link("我的购物车", "/shop/cart"),)),))


def _serialize_order(order: Order) -> dict[str, Any]:
    shipments = order.shipments.all()
    return {
        "order_no": order.order_no,
        "status": order.get_status_display(),
        "total": str(order.total_amount),
        "submitted": timezone.localtime(order.submitted_at).isoformat(timespec="minutes"),
        "lines": [{"name": line.name, "quantity": line.quantity} for line in order.lines.all()][
            :10
        ],
        "shipments": [
            {
                "carrier": row.carrier,
                "tracking_no": row.tracking_no,
                "received": bool(row.received_at),
            }
            for row in shipments
        ],
    }


def _find_orders(actor: Account, arguments: Arguments) -> ToolResult:
    number, status = arguments.text("order_no"), arguments.text("status")
    links: tuple[Event, ...] = (Links((Link("我的订单", "/userCenter/order/index"),)),)
    if number:
        detail = order_lookup(actor=actor, order_no=number)
        if detail is None:
            return ToolResult({"error": "没有这张订单，或用户无权查看"}, links)
        order = detail.order
        return ToolResult(
            _serialize_order(order),
            (
                Links(
                    (
                        Link(
                            f"订单 {order.order_no}",
                            f"/userCenter/order/detail?OrderNo={order.order_no}",
                        ),
                    )
                ),
            ),
        )
    valid_statuses = {UNPAID, *OrderStatus.values}
    page = orders_lookup(actor=actor, status=status if status in valid_statuses else "")
    return ToolResult(
        {"total": page.total, "orders": [_serialize_order(order) for order in page.orders]}, links
    )


def _list_approvals(actor: Account, _arguments: Arguments) -> ToolResult:
    approvals, total = approvals_lookup(actor=actor)
    rows = [
        {"no": row.subject_no, "requester": row.requester.nickname, "amount": str(row.amount)}
        for row in approvals
    ]
    return ToolResult(
        {"total": total, "approvals": rows},
        (Links((Link("订单审批", "/userCenter/order/approval"),)),),
    )


def _list_budgets(actor: Account, _arguments: Arguments) -> ToolResult:
    names = ("name", "period_from", "period_to", "amount", "reserved", "consumed", "available")
    return ToolResult(
        {
            "budgets": [
                {name: str(getattr(row, name)) for name in names}
                for row in budgets_usable(actor=actor)
            ]
        }
    )


def _search_help(_actor: Account, arguments: Arguments) -> ToolResult:
    match = help_find(text=arguments.text("question"))
    if match is None:
        return ToolResult({"error": "帮助页没有相关内容"})
    sections = (match.best, *match.others)
    pages = [
        {"title": one.title, "heading": one.heading, "path": one.path, "text": cut_excerpt(one)}
        for one in sections
    ]
    return ToolResult(
        {"pages": pages}, (Links(tuple(Link(one.title, one.path) for one in sections)),)
    )


ITEM = {
    "type": "object",
    "properties": {"code": TEXT, "quantity": {"type": "integer"}},
    "required": ["code", "quantity"],
}
TABLE = (
    Tool(
        "search_products",
        "正在查找商品",
        "在用户的采购目录里按关键词、品牌、价格查找商品",
        {
            "keyword": TEXT,
            "brand": TEXT,
            "min_price": NUMBER,
            "max_price": NUMBER,
            "in_stock": {"type": "boolean"},
            "sort": {"type": "string", "enum": list(SORTS)},
        },
        _search_products,
    ),
    Tool(
        "product_facts",
        "正在查询价格和库存",
        "查询商品的价格、库存、起订量和交货天数",
        {"codes": CODES},
        _list_named_products,
        ("codes",),
    ),
    Tool(
        "compare_products",
        "正在对比商品",
        "取几款商品的数据用于对比",
        {"codes": CODES},
        _list_named_products,
        ("codes",),
    ),
    Tool(
        "propose_cart",
        "正在核对商品和数量",
        "列出建议加入购物车的商品，由用户点击确认；本工具不会加入购物车",
        {"items": {"type": "array", "items": ITEM}},
        _propose_cart,
        ("items",),
    ),
    Tool(
        "quick_list",
        "正在按人数和预算配清单",
        "按场景（会议、入职、节日福利、培训、耗材、清洁、茶水间、文具）、人数和预算（元，"
        "总额）列采购清单，不超预算，由用户点击确认；"
        "exclude 是不要的品类、品牌或商品",
        {
            "scenario": TEXT,
            "people": {"type": "integer"},
            "budget": NUMBER,
            "exclude": {"type": "array", "items": TEXT},
        },
        _make_quick_list,
        ("scenario",),
    ),
    Tool("cart_view", "正在查看购物车", "查看用户的购物车", {}, _view_cart),
    Tool(
        "order_status",
        "正在查询订单",
        "查询用户有权查看的订单：按订单号，或按状态列出最近的",
        {"order_no": TEXT, "status": {"type": "string", "enum": [UNPAID, *OrderStatus.values]}},
        _find_orders,
    ),
    Tool("pending_approvals", "正在查询待审批", "查询等待用户审批的订单", {}, _list_approvals),
    Tool("budget_left", "正在查询预算", "查询用户今天可用的预算", {}, _list_budgets),
    Tool(
        "help_pages",
        "正在查阅帮助",
        "在帮助页里查找退换货、取消、开票、配送、付款等说明",
        {"question": TEXT},
        _search_help,
        ("question",),
    ),
)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in TABLE}


def tool_run(*, actor: Account, name: str, arguments: str) -> tuple[str, ToolResult]:
    """Run a tool as the actor with arguments written by a model. Return its note and result; the
    result contains the reason if the tool cannot run.
    """
    tool = TOOLS.get(name)
    if tool is None:
        return "正在处理", ToolResult({"error": "没有这个工具"})
    try:
        return tool.note, tool.run(actor, Arguments.parse(arguments))
    except BadArguments as bad:
        return tool.note, ToolResult({"error": f"参数不正确：{bad}"})
    except NotAllowed as refused:
        return tool.note, ToolResult({"error": str(refused)})
