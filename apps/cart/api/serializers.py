"""Request and response serializers of the cart, and of the two routes of other resources that write
it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rest_framework import serializers

from apps.cart.api.quick_serializers import FillBodySerializer
from apps.cart.selectors.cart import CartLine, NextTier
from apps.cart.services.cart_add import MAX_LINES
from apps.catalog.selectors.pictures import get_image_url
from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    LineProblemSerializer,
    MoneyField,
    PartialSerializer,
    QuantityField,
    WholeField,
    list_of,
)
from apps.pricing.selectors.base_unit_prices import compute_shown_base_unit_price
from apps.pricing.shared_serializers import BaseUnitPriceField, TierSerializer, serialize_tiers
from apps.search.enums import FavoriteType

MAX_ADOPTED_LINES = 20
TOO_MANY = f"一次最多处理 {MAX_LINES} 种商品，请分批操作"
ID_MESSAGES: dict[str, Any] = {"invalid": "购物车商品编号不正确，请刷新后重试"}


class IdsField(serializers.ListField):
    """Opaque string ids. Returns integers."""

    def __init__(self, **kwargs: Any) -> None:
        child = serializers.RegexField(r"^[0-9]{1,18}$", error_messages=ID_MESSAGES)
        super().__init__(
            child=child, max_length=MAX_LINES, error_messages={"max_length": TOO_MANY}, **kwargs
        )

    def to_internal_value(self, data: Any) -> list[int]:
        return [int(value) for value in super().to_internal_value(data)]


class CartAddItemSerializer(BodySerializer):
    ProductCode = ProductCodeField()
    Quantity = QuantityField()


class CartAddSerializer(BodySerializer):
    Items = list_of(CartAddItemSerializer, allow_empty=False, max_length=MAX_LINES)

    def validate_Items(self, items: list[dict[str, Any]]) -> dict[str, int]:
        """Return the quantities by code. Quantities of the same code are added."""
        quantities: Counter[str] = Counter()
        for item in items:
            quantities[item["ProductCode"]] += item["Quantity"]
        return dict(quantities)


class CartChangeSerializer(PartialSerializer):
    Quantity = QuantityField()
    Selected = serializers.BooleanField()


class CartRemoveSerializer(BodySerializer):
    Ids = IdsField(allow_empty=False)


class CartSelectSerializer(BodySerializer):
    Ids = IdsField(required=False, help_text="留空为全部商品")
    Selected = serializers.BooleanField()


class NextTierSerializer(serializers.Serializer[NextTier]):
    """What a higher quantity saves."""

    Quantity = serializers.IntegerField(source="quantity", help_text="达到该级的数量")
    More = serializers.IntegerField(source="more", help_text="还需增加的数量")
    Price = MoneyField(source="price", help_text="该级单价")
    Saving = MoneyField(
        source="saving", max_digits=20, help_text="该数量按该级单价比按现价少付的金额"
    )


class CartLineSerializer(serializers.Serializer[CartLine]):
    Id = serializers.CharField(source="item_id")
    ProductCode = serializers.CharField(source="offer.product.code")
    CustomerProductName = serializers.CharField(source="offer.name")
    CustomerCode = serializers.CharField(source="offer.customer_code")
    ImageUrl = serializers.CharField()
    Brand = serializers.CharField(source="offer.product.brand.name")
    Unit = serializers.CharField(source="offer.product.unit")
    BaseUnit = serializers.CharField(source="offer.product.base_unit")
    Contents = serializers.IntegerField(source="offer.product.contents", allow_null=True)
    BaseUnitPrice = BaseUnitPriceField(source="offer.base_unit_price")
    Quantity = serializers.IntegerField(source="quantity")
    MinQuantity = serializers.IntegerField(source="offer.product.min_quantity")
    StepQuantity = serializers.IntegerField(source="offer.product.step_quantity")
    CustomerPrice = MoneyField(source="price", allow_null=True)
    MallPrice = MoneyField(source="offer.shown_market_price", allow_null=True)
    SinglePrice = MoneyField(
        source="single_price", allow_null=True, help_text="未达到阶梯价时的现价"
    )
    AddedPrice = MoneyField(
        source="added_price",
        allow_null=True,
        help_text="加入购物车时未达到阶梯价的单价，与 SinglePrice 不同即已变动",
    )
    Tiers = TierSerializer(many=True, source="offer.shown_tiers", help_text="阶梯价，数量由少到多")
    NextTier = NextTierSerializer(
        source="next_tier", allow_null=True, help_text="再多买一些可享的下一级阶梯价；没有时为空"
    )
    Amount = MoneyField(source="amount", allow_null=True, max_digits=20)
    Stock = serializers.IntegerField(source="offer.available")
    Selected = serializers.BooleanField(source="is_selected")
    Valid = serializers.BooleanField(source="is_valid")
    Problem = LineProblemSerializer(source="problem", allow_null=True)

    def to_representation(self, line: CartLine) -> dict[str, Any]:
        """Return the line as a plain dictionary. For a cart of 200 lines the serializer fields
        would take most of the time (make bench BENCH=orders).
        """
        offer, product = line.offer, line.offer.product
        price, next_tier = line.price, line.next_tier
        base_unit_price = (
            None if price is None else compute_shown_base_unit_price(price=price, product=product)
        )
        return {
            "Id": str(line.item_id),
            "ProductCode": product.code,
            "CustomerProductName": offer.name,
            "CustomerCode": offer.customer_code,
            "ImageUrl": get_image_url(product),
            "Brand": product.brand.name,
            "Unit": product.unit,
            "BaseUnit": product.base_unit,
            "Contents": product.contents,
            "BaseUnitPrice": None if base_unit_price is None else str(base_unit_price),
            "Quantity": line.quantity,
            "MinQuantity": product.min_quantity,
            "StepQuantity": product.step_quantity,
            "CustomerPrice": None if price is None else str(price),
            "MallPrice": str(offer.market_price) if offer.is_priced else None,
            "SinglePrice": None if price is None else str(offer.price),
            "AddedPrice": (
                None if line.added_price is None or not offer.is_priced else str(line.added_price)
            ),
            "Tiers": serialize_tiers(offer) if offer.visible else [],
            "NextTier": NextTierSerializer(next_tier).data if next_tier else None,
            "Amount": None if line.amount is None else str(line.amount),
            "Stock": offer.available,
            "Selected": line.is_selected,
            "Valid": line.is_valid,
            "Problem": LineProblemSerializer(line.problem).data if line.problem else None,
        }


class CartSerializer(AnswerSerializer):
    Lines = CartLineSerializer(source="lines", many=True)
    Count = serializers.SerializerMethodField()
    SelectedCount = serializers.SerializerMethodField()
    SelectedAmount = MoneyField(source="chosen_amount", max_digits=20)

    def get_Count(self, view: Any) -> int:
        """Return the number of different products in the cart."""
        return len(view.lines)

    def get_SelectedCount(self, view: Any) -> int:
        """Return the number of selected products that can be bought."""
        return len(view.chosen)


class FavoriteCartBodySerializer(FillBodySerializer):
    """The items and their list. With Remove, the added items are removed from the list."""

    Type = serializers.ChoiceField(FavoriteType.choices, default=FavoriteType.FAVORITE)
    Remove = serializers.BooleanField(default=False)


class AdoptLineSerializer(BodySerializer):
    Id = WholeField(min_value=1)
    Quantity = QuantityField()


class AdoptBodySerializer(BodySerializer):
    Lines = list_of(
        AdoptLineSerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_ADOPTED_LINES,
        help_text="留空为全部报价商品，按询价数量",
    )

    @staticmethod
    def read_quantities(body: dict[str, Any]) -> dict[int, int] | None:
        """Return the quantities by line, or None to adopt all lines as requested."""
        lines = body.get("Lines")
        return None if lines is None else {line["Id"]: line["Quantity"] for line in lines}


class AdoptLeftOutSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    Brand = serializers.CharField(source="brand")
    Message = serializers.CharField(source="message")


class AdoptedSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = AdoptLeftOutSerializer(many=True)
