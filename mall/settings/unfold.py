"""The back office's looks and its menu, in the words of the people who work in it."""

from pathlib import Path
from typing import Any

import environ
from django.templatetags.static import static

env = environ.Env()

# unfold has no Chinese translation, so its texts are translated here.
LOCALE_PATHS = [Path(__file__).resolve().parents[2] / "locale"]

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": f"{env('MALL_NAME', default='文采商城')} 运营后台",
    "SITE_HEADER": f"{env('MALL_NAME', default='文采商城')} 运营后台",
    "SITE_SUBHEADER": "商品 · 订单 · 客户",
    "SITE_URL": "/",
    "SITE_SYMBOL": "storefront",
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": True,
    "SHOW_BACK_BUTTON": True,
    "BORDER_RADIUS": "6px",
    "COLORS": {
        "primary": {
            "50": "#eef4ff",
            "100": "#dbe7fe",
            "200": "#bfd4fe",
            "300": "#93b7fd",
            "400": "#6090fa",
            "500": "#3b6ef5",
            "600": "#1f54e0",
            "700": "#1a44bd",
            "800": "#1c3a99",
            "900": "#1c3579",
            "950": "#16224a",
        },
    },
    "STYLES": [lambda _request: static("office/office.css")],
    "ACCOUNT": {
        "navigation": [
            {"title": "修改密码", "link": "/admin/password_change/"},
            {"title": "两步验证", "link": "/admin/second-factor/"},
        ],
    },
    "LOGIN": {"form": "apps.identity.backends.StaffSignInForm"},
    "DASHBOARD_CALLBACK": "apps.orders.admin.dashboard.dashboard",
    "TABS": "mall.admin_navigation.tabs",
    "SIDEBAR": {
        "show_search": True,
        "show_all_applications": False,
        "navigation": "mall.admin_navigation.navigation",
    },
}
