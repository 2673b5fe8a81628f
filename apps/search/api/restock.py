"""/api/Product/…/Shortage and /api/RestockReminder: what helps a buyer if a product is short."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.access import Access
from apps.common.api.pagination import build_tabbed_schema, parse_page, serialize_tabs
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    QuerySerializer,
    WholeField,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, find_account
from apps.common.quantity import MAX_QUANTITY
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search.enums import RestockStatus
from apps.search.selectors.product_detail import get_shortage, get_shortages
from apps.search.selectors.restock import get_reminder_page
from apps.search.services.restock import (
    MAX_REMINDERS,
    restock_reminder_add,
    restock_reminder_remove,
)
from apps.search.shared_serializers import (
    ProductRowSerializer,
    SavedRowSerializer,
    SubstituteSerializer,
)
from apps.search.sql.on_sale import BRANCHES

TAB_NAMES: dict[str, str] = {"": "全部", **dict(RestockStatus.choices)}


class ShortageQuerySerializer(QuerySerializer):
    """GET /api/Product/{ProductCode}/Shortage."""

    Quantity = WholeField(
        required=False, default=1, min_value=1, max_value=MAX_QUANTITY, help_text="需要的数量"
    )


class ShortagesQuerySerializer(QuerySerializer):
    """GET /api/Product/Shortages. Item is `code:quantity` and can be repeated."""

    Item = serializers.ListField(
        child=serializers.RegexField(
            r"^[0-9]{1,18}:[1-9][0-9]{0,5}$",
            error_messages={"invalid": "请按“商品编码:数量”填写"},
        ),
        allow_empty=False,
        max_length=BRANCHES,
        error_messages={
            "required": "请填写商品",
            "empty": "请填写商品",
            "max_length": f"一次最多查询 {BRANCHES} 种商品，请分批查询",
        },
        help_text="商品编码:需要的数量",
    )

    def validate_Item(self, items: list[str]) -> dict[str, int]:
        """Return the quantities by code, the highest one of a code that is repeated."""
        quantities: dict[str, int] = {}
        for code, quantity in (item.split(":") for item in items):
            quantities[code] = max(quantities.get(code, 0), int(quantity))
        return quantities


class ShortageSerializer(AnswerSerializer):
    """What helps if too few pieces of a product are there."""

    Product = ProductRowSerializer(source="offer")
    ArrivesOn = serializers.DateField(
        source="arrives_on", allow_null=True, help_text="预计到货日；空为未知"
    )
    Arriving = serializers.IntegerField(source="arriving", allow_null=True, help_text="预计数量")
    IsReminded = serializers.BooleanField(source="is_reminded", help_text="本人已登记到货提醒")
    Substitutes = SubstituteSerializer(source="substitutes", many=True)


class ReminderBodySerializer(BodySerializer):
    """POST /api/RestockReminder."""

    ProductCode = ProductCodeField()


class ReminderQuerySerializer(QuerySerializer):
    """GET /api/RestockReminder."""

    Status = serializers.ChoiceField(
        RestockStatus.choices,
        required=False,
        allow_blank=True,
        default="",
        help_text="空为全部",
    )


class ReminderRowSerializer(SavedRowSerializer):
    """A product that the account waits for, or was told of."""

    Status = serializers.ChoiceField(RestockStatus.choices, source="status")
    StatusText = serializers.CharField(source="status.label")
    CreatedAt = serializers.DateTimeField(source="created_at", help_text="登记时间")
    ToldAt = serializers.DateTimeField(
        source="told_at", allow_null=True, help_text="已提醒的时间；空为等待到货"
    )
    ArrivesOn = serializers.DateField(
        source="arrives_on", allow_null=True, help_text="预计到货日；空为未知"
    )


ReminderPageSchema = build_tabbed_schema(
    "RestockReminderPage",
    ReminderRowSerializer,
    WaitingCount=serializers.IntegerField(help_text="等待到货的商品数"),
    MaxCount=serializers.IntegerField(help_text="最多可登记的商品数"),
)


class ProductShortageViewSet(MallViewSet):
    """Expected arrival, reminder and substitutes of a product."""

    access = Access.public()
    serializer_class = ShortageSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS

    @extend_schema(parameters=[ShortageQuerySerializer], responses=ShortageSerializer)
    @action(detail=True, methods=["get"], url_path="Shortage")
    def shortage(self, request: Request, product_code: str) -> Response:
        quantity = ShortageQuerySerializer.parse(request)["Quantity"]
        shortage_of_product = get_shortage(
            actor=find_account(request), code=product_code, quantity=quantity
        )
        return CatalogueAnswer(
            ShortageSerializer.answer(shortage_of_product), context=shortage_of_product.context
        )

    @extend_schema(parameters=[ShortagesQuerySerializer], responses=ShortageSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="Shortages", pagination_class=None)
    def shortages(self, request: Request) -> Response:
        quantities = ShortagesQuerySerializer.parse(request)["Item"]
        shortages_of_products = get_shortages(actor=find_account(request), quantities=quantities)
        return CatalogueAnswer(
            ShortageSerializer.serialize_all(shortages_of_products.rows),
            context=shortages_of_products.context,
        )


class RestockReminderViewSet(MallViewSet):
    """The account's reminders."""

    access = Access.login()
    serializer_class = ReminderRowSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS

    @extend_schema(
        parameters=[
            ReminderQuerySerializer,
            OpenApiParameter("PageIndex", int),
            OpenApiParameter("PageSize", int),
        ],
        responses=ReminderPageSchema,
    )
    def list(self, request: AuthedRequest) -> Response:
        status = ReminderQuerySerializer.parse(request)["Status"]
        index, size = parse_page(request)
        page = get_reminder_page(actor=request.user, status=status, index=index, size=size)
        body = {
            "Items": ReminderRowSerializer.serialize_all(page.rows),
            "Total": page.counts[status],
            "PageIndex": index,
            "PageSize": size,
            "Tabs": serialize_tabs(page.counts, TAB_NAMES),
            "WaitingCount": page.counts[RestockStatus.WAITING],
            "MaxCount": MAX_REMINDERS,
        }
        return CatalogueAnswer(body, context=page.context)

    @extend_schema(request=ReminderBodySerializer, responses=OpenApiTypes.NONE)
    def create(self, request: AuthedRequest) -> Response:
        code = ReminderBodySerializer.parse(request)["ProductCode"]
        restock_reminder_add(actor=request.user, code=code)
        return Ok(None, message="已登记，到货后会提醒您一次")

    @extend_schema(
        parameters=[OpenApiParameter("product_code", str, OpenApiParameter.PATH)],
        responses=OpenApiTypes.NONE,
    )
    def destroy(self, request: AuthedRequest, product_code: str) -> Response:
        restock_reminder_remove(actor=request.user, code=product_code)
        return Ok(None, message="已取消到货提醒")
