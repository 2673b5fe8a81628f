"""The one table of the API: path → viewset. The URL is not the owner: a prefix may be shared by several apps."""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView

from apps.approvals.api.views import ApprovalViewSet
from apps.budgets.api.views import BudgetViewSet
from apps.cart.api.views import ShoppingCartViewSet
from apps.catalog.api.views import CategoryViewSet, FavoriteViewSet, ProductViewSet, SuggestViewSet
from apps.common.api.docs_view import DocsView
from apps.common.api.file_views import FileViewSet
from apps.common.api.router import MallRouter
from apps.common.api.views import MallViewSet
from apps.content.api.views import ContentViewSet
from apps.identity.api.password_reset import PasswordResetViewSet
from apps.identity.api.views import CaptchaViewSet, OwnAccountViewSet, SignInViewSet
from apps.identity.api.wechat_work import WeChatWorkViewSet
from apps.orders.api.views import OrderViewSet
from apps.orders.api.workbench import WorkbenchViewSet, YouLikeViewSet
from apps.org.api.views import AddressViewSet, DepartmentViewSet, EnterpriseViewSet, ManageServiceViewSet, RoleViewSet
from mall.errors import not_found

VIEWSETS: tuple[tuple[str, type[MallViewSet]], ...] = (
    ("Account", SignInViewSet),
    ("Account", CaptchaViewSet),
    ("Account", PasswordResetViewSet),
    ("Account", WeChatWorkViewSet),
    ("Account", OwnAccountViewSet),
    ("ManageService", ManageServiceViewSet),
    ("Address", AddressViewSet),
    ("Enterprise", EnterpriseViewSet),
    ("Department", DepartmentViewSet),
    ("Role", RoleViewSet),
    ("File", FileViewSet),
    ("Product", ProductViewSet),
    ("Category", CategoryViewSet),
    ("Favorite", FavoriteViewSet),
    ("Search", SuggestViewSet),
    ("ShoppingCart", YouLikeViewSet),
    ("ShoppingCart", ShoppingCartViewSet),
    ("Order", OrderViewSet),
    ("Workbench", WorkbenchViewSet),
    ("Content", ContentViewSet),
    ("Budget", BudgetViewSet),
    ("Approval", ApprovalViewSet),
)

router = MallRouter()
for prefix, viewset in VIEWSETS:
    router.register(prefix, viewset)

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", DocsView.as_view(url_name="schema"), name="docs"),
    *router.urls,
    path("<path:rest>", not_found, name="api-not-found"),
]
