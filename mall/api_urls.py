"""The URL table of the API: path → viewset. Several apps may share a path prefix, because the URL
does not decide which app owns the code.
"""

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView

from apps.aftersales.api.cancel_views import CancelOrderViewSet
from apps.aftersales.api.return_views import ReturnOrderViewSet
from apps.approvals.api.delegations import ApprovalDelegationViewSet
from apps.approvals.api.leaving import AccountLeavingViewSet
from apps.approvals.api.rules import ApprovalRuleViewSet
from apps.approvals.api.views import ApprovalDiscussionViewSet, ApprovalViewSet
from apps.approvals.api.waiting import ApprovalWaitingViewSet
from apps.assistant.api.views import ConversationViewSet, ProposalViewSet
from apps.budgets.api.budgets import BudgetSheetViewSet, BudgetViewSet
from apps.budgets.api.transfers import BudgetTransferViewSet
from apps.cart.api.list_views import QuickListViewSet
from apps.cart.api.quick_views import QuickOrderViewSet
from apps.cart.api.views import FavoriteCartViewSet, InquiryAdoptViewSet, ShoppingCartViewSet
from apps.common.api.docs import DocsView
from apps.common.api.files import FileViewSet
from apps.common.api.imports import ImportViewSet
from apps.common.api.views import MallRouter, MallViewSet
from apps.content.api.views import ContentViewSet
from apps.dimensions.api.dimensions import DimensionViewSet
from apps.documents.api import ImportSheetViewSet
from apps.identity.api.account_views import AccountSheetViewSet, AccountViewSet
from apps.identity.api.contacts import ContactUndoViewSet, ContactViewSet
from apps.identity.api.second_factor import SecondFactorViewSet
from apps.identity.api.sessions import SessionViewSet
from apps.identity.api.views import (
    CaptchaViewSet,
    OwnAccountViewSet,
    PasswordResetViewSet,
    SignInViewSet,
    WeChatWorkViewSet,
)
from apps.inquiries.api.views import ProductInquiryViewSet
from apps.invoices.api.applications import InvoiceApplicationViewSet
from apps.invoices.api.invoices import InvoiceViewSet
from apps.invoices.api.statements import StatementViewSet
from apps.invoices.api.titles import InvoiceTitleViewSet
from apps.notices.api.views import NoticeViewSet
from apps.orders.api.access_preview import AccessPreviewViewSet
from apps.orders.api.batch import OrderBatchViewSet
from apps.orders.api.decision import DecisionViewSet
from apps.orders.api.purchase_history import ProductHistoryViewSet, YouLikeViewSet
from apps.orders.api.ranking import RankingViewSet
from apps.orders.api.views import OrderViewSet
from apps.org.api.addresses import AddressSheetViewSet, AddressViewSet
from apps.org.api.changes import ChangeViewSet
from apps.org.api.departments import DepartmentViewSet
from apps.org.api.groups import EnterpriseViewSet, ManageServiceViewSet
from apps.org.api.roles import AccountLimitsViewSet, RoleViewSet
from apps.questions.api.views import ProductQuestionsViewSet, ProductQuestionViewSet
from apps.quotations.api.views import QuotationViewSet
from apps.recurring.api.views import RecurringOrderViewSet
from apps.reports.api.exports import ExportJobViewSet, ReportExportViewSet
from apps.reports.api.reports import DimensionReportViewSet, ReportViewSet
from apps.reports.api.saved_views import SavedViewViewSet
from apps.reports.api.subscriptions import ReportSubscriptionViewSet
from apps.requisitions.api.views import RequisitionViewSet
from apps.reviews.api.views import OrderReviewViewSet, ProductReviewViewSet
from apps.search.api.devices import DeviceViewSet, ProductDeviceViewSet
from apps.search.api.favorites import FavoriteViewSet
from apps.search.api.image_search import ImageSearchViewSet
from apps.search.api.restock import ProductShortageViewSet, RestockReminderViewSet
from apps.search.api.views import (
    CategoryViewSet,
    ProductChoiceViewSet,
    ProductViewSet,
    SuggestViewSet,
)
from apps.selection.api.views import ProductSelectViewSet
from apps.webhooks.api.views import WebhookViewSet
from apps.workbench.api.views import WorkbenchViewSet
from mall.errors import not_found
from mall.group_security import GuardedGroupViewSet

VIEWSETS: tuple[tuple[str, type[MallViewSet]], ...] = (
    ("Account", SignInViewSet),
    ("Account", CaptchaViewSet),
    ("Account", PasswordResetViewSet),
    ("Account", WeChatWorkViewSet),
    ("Account", OwnAccountViewSet),
    ("Account", ContactViewSet),
    ("Account", ContactUndoViewSet),
    ("Account", SessionViewSet),
    ("Account", SecondFactorViewSet),
    ("Account", AccessPreviewViewSet),
    ("Account", AccountLeavingViewSet),
    ("Account", AccountLimitsViewSet),
    ("Account", AccountSheetViewSet),
    ("Account", AccountViewSet),
    ("ManageService", ManageServiceViewSet),
    ("Address", AddressSheetViewSet),
    ("Address", AddressViewSet),
    ("Group", GuardedGroupViewSet),
    ("Enterprise", EnterpriseViewSet),
    ("Department", DepartmentViewSet),
    ("Role", RoleViewSet),
    ("Change", ChangeViewSet),
    ("File", FileViewSet),
    ("Import", ImportSheetViewSet),
    ("Import", ImportViewSet),
    ("Notice", NoticeViewSet),
    ("Product", ProductSelectViewSet),
    ("Product", ImageSearchViewSet),
    ("Product", ProductViewSet),
    ("Product", ProductChoiceViewSet),
    ("Product", ProductHistoryViewSet),
    ("Product", ProductQuestionsViewSet),
    ("ProductQuestion", ProductQuestionViewSet),
    ("ProductInquiry", ProductInquiryViewSet),
    ("ProductInquiry", InquiryAdoptViewSet),
    ("Product", RankingViewSet),
    ("Product", ProductDeviceViewSet),
    ("Device", DeviceViewSet),
    ("Product", ProductShortageViewSet),
    ("RestockReminder", RestockReminderViewSet),
    ("Category", CategoryViewSet),
    ("Favorite", FavoriteViewSet),
    ("Favorite", FavoriteCartViewSet),
    ("Search", SuggestViewSet),
    ("ShoppingCart", YouLikeViewSet),
    ("ShoppingCart", ShoppingCartViewSet),
    ("Product", QuickOrderViewSet),
    ("QuickList", QuickListViewSet),
    ("Requisition", RequisitionViewSet),
    ("Quotation", QuotationViewSet),
    ("RecurringOrder", RecurringOrderViewSet),
    ("Order", OrderBatchViewSet),
    ("Order", OrderViewSet),
    ("Order", OrderReviewViewSet),
    ("Product", ProductReviewViewSet),
    ("InvoiceTitle", InvoiceTitleViewSet),
    ("InvoiceApplication", InvoiceApplicationViewSet),
    ("Invoice", InvoiceViewSet),
    ("ReturnOrder", ReturnOrderViewSet),
    ("Statement", StatementViewSet),
    ("CancelOrder", CancelOrderViewSet),
    ("Report", ReportViewSet),
    ("Report", ReportExportViewSet),
    ("Report", DimensionReportViewSet),
    ("SavedView", SavedViewViewSet),
    ("ReportSubscription", ReportSubscriptionViewSet),
    ("ExportJob", ExportJobViewSet),
    ("Webhook", WebhookViewSet),
    ("Workbench", WorkbenchViewSet),
    ("Content", ContentViewSet),
    ("Budget", BudgetSheetViewSet),
    ("Budget", BudgetViewSet),
    ("BudgetTransfer", BudgetTransferViewSet),
    ("Dimension", DimensionViewSet),
    ("Approval", ApprovalViewSet),
    ("Approval", ApprovalDiscussionViewSet),
    ("Approval", DecisionViewSet),
    ("ApprovalDelegation", ApprovalDelegationViewSet),
    ("ApprovalRule", ApprovalRuleViewSet),
    ("ApprovalWaiting", ApprovalWaitingViewSet),
    ("Assistant/Conversation", ConversationViewSet),
    ("Assistant/Proposal", ProposalViewSet),
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
