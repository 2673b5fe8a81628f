"""The table of tools for language models. They call the same functions as the embedded
assistant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.assistant.answers import Cards, Event, Link, Links, Proposal
from apps.assistant.tools.arguments import Arguments, BadArguments
from apps.assistant.tools.cart import Proposable, cart_lookup, cart_proposable
from apps.assistant.tools.help import excerpt, help_find
from apps.assistant.tools.lists import PEOPLE, quick_list
from apps.assistant.tools.orders import NotAllowed, approvals_lookup, order_lookup, orders_lookup
from apps.assistant.tools.products import Wish, products_by_name, products_by_names, products_find
from apps.assistant.tools.registry import Tool, ToolResult
from apps.assistant.tools.scenarios import SCENARIOS, scenario_of
from apps.budgets.selectors.budgets import budgets_usable
from apps.common.quantity import MAX_QUANTITY
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.orders import UNPAID
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


def _product(offer: Offer) -> dict[str, Any]:
    product = offer.product
    return {
        "code": product.code,
        "name": offer.name,
        "brand": product.brand.name,
        "model": product.model_code,
        "pack": product.pack,
        "price": str(offer.price),
        "market_price": str(offer.market_price),
        "is_agreement_price": offer.price_source is not None,
        "unit": product.unit,
        "stock": offer.available,
        "min_quantity": product.min_quantity,
        "step_quantity": product.step_quantity,
        "lead_days": product.lead_days,
        "on_sale": offer.is_on_sale,
        "attributes": product.attributes,
    }


def _search(actor: Account, given: Arguments) -> ToolResult:
    wish = Wish(
        keyword=given.text("keyword"),
        brand=given.text("brand"),
        min_price=given.money("min_price"),
        max_price=given.money("max_price"),
        in_stock=given.flag("in_stock"),
        sort=SORTS.get(given.text("sort"), ProductSort.DEFAULT),
    )
    offers = products_find(actor=actor, wish=wish)
    return ToolResult(
        {"products": [_product(offer) for offer in offers]}, (Cards(offers),) if offers else ()
    )


def _named(actor: Account, given: Arguments) -> ToolResult:
    offers, missing = products_by_names(actor=actor, names=given.texts("codes"))
    return ToolResult(
        {"products": [_product(offer) for offer in offers], "not_found": missing},
        (Cards(tuple(offers)),) if offers else (),
    )


def _propose(actor: Account, given: Arguments) -> ToolResult:
    rows = [
        (row.text("code"), row.whole("quantity", default=1, most=MAX_QUANTITY))
        for row in given.rows("items")
    ]
    meant = products_by_name(actor=actor, names=[name for name, _ in rows])
    wished: dict[str, tuple[Offer, int]] = {}
    for name, quantity in rows:
        if len(meant[name]) == 1:
            (offer,) = meant[name]
            before = wished.get(offer.product.code, (offer, 0))[1]
            wished[offer.product.code] = (offer, before + quantity)
    several = {
        name: [{"code": one.product.code, "name": one.name} for one in found]
        for name, found in meant.items()
        if len(found) > 1
    }
    more: dict[str, Any] = {"not_found": [name for name, found in meant.items() if not found]}
    if several:
        more |= {
            "several": several,
            "advice": "several 里的型号对应多款商品，均未列入，请用户选定后用商品编码重新列出",
        }
    return _proposed(cart_proposable(wishes=wished.values()), more)


def _proposed(lines: Proposable, more: dict[str, Any]) -> ToolResult:
    shown = [
        {"code": line.offer.product.code, "name": line.offer.name, "quantity": line.quantity}
        for line in lines.lines
    ]
    data = {"proposed": shown, "total": str(lines.total), "remarks": list(lines.remarks), **more}
    data["status"] = "等待用户点击确认，尚未加入购物车" if shown else "没有可以列入的商品"
    return ToolResult(data, (Proposal(lines.lines),) if lines.lines else ())


def _list(actor: Account, given: Arguments) -> ToolResult:
    scenario = scenario_of(given.text("scenario"))
    if scenario is None:
        return ToolResult({"error": "没有这个场景", "scenarios": [one.name for one in SCENARIOS]})
    people = given.whole("people", default=PEOPLE, most=5000)
    made = quick_list(
        actor=actor,
        scenario=scenario,
        people=people,
        budget=given.money("budget"),
        exclude=given.texts("exclude"),
    )
    more: dict[str, Any] = {
        "scenario": made.scenario,
        "people": people,
        "freight": str(made.freight),
        "total_with_freight": str(made.total),
    }
    more["left_out"] = [{"kind": one.kind, "why": one.why} for one in made.left_out]
    more["other_ways"] = [
        {"name": one.name, "total": str(one.total), "difference": one.explained}
        for one in made.other_ways
    ]
    if made.needed is not None:
        more["least_budget"] = str(made.needed)
    return _proposed(made.proposable, more)


def _cart(actor: Account, _given: Arguments) -> ToolResult:
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


def _order(order: Order) -> dict[str, Any]:
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


def _orders(actor: Account, given: Arguments) -> ToolResult:
    number, status = given.text("order_no"), given.text("status")
    links: tuple[Event, ...] = (Links((Link("我的订单", "/userCenter/order/index"),)),)
    if number:
        detail = order_lookup(actor=actor, order_no=number)
        if detail is None:
            return ToolResult({"error": "没有这张订单，或用户无权查看"}, links)
        order = detail.order
        return ToolResult(
            _order(order),
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
    known = {UNPAID, *OrderStatus.values}
    found = orders_lookup(actor=actor, status=status if status in known else "")
    return ToolResult(
        {"total": found.total, "orders": [_order(order) for order in found.orders]}, links
    )


def _approvals(actor: Account, _given: Arguments) -> ToolResult:
    waiting, total = approvals_lookup(actor=actor)
    rows = [
        {"no": row.subject_no, "requester": row.requester.nickname, "amount": str(row.amount)}
        for row in waiting
    ]
    return ToolResult(
        {"total": total, "approvals": rows},
        (Links((Link("订单审批", "/userCenter/order/approval"),)),),
    )


def _budgets(actor: Account, _given: Arguments) -> ToolResult:
    names = ("name", "period_from", "period_to", "amount", "reserved", "consumed", "available")
    return ToolResult(
        {
            "budgets": [
                {name: str(getattr(row, name)) for name in names}
                for row in budgets_usable(actor=actor)
            ]
        }
    )


def _help(_actor: Account, given: Arguments) -> ToolResult:
    found = help_find(text=given.text("question"))
    if found is None:
        return ToolResult({"error": "帮助页没有相关内容"})
    sections = (found.best, *found.others)
    pages = [
        {"title": one.title, "heading": one.heading, "path": one.path, "text": excerpt(one)}
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
        _search,
    ),
    Tool(
        "product_facts",
        "正在查询价格和库存",
        "查询商品的价格、库存、起订量和交货天数",
        {"codes": CODES},
        _named,
        ("codes",),
    ),
    Tool(
        "compare_products",
        "正在对比商品",
        "取几款商品的数据用于对比",
        {"codes": CODES},
        _named,
        ("codes",),
    ),
    Tool(
        "propose_cart",
        "正在核对商品和数量",
        "列出建议加入购物车的商品，由用户点击确认；本工具不会加入购物车",
        {"items": {"type": "array", "items": ITEM}},
        _propose,
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
        _list,
        ("scenario",),
    ),
    Tool("cart_view", "正在查看购物车", "查看用户的购物车", {}, _cart),
    Tool(
        "order_status",
        "正在查询订单",
        "查询用户有权查看的订单：按订单号，或按状态列出最近的",
        {"order_no": TEXT, "status": {"type": "string", "enum": [UNPAID, *OrderStatus.values]}},
        _orders,
    ),
    Tool("pending_approvals", "正在查询待审批", "查询等待用户审批的订单", {}, _approvals),
    Tool("budget_left", "正在查询预算", "查询用户今天可用的预算", {}, _budgets),
    Tool(
        "help_pages",
        "正在查阅帮助",
        "在帮助页里查找退换货、取消、开票、配送、付款等说明",
        {"question": TEXT},
        _help,
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
