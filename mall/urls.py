"""All addresses of the site: the API, the admin, health checks, private files, and the shell for
the rest.
"""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.urls.resolvers import RoutePattern
from django.views.generic import RedirectView

from apps.common import health
from mall.admin_choices import admin_choices
from mall.admin_login import admin_login
from mall.admin_second_factor import (
    second_factor_authenticator,
    second_factor_own,
    second_factor_passkey,
    second_factor_prove,
    second_factor_sign_in,
)
from mall.admin_slash import admin_slash
from mall.api_resolver import ApiResolver
from mall.media import public_picture
from mall.old_mall import old_mall
from mall.qr import qr_code
from mall.spa import spa
from mall.wechat_work_demo import wechat_work_demo

urlpatterns: list[URLPattern | URLResolver] = [
    # Browsers request it if a page names no icon, as the sign-in of the back office.
    path("favicon.ico", RedirectView.as_view(url="/static/mark.svg", permanent=True)),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("admin", admin_slash),
    # Only for staff, so that nobody else can find out which pages exist.
    re_path(r"^admin/.*[^/]$", admin.site.admin_view(admin_slash)),
    # Before Django's own views at the same addresses.
    path("admin/autocomplete/", admin.site.admin_view(admin_choices)),
    path("admin/login/", admin_login),
    path("admin/second-factor/sign-in/", second_factor_sign_in, name="second-factor-sign-in"),
    path(
        "admin/second-factor/",
        admin.site.admin_view(second_factor_own),
        name="second-factor-own",
    ),
    path(
        "admin/second-factor/authenticator/",
        admin.site.admin_view(second_factor_authenticator),
        name="second-factor-authenticator",
    ),
    path(
        "admin/second-factor/passkey/",
        admin.site.admin_view(second_factor_passkey),
        name="second-factor-passkey",
    ),
    path(
        "admin/second-factor/prove/",
        admin.site.admin_view(second_factor_prove),
        name="second-factor-prove",
    ),
    path("admin/", admin.site.urls),
    ApiResolver(RoutePattern("api/"), "mall.api_urls"),
    path("pay/", include("apps.orders.api.pay_page")),
    path("invoice-gateway/", include("apps.invoices.api.invoices")),
    path("report-mail/", include("apps.reports.api.subscriptions")),
    path("media/<path:path>", public_picture, name="picture"),
    path("qr/<str:name>.svg", qr_code, name="qr-code"),
    path("old-mall/", old_mall, name="old-mall"),
    path("wechat-work-demo/", wechat_work_demo, name="wechat-work-demo"),
    re_path(r"^(?!api/|admin/|static/|media/|pay/).*$", spa, name="spa"),
]
handler404 = "mall.errors.not_found"
handler500 = "mall.errors.server_error"
handler403 = "mall.errors.forbidden"
handler400 = "mall.errors.bad_request"
