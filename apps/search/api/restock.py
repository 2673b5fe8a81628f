"""/api/Product/…/Shortage and /api/RestockReminder: what helps a buyer if a product is short."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    QuerySerializer,
    WholeField,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet, account_of
from apps.common.quantity import MAX_QUANTITY
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search.selectors.product_detail import get_shortage
from apps.search.selectors.restock import list_reminders
from apps.search.services.restock import restock_reminder_add, restock_reminder_remove
from apps.search.shared_serializers import ProductRowSerializer, SubstituteSerializer

CODE_MESSAGES: dict[str, Any] = {"invalid": "商品编码只能由数字组成"}


class ShortageQuerySerializer(QuerySerializer):
    """GET /api/Product/{ProductCode}/Shortage."""

    Quantity = WholeField(
        required=False, default=1, min_value=1, max_value=MAX_QUANTITY, help_text="需要的数量"
    )


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

    ProductCode = serializers.RegexField(r"^[0-9]{1,18}$", error_messages=CODE_MESSAGES)


class ReminderRowSerializer(ProductRowSerializer):
    """A product that the account waits for, or was told of."""

    CreatedAt = serializers.DateTimeField(source="created_at")
    ToldAt = serializers.DateTimeField(
        source="told_at", allow_null=True, help_text="已提醒的时间；空为等待到货"
    )
    ArrivesOn = serializers.DateField(source="arrives_on", allow_null=True)


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
        found = get_shortage(actor=account_of(request), code=product_code, quantity=quantity)
        return CatalogueAnswer(ShortageSerializer.answer(found), context=found.context)


class RestockReminderViewSet(MallViewSet):
    """The account's reminders."""

    access = Access.login()
    paged_actions = ()
    serializer_class = ReminderRowSerializer
    lookup_field = "product_code"
    lookup_value_regex = DIGITS
    pagination_class = None

    @extend_schema(responses=ReminderRowSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        context, reminders = list_reminders(actor=request.user)
        return CatalogueAnswer(ReminderRowSerializer.answers(reminders), context=context)

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
