"""The menu of the back office: groups of registered models that the signed-in person may view."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.urls import get_script_prefix, reverse

# group → (icon, model or title of a page) rows in the order of the menu
MENU: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "双人复核",
        (
            ("how_to_reg", "dual_control.Proposal"),
            ("rule_settings", "dual_control.ActLimit"),
        ),
    ),
    (
        "订单与交付",
        (
            ("receipt_long", "orders.Order"),
            ("event_repeat", "recurring.RecurringOrder"),
            ("local_shipping", "orders.Shipment"),
            ("payments", "orders.Payment"),
            ("event_busy", "aftersales.CancelOrder"),
            ("assignment_return", "aftersales.ReturnOrder"),
            ("reviews", "reviews.OrderReview"),
            ("quiz", "questions.ProductQuestion"),
            ("policy", "aftersales.ReturnPolicy"),
            ("account_balance", "invoices.BankReceipt"),
            ("receipt", "invoices.Statement"),
            ("map", "orders.FreightRegion"),
            ("fact_check", "approvals.Approval"),
            ("contact_support", "inquiries.ProductInquiry"),
            ("request_quote", "quotations.Quotation"),
            ("list_alt", "cart.QuickList"),
        ),
    ),
    (
        "发票",
        (
            ("receipt", "invoices.InvoiceApplication"),
            ("request_page", "invoices.Invoice"),
            ("undo", "invoices.RedLetter"),
            ("verified", "invoices.SpecialQualification"),
        ),
    ),
    (
        "商品目录",
        (
            ("inventory_2", "catalog.Product"),
            ("grid_view", "catalog.ProductFamily"),
            ("add_photo_alternate", "catalog.PictureBatch"),
            ("account_tree", "catalog.Category"),
            ("view_column", "catalog.MenuGroup"),
            ("sell", "catalog.Brand"),
            ("print", "finders.DeviceBrand"),
            ("devices_other", "finders.Device"),
            ("join", "finders.DeviceCompatibility"),
            ("compare_arrows", "finders.CrossReference"),
            ("published_with_changes", "finders.SubstituteRule"),
            ("local_shipping", "finders.ExpectedArrival"),
            ("auto_awesome", "selection.SelectionScenario"),
            ("swap_vert", "catalog.StockMovement"),
            ("manage_search", "search.SearchSynonym"),
            ("local_fire_department", "search.HotKeyword"),
        ),
    ),
    (
        "价格与协议",
        (
            ("help_center", "价格说明"),
            ("handshake", "pricing.CustomerAgreement"),
            ("price_change", "pricing.PriceList"),
            ("notification_important", "pricing.PriceAlarm"),
        ),
    ),
    (
        "客户组织",
        (
            ("corporate_fare", "org.Group"),
            ("domain", "org.Enterprise"),
            ("lan", "org.Department"),
            ("person", "org.Account"),
            ("badge", "org.Role"),
            ("qr_code_scanner", "identity.WeChatWorkAccount"),
            ("home_pin", "org.Address"),
            ("description", "org.InvoiceTitle"),
            ("credit_score", "orders.CreditAccount"),
            ("account_balance_wallet", "budgets.Budget"),
            ("account_tree", "dimensions.Dimension"),
            ("rule", "approvals.ApprovalRule"),
            ("switch_account", "approvals.ApprovalDelegation"),
        ),
    ),
    (
        "站点内容",
        (
            ("web_asset", "content.SiteSetting"),
            ("image", "content.Banner"),
            ("campaign", "content.Announcement"),
            ("link", "content.SiteLink"),
            ("help", "content.ContentPage"),
            ("event", "calendar.CalendarDay"),
        ),
    ),
    (
        "系统",
        (
            ("groups", "auth.Group"),
            ("devices", "identity.TokenFamily"),
            ("key", "identity.SessionKey"),
            ("history", "auditlog.LogEntry"),
            ("front_hand", "common.RateBlock"),
            ("webhook", "webhooks.Webhook"),
            ("auto_awesome", "assistant.AssistantUsage"),
        ),
    ),
    (
        "后台任务",
        (
            ("outbox", "common.OutboxMessage"),
            ("download", "reports.ExportJob"),
            ("schedule_send", "reports.ReportSend"),
            ("forward_to_inbox", "notices.NoticeDelivery"),
            ("send", "webhooks.WebhookDelivery"),
            ("schedule", "django_celery_beat.PeriodicTask"),
        ),
    ),
)


# Pages that are not a model's list → address, and the model whose view right is needed.
PAGES = {"价格说明": ("admin:pricing_pricelist_overview", "pricing.PriceList")}
# Pages that share an entry of the menu: the first has the entry, and tabs above the lists lead to
# all of them.
TABS: tuple[tuple[str, ...], ...] = (
    (
        "pricing.CustomerAgreement",
        "pricing.Agreement",
        "pricing.Assortment",
        "pricing.OwnName",
    ),
    ("pricing.PriceList", "pricing.PriceListItem", "pricing.PriceBatch"),
    ("pricing.PriceAlarm", "pricing.PriceMove"),
)


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    """Return unfold's tabs above the lists, with the pages that the person may view."""
    return [
        {
            "models": [label.lower() for label in labels],
            "items": [
                {"title": item["title"], "link": item["link"]}
                for item in (_item(request, "", label) for label in labels)
                if item is not None
            ],
        }
        for labels in TABS
    ]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return unfold's navigation with the registered models that the person may view."""
    groups = []
    for title, rows in MENU:
        items = [
            item
            for item in (_item(request, icon, label) for icon, label in rows)
            if item is not None
        ]
        if items:
            groups.append({"title": title, "separator": True, "collapsible": False, "items": items})
    return groups


@cache
def _get_link(name: str, _prefix: str) -> str:
    """Return the address of a page. Each page of the back office needs 60 of them."""
    return reverse(name)


def _item(request: HttpRequest, icon: str, label: str) -> dict[str, Any] | None:
    address, seen_with = PAGES.get(label, ("", label))
    try:
        model = apps.get_model(seen_with)
    except LookupError:
        return None
    if not admin.site.is_registered(model) or not admin.site._registry[model].has_view_permission(
        request
    ):
        return None
    if address:
        return {"title": label, "icon": icon, "link": _get_link(address, get_script_prefix())}
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    link = _get_link(name, get_script_prefix())
    item = {"title": str(model._meta.verbose_name_plural), "icon": icon, "link": link}
    # The page's address is below the list's; in the menu it is beside the list.
    return (
        {**item, "active": False}
        if any(
            request.path.startswith(reverse(page))
            for page, beside in PAGES.values()
            if beside == label
        )
        else item
    )
