"""The API framework, its schema and its tokens."""

from datetime import timedelta
from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    # The bearer authenticator comes first: its authenticate_header makes DRF answer 401 to
    # anonymous
    # users, not 403.
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.common.api.access.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["apps.common.api.access.AccessPermission"],
    "DEFAULT_RENDERER_CLASSES": [
        "apps.common.api.renderers.EnvelopeRenderer",
        "apps.common.api.browsable.EnvelopeBrowsableRenderer",
    ],
    "DEFAULT_PARSER_CLASSES": ["apps.common.api.parsers.BoundedJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "apps.common.api.browsable.StaffNegotiation",
    "DEFAULT_PAGINATION_CLASS": "apps.common.api.pagination.PagePagination",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "apps.common.api.schema.MallAutoSchema",
    "EXCEPTION_HANDLER": "apps.common.api.exceptions.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "COERCE_DECIMAL_TO_STRING": True,
    "PAGE_SIZE": 20,
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "文采商城 API",
    # Adds the introduction, the groups and the text of each operation: mall/api_words.py.
    "VERSION": "1",
    "COMPONENT_SPLIT_REQUEST": True,
    # Script and style come from this site, not from a CDN.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Groups start collapsed: rendering all operations takes the browser half a minute.
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "docExpansion": "none",
        "filter": True,
        "defaultModelsExpandDepth": -1,
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SCHEMA_PATH_PREFIX": "/api",
    "CAMELIZE_NAMES": False,
    "SORT_OPERATIONS": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.common.api.schema.envelope_hook",
        "mall.api_words.words_hook",
        "mall.api_words.examples_hook",
    ],
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    # Names for enums that several apps use under one key.
    "ENUM_NAME_OVERRIDES": {
        "RequisitionStatusEnum": "apps.requisitions.enums.RequisitionStatus",
        "RequisitionActionEnum": "apps.requisitions.enums.RequisitionAction",
        "ListActionEnum": "apps.cart.enums.ListAction",
        "ListRightEnum": "apps.cart.enums.ListRight",
        "ListRoleEnum": "apps.cart.enums.ListRole",
        "QuotationStateEnum": "apps.quotations.enums.QuotationState",
        "QuotationActionEnum": "apps.quotations.enums.QuotationAction",
        "RecurringStatusEnum": "apps.recurring.enums.RecurringStatus",
        "RecurringActionEnum": "apps.recurring.enums.RecurringAction",
        "BlockReasonEnum": "apps.recurring.enums.BlockReason",
        "ConditionKindEnum": "apps.approvals.enums.ConditionKind",
        "PaymentKindEnum": "apps.org.enums.PaymentKind",
        "AddressScopeEnum": "apps.org.enums.AddressScope",
        "InvoiceKindEnum": "apps.org.enums.InvoiceKind",
        "InvoiceStatusEnum": "apps.invoices.enums.InvoiceStatus",
        "InvoiceMarkKindEnum": "apps.invoices.enums.InvoiceMarkKind",
        "MatchResultEnum": "apps.invoices.enums.MatchResult",
        "DebtAgeEnum": "apps.invoices.enums.DebtAge",
        "InvoiceApplicationStatusEnum": "apps.invoices.enums.ApplicationStatus",
        "StatementStatusEnum": "apps.invoices.enums.StatementStatus",
        "AddressOwnerTypeEnum": "apps.org.api.serializers.OWNER_TYPES",
        "BudgetOwnerTypeEnum": "apps.budgets.enums.BudgetOwner",
        "BudgetPeriodEnum": "apps.budgets.enums.BudgetPeriod",
        "ReportEnum": "apps.reports.enums.ReportName",
        "ExportKindEnum": "apps.reports.enums.EXPORT_KINDS",
        "ReportPeriodEnum": "apps.reports.enums.Preset",
        "WorkbenchOrderStatusEnum": "apps.orders.enums.OrderStatus",
        "ReportStatusEnum": "apps.reports.api.filters.STATES",
        "ReportBasisEnum": "apps.reports.enums.Basis",
        "BudgetStateEnum": "apps.budgets.enums.BudgetState",
        "DimensionKindEnum": "apps.dimensions.enums.DimensionKind",
        "DimensionStateEnum": "apps.dimensions.enums.DimensionState",
        "NoticeKindEnum": "apps.notices.enums.NoticeKind",
        "NoticeSectionEnum": "apps.notices.enums.NoticeSection",
        "PolicyEnum": "apps.budgets.enums.BudgetPolicy",
        "CreditPolicyEnum": "apps.org.enums.CreditPolicy",
        "DataScopeEnum": "apps.org.enums.DataScope",
        "CancelStatusEnum": "apps.aftersales.enums.CancelStatus",
        "CancelReasonEnum": "apps.aftersales.enums.CancelReason",
        "ReviewTagEnum": "apps.reviews.enums.ReviewTag",
        "ReviewActionEnum": "apps.reviews.enums.ReviewAction",
        "ReviewKindEnum": "apps.reviews.enums.ReviewKind",
        "ReviewStateEnum": "apps.reviews.enums.ReviewState",
        "RankGapEnum": "apps.orders.enums.RankGap",
        "WebhookEventGroupEnum": "apps.webhooks.enums.EventGroup",
        "WebhookDeliveryStateEnum": "apps.webhooks.enums.DeliveryState",
        "ContactKindEnum": "apps.identity.models.ContactKind",
    },
}

SIMPLE_JWT: dict[str, Any] = {
    "ALGORITHM": "HS256",
    "ACCESS_TOKEN_LIFETIME": timedelta(minutes=10),
    "USER_ID_CLAIM": "uid",
}
REFRESH_TOKEN_DAYS = 30
REFRESH_GRACE_SECONDS = 20
SESSION_KEY_SECONDS = 300
