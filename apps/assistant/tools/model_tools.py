"""The table of tools for language models. They call the same functions as the embedded
assistant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.assistant.answers import HIDDEN_PRICE, Cards, Event, Link, Links, Proposal
from apps.assistant.tools.cart import (
    DEFAULT_PEOPLE,
    SCENARIOS,
    ProposableLines,
    cart_lookup,
    find_scenario,
    proposal_prepare,
    quick_list,
)
from apps.assistant.tools.help import cut_excerpt, help_find
from apps.assistant.tools.orders import (
    OrderQuestion,
    format_waiting_names,
    list_own_waiting_approvals,
    look_up_approvals,
    look_up_order,
    orders_find,
    purchases_find,
)
from apps.assistant.tools.papers import (
    look_up_applications,
    look_up_credit,
    look_up_invoices,
    look_up_returns,
    look_up_statements,
    look_up_titles,
    uninvoiced_count,
)
from apps.assistant.tools.products import (
    Wish,
    find_first_matches,
    list_matches_by_name,
    products_find,
)
from apps.assistant.tools.spending import (
    GROUPINGS,
    SpendingQuestion,
    list_budgets_in_scope,
    list_own_budgets,
    look_up_spending,
)
from apps.assistant.tools.tool import Arguments, BadArguments, NotAllowed, Tool, ToolResult
from apps.catalog.models import Category
from apps.common.quantity import MAX_QUANTITY
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.orders import UNPAID
from apps.org.enums import PurchasingRight
from apps.org.models import Account, Department
from apps.org.selectors.purchasing import can_purchase, explain_purchasing_refusal
from apps.pricing.selectors.offers import Offer
from apps.search.enums import ProductSort

SORTS = {
    "sales": ProductSort.SALES,
    "price": ProductSort.PRICE,
    "-price": ProductSort.PRICE_DESC,
    "new": ProductSort.NEW,
}
TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
WORDS = {"type": "array", "items": TEXT}
DAY = {"type": "string", "description": "日期，如 2026-11-01"}
CODES = {"type": "array", "items": TEXT, "description": "商品编码、物料编码或型号"}


def _serialize_product(offer: Offer) -> dict[str, Any]:
    """Return a product for the language model. Prices are in 元 as text."""
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
    """Run the model's product search. The result has the products and their cards."""
    wish = Wish(
        keyword=arguments.get_text("keyword"),
        category_ids=_find_categories(arguments.get_text("kind")),
        brand=arguments.get_text("brand"),
        colours=tuple(arguments.list_texts("colours")),
        measures=tuple(arguments.list_texts("sizes")),
        excluded=tuple(arguments.list_texts("exclude")),
        min_price=arguments.get_money("min_price"),
        max_price=arguments.get_money("max_price"),
        in_stock=arguments.get_flag("in_stock"),
        sort=SORTS.get(arguments.get_text("sort"), ProductSort.DEFAULT),
    )
    offers = products_find(actor=actor, wish=wish)
    return ToolResult(
        {"products": [_serialize_product(offer) for offer in offers]},
        (Cards(offers),) if offers else (),
    )


def _find_categories(kind: str) -> tuple[int, ...]:
    """Return the deepest categories with this name; empty for "".

    Raises:
        BadArguments: there is no such category.
    """
    if not kind:
        return ()
    rows = list(Category.objects.filter(name=kind).values_list("level", "pk"))
    if not rows:
        raise BadArguments(f"没有品类“{kind}”")
    deepest = max(level for level, _ in rows)
    return tuple(pk for level, pk in rows if level == deepest)


def _find_people(actor: Account, name: str) -> tuple[int, ...]:
    """Return the accounts of the actor's group with this name; empty for "".

    Raises:
        BadArguments: there is no such person.
    """
    if not name:
        return ()
    ids = tuple(
        Account.objects.filter(group_id=actor.group_id)
        .filter(Q(full_name=name) | Q(nickname=name))
        .values_list("pk", flat=True)
    )
    if not ids:
        raise BadArguments(f"没有同事“{name}”")
    return ids


def _find_department(actor: Account, name: str) -> int | None:
    """Return the department of the actor's group with this name, or None for "".

    Raises:
        BadArguments: there is no such department.
    """
    if not name:
        return None
    pk: int | None = (
        Department.objects.filter(group_id=actor.group_id, name=name)
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        raise BadArguments(f"没有部门“{name}”")
    return pk


def _list_named_products(actor: Account, arguments: Arguments) -> ToolResult:
    """Return the products with the codes or names of the arguments, and the names not found."""
    offers, missing_names = find_first_matches(actor=actor, names=arguments.list_texts("codes"))
    return ToolResult(
        {"products": [_serialize_product(offer) for offer in offers], "not_found": missing_names},
        (Cards(tuple(offers)),) if offers else (),
    )


def _refuse_browser(actor: Account) -> ToolResult | None:
    """Return the result of a tool that proposes products, if the person may only browse."""
    if can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        return None
    return ToolResult({"error": explain_purchasing_refusal(actor=actor)})


def _propose_cart(actor: Account, arguments: Arguments) -> ToolResult:
    """Propose the items of the arguments for the cart. Names with several matches or none are
    listed, not proposed.
    """
    if (refusal := _refuse_browser(actor)) is not None:
        return refusal
    rows = [
        (row.get_text("code"), row.get_whole_number("quantity", default=1, maximum=MAX_QUANTITY))
        for row in arguments.list_rows("items")
    ]
    matches = list_matches_by_name(actor=actor, names=[name for name, _ in rows])
    wishes: dict[str, tuple[Offer, int]] = {}
    for name, quantity in rows:
        if len(matches[name]) == 1:
            (offer,) = matches[name]
            earlier_quantity = wishes.get(offer.product.code, (offer, 0))[1]
            wishes[offer.product.code] = (offer, earlier_quantity + quantity)
    ambiguous = {
        name: [{"code": offer.product.code, "name": offer.name} for offer in offers]
        for name, offers in matches.items()
        if len(offers) > 1
    }
    further_data: dict[str, Any] = {
        "not_found": [name for name, offers in matches.items() if not offers]
    }
    if ambiguous:
        further_data |= {
            "several": ambiguous,
            "advice": "several 里的型号对应多款商品，均未列入，请用户选定后用商品编码重新列出",
        }
    return _build_proposal_result(proposal_prepare(wishes=wishes.values()), further_data)


def _build_proposal_result(lines: ProposableLines, further_data: dict[str, Any]) -> ToolResult:
    """Return the proposal for the language model, and the event that asks the user for consent."""
    lines_data = [
        {"code": line.offer.product.code, "name": line.offer.name, "quantity": line.quantity}
        for line in lines.lines
    ]
    data = {
        "proposed": lines_data,
        "total": str(lines.total),
        "remarks": list(lines.remarks),
        **further_data,
    }
    data["status"] = "等待用户点击确认，尚未加入购物车" if lines_data else "没有可以列入的商品"
    return ToolResult(data, (Proposal(lines.lines),) if lines.lines else ())


def _make_quick_list(actor: Account, arguments: Arguments) -> ToolResult:
    """Fill a basket for a scenario, a number of people and a budget in 元, and propose it."""
    if (refusal := _refuse_browser(actor)) is not None:
        return refusal
    scenario = find_scenario(arguments.get_text("scenario"))
    if scenario is None:
        return ToolResult({"error": "没有这个场景", "scenarios": [row.name for row in SCENARIOS]})
    people = arguments.get_whole_number("people", default=DEFAULT_PEOPLE, maximum=5000)
    basket = quick_list(
        actor=actor,
        scenario=scenario,
        people=people,
        budget=arguments.get_money("budget"),
        exclude=arguments.list_texts("exclude"),
    )
    further_data: dict[str, Any] = {
        "scenario": basket.scenario,
        "people": people,
        "freight": str(basket.freight),
        "total_with_freight": str(basket.total),
    }
    further_data["left_out"] = [{"kind": row.kind, "why": row.reason} for row in basket.omitted]
    further_data["other_ways"] = [
        {"name": row.name, "total": str(row.total), "difference": row.difference}
        for row in basket.alternatives
    ]
    if basket.minimum_budget is not None:
        further_data["least_budget"] = str(basket.minimum_budget)
    return _build_proposal_result(basket.proposable, further_data)


def _view_cart(actor: Account, _arguments: Arguments) -> ToolResult:
    """Return the first 30 lines of the cart and the amount of the selected lines in 元."""
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
    """Return an order for the language model, with its first 10 lines. The total is in 元 as
    text.
    """
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
    """Return one order by its number, otherwise the orders of a state, a period and a person."""
    number, status = arguments.get_text("order_no"), arguments.get_text("status")
    links: tuple[Event, ...] = (Links((Link("我的订单", "/userCenter/order/index"),)),)
    if number:
        detail = look_up_order(actor=actor, order_no=number)
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
    people = _find_people(actor, arguments.get_text("person"))
    page = orders_find(
        actor=actor,
        question=OrderQuestion(
            statuses=(status,) if status in valid_statuses else (),
            since=arguments.get_day("since"),
            until=arguments.get_day("until"),
            requester_ids=people,
        ),
    )
    return ToolResult(
        {"total": page.total, "orders": [_serialize_order(order) for order in page.orders]}, links
    )


def _list_approvals(actor: Account, arguments: Arguments) -> ToolResult:
    """Return the approvals that wait for the person; with `mine`, the person's own orders that wait
    for somebody.
    """
    links: tuple[Event, ...] = (Links((Link("订单审批", "/userCenter/order/approval"),)),)
    if arguments.get_flag("mine"):
        own_approvals = list_own_waiting_approvals(actor=actor)
        own_rows = [
            {"no": row.subject_no, "waits_for": format_waiting_names(row)} for row in own_approvals
        ]
        return ToolResult({"total": len(own_rows), "approvals": own_rows}, links)
    approvals, total = look_up_approvals(actor=actor)
    rows = [
        {"no": row.subject_no, "requester": row.requester.nickname, "amount": str(row.amount)}
        for row in approvals
    ]
    return ToolResult({"total": total, "approvals": rows}, links)


def _list_budgets(actor: Account, arguments: Arguments) -> ToolResult:
    """Return the person's own budgets, or with `all` all visible ones. Amounts are 元 as text."""
    names = ("name", "period_from", "period_to", "amount", "reserved", "consumed", "available")
    budgets = (
        list_budgets_in_scope(actor=actor)
        if arguments.get_flag("all")
        else list_own_budgets(actor=actor)
    )
    return ToolResult(
        {"budgets": [{name: str(getattr(row, name)) for name in names} for row in budgets]}
    )


def _sum_spending(actor: Account, arguments: Arguments) -> ToolResult:
    """Return the spending of a period in 元, grouped as the argument `by` says."""
    since, until, by = (
        arguments.get_day("since"),
        arguments.get_day("until"),
        arguments.get_text("by"),
    )
    if since is None or until is None or by not in ("", *GROUPINGS):
        raise BadArguments("since、until 必填，by 须为 " + "、".join(GROUPINGS))
    spending = look_up_spending(
        actor=actor,
        question=SpendingQuestion(
            since=since,
            until=until,
            category_ids=_find_categories(arguments.get_text("kind")),
            brand=arguments.get_text("brand"),
            requester_ids=_find_people(actor, arguments.get_text("person")),
            department_id=_find_department(actor, arguments.get_text("department")),
            by=by,
        ),
    )
    return ToolResult(
        {
            "total": str(spending.total),
            "orders": spending.orders,
            "scope": spending.scope,
            "groups": [{"name": name, "amount": str(amount)} for name, amount in spending.groups],
        }
    )


def _list_purchases(actor: Account, arguments: Arguments) -> ToolResult:
    """Return the order lines of products that the company bought, with order, day and quantity."""
    purchases = purchases_find(
        actor=actor,
        category_ids=_find_categories(arguments.get_text("kind")),
        since=arguments.get_day("since"),
        until=arguments.get_day("until"),
        requester_ids=_find_people(actor, arguments.get_text("person")),
    )
    rows = [
        {
            "order_no": line.order.order_no,
            "day": f"{timezone.localtime(line.order.submitted_at):%Y-%m-%d}",
            "name": line.name,
            "quantity": line.quantity,
        }
        for line in purchases.lines
    ]
    return ToolResult({"total": purchases.total, "lines": rows})


def _list_papers(actor: Account, arguments: Arguments) -> ToolResult:
    """Return invoices, statements, the credit, titles or returns, as `what` says."""
    paper_kind = arguments.get_text("what")
    if paper_kind not in PAPERS:
        raise BadArguments("what 须为 " + "、".join(PAPERS))
    return ToolResult(PAPERS[paper_kind](actor, arguments))


def _build_invoices_data(actor: Account, arguments: Arguments) -> dict[str, Any]:
    """Return number, sum in 元 and numbers by kind of the invoices of a period or an order."""
    summary = look_up_invoices(
        actor=actor,
        since=arguments.get_day("since"),
        until=arguments.get_day("until"),
        order_no=arguments.get_text("order_no"),
    )
    return {"total": summary.total, "amount": str(summary.amount), "by_kind": summary.by_kind}


def _build_applications_data(actor: Account, _arguments: Arguments) -> dict[str, Any]:
    """Return how many orders have no invoice yet, and ten invoice applications."""
    rows = look_up_applications(actor=actor)
    return {
        "orders_to_invoice": uninvoiced_count(actor=actor),
        "open_applications": [
            {"no": row.application_no, "status": row.get_status_display()} for row in rows[:10]
        ],
    }


def _build_statements_data(actor: Account, _arguments: Arguments) -> dict[str, Any]:
    """Return the monthly statements with their closing balance in 元."""
    return {
        "statements": [
            {
                "no": row.statement_no,
                "month": f"{row.month:%Y-%m}",
                "status": row.get_status_display(),
                "closing": str(row.closing),
            }
            for row in look_up_statements(actor=actor)
        ]
    }


def _build_credit_data(actor: Account, _arguments: Arguments) -> dict[str, Any]:
    """Return limit, used and available credit in 元; {"credit": None} for customers without
    credit.
    """
    credit = look_up_credit(actor=actor)
    if credit is None:
        return {"credit": None}
    return {
        "limit": str(credit.limit),
        "used": str(credit.used),
        "available": str(credit.available),
    }


def _build_titles_data(actor: Account, _arguments: Arguments) -> dict[str, Any]:
    rows = look_up_titles(actor=actor)
    return {"titles": [{"title": row.title, "tax_number": row.tax_number} for row in rows]}


def _build_returns_data(actor: Account, _arguments: Arguments) -> dict[str, Any]:
    """Return the person's return orders with kind and state."""
    page = look_up_returns(actor=actor)
    return {
        "total": page.total,
        "returns": [
            {
                "no": row.return_no,
                "kind": row.get_kind_display(),
                "status": row.get_status_display(),
            }
            for row in page.returns
        ],
    }


PAPERS: dict[str, Callable[[Account, Arguments], dict[str, Any]]] = {
    "invoices": _build_invoices_data,
    "applications": _build_applications_data,
    "statements": _build_statements_data,
    "credit": _build_credit_data,
    "titles": _build_titles_data,
    "returns": _build_returns_data,
}


def _search_help(_actor: Account, arguments: Arguments) -> ToolResult:
    """Return the help sections that answer the question, and links to their pages."""
    match = help_find(text=arguments.get_text("question"))
    if match is None:
        return ToolResult({"error": "帮助页没有相关内容"})
    sections = (match.best, *match.others)
    pages = [
        {
            "title": section.title,
            "heading": section.heading,
            "path": section.path,
            "text": cut_excerpt(section),
        }
        for section in sections
    ]
    return ToolResult(
        {"pages": pages}, (Links(tuple(Link(section.title, section.path) for section in sections)),)
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
            "kind": {"type": "string", "description": "品类名称，如 中性笔"},
            "brand": TEXT,
            "colours": WORDS,
            "sizes": WORDS,
            "exclude": WORDS,
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
        {
            "order_no": TEXT,
            "status": {"type": "string", "enum": [UNPAID, *OrderStatus.values]},
            "since": DAY,
            "until": DAY,
            "person": TEXT,
        },
        _find_orders,
    ),
    Tool(
        "pending_approvals",
        "正在查询待审批",
        "查询等待用户审批的订单；mine 为用户自己提交、正在等别人审批的",
        {"mine": FLAG},
        _list_approvals,
    ),
    Tool(
        "budget_left",
        "正在查询预算",
        "查询用户今天可用的预算；all 为用户可以查看的全部",
        {"all": FLAG},
        _list_budgets,
    ),
    Tool(
        "spending",
        "正在统计花费",
        "统计一段时间的下单金额（元），可限品类、品牌、采购人、部门，可按品类、部门、采购人或月份分组",
        {
            "since": DAY,
            "until": DAY,
            "kind": TEXT,
            "brand": TEXT,
            "person": TEXT,
            "department": TEXT,
            "by": {"type": "string", "enum": list(GROUPINGS)},
        },
        _sum_spending,
        ("since", "until"),
    ),
    Tool(
        "purchases",
        "正在查询购买记录",
        "查询用户买过的商品，最近的在前",
        {"kind": TEXT, "since": DAY, "until": DAY, "person": TEXT},
        _list_purchases,
    ),
    Tool(
        "papers",
        "正在查询票据",
        "查询发票 invoices、开票申请 applications、对账单 statements、月结额度 credit、"
        "抬头 titles 或退换货 returns",
        {
            "what": {"type": "string", "enum": list(PAPERS)},
            "since": DAY,
            "until": DAY,
            "order_no": TEXT,
        },
        _list_papers,
        ("what",),
    ),
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
    """Run a tool as the actor with arguments written by a model. Return the tool's progress note
    and its result. The result contains the reason if the tool cannot run.
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
