"""Request and response serializers of the named lists (采购清单)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.cart.api.quick_serializers import (
    FilledSerializer,
    ItemSerializer,
    build_filled_body,
    build_too_many_messages,
)
from apps.cart.enums import ListAction, ListRight, ListRole
from apps.cart.models import QuickList, QuickListMember
from apps.cart.selectors.quick_lists import ListedLine, get_list_actions, get_list_role
from apps.cart.services.quick_list_order import ListFill
from apps.cart.services.quick_list_share import MAX_MEMBERS
from apps.catalog.selectors.pictures import get_image_url
from apps.catalog.shared_serializers import ProductCodeField
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    LineProblemSerializer,
    MoneyField,
    PartialSerializer,
    QuerySerializer,
    RecordedPersonSerializer,
    WholeField,
    list_of,
)

MAX_LIST = 1_000
MAX_REMARK = 100
TOO_MANY_MEMBERS = f"每个清单最多共享给 {MAX_MEMBERS} 人"
MEMBER_TWICE = "同一同事只能选择一次"


class ListItemSerializer(ItemSerializer):
    Remark = serializers.CharField(max_length=MAX_REMARK, required=False, allow_blank=True)


class ListItemsField(serializers.ListSerializer[Any]):
    """The lines in their order. Lines of the same product become one: the quantities are added,
    the first remark counts.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=ListItemSerializer(),
            allow_empty=False,
            max_length=MAX_LIST,
            error_messages=build_too_many_messages(MAX_LIST),
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> Any:
        """Return {"quantities": {code: quantity}, "remarks": {code: remark}}."""
        quantities: dict[str, int] = {}
        remarks: dict[str, str] = {}
        for row in super().to_internal_value(data):
            code = row["ProductCode"]
            quantities[code] = quantities.get(code, 0) + row["Quantity"]
            remarks[code] = remarks.get(code) or row.get("Remark", "")
        return {"quantities": quantities, "remarks": remarks}


class QuickListBodySerializer(BodySerializer):
    Name = serializers.CharField(max_length=40)
    Shared = serializers.BooleanField(default=False)
    Items = ListItemsField()


class QuickListChangeSerializer(PartialSerializer):
    """`Version` is the version of the list that the caller has seen. Without it nothing is
    compared.
    """

    Name = serializers.CharField(max_length=40)
    Shared = serializers.BooleanField()
    Items = ListItemsField()
    Version = WholeField(min_value=1, max_value=2**31 - 1, help_text="所见清单的版本")


class QuickListNameSerializer(BodySerializer):
    Name = serializers.CharField(max_length=40)


class ListMemberBodySerializer(BodySerializer):
    AccountId = IdField()
    Right = serializers.ChoiceField(choices=ListRight.choices)


class MembersBodySerializer(BodySerializer):
    """All people with whom the list is shared. Those who are not named lose it."""

    Members = list_of(
        ListMemberBodySerializer,
        max_length=MAX_MEMBERS,
        error_messages={"max_length": TOO_MANY_MEMBERS},
    )

    def validate_Members(self, members: list[dict[str, Any]]) -> dict[int, str]:
        """Return the rights by account id."""
        rights = {row["AccountId"]: row["Right"] for row in members}
        if len(rights) != len(members):
            raise serializers.ValidationError(MEMBER_TWICE)
        return rights


class HandOverBodySerializer(BodySerializer):
    AccountId = IdField()


class ListCartBodySerializer(BodySerializer):
    ProductCodes = serializers.ListField(
        child=ProductCodeField(),
        required=False,
        allow_empty=False,
        max_length=MAX_LIST,
        help_text="留空为清单的全部商品",
    )


class ListColleagueQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class ListColleagueSerializer(AnswerSerializer):
    """A colleague with whom a list can be shared."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    Department = serializers.CharField(source="department.name", default="")


class QuickListRowSerializer(serializers.Serializer[QuickList]):
    """A list without its lines. `Mine` is true for the caller's own list. `context["account"]` is
    the caller.
    """

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Shared = serializers.BooleanField(source="is_shared", help_text="共享给所有人的部门")
    MemberCount = serializers.IntegerField(source="member_count", help_text="单独共享的人数")
    LineCount = serializers.IntegerField(source="line_count")
    Owner = serializers.CharField(source="account.nickname")
    OwnerLeft = serializers.BooleanField(
        source="has_lost_owner", help_text="所有人已停用或已离开本企业"
    )
    UpdatedAt = serializers.DateTimeField(source="updated_at")
    ChangedBy = RecordedPersonSerializer(source="changed_by", allow_null=True)
    ChangedText = serializers.CharField(source="changed_text")
    Version = serializers.IntegerField(source="version")
    Mine = serializers.SerializerMethodField()
    Role = serializers.SerializerMethodField()
    AllowedActions = serializers.SerializerMethodField()

    def get_Mine(self, row: QuickList) -> bool:
        """Return whether the list is the caller's own."""
        return bool(row.account_id == self.context["account"].pk)

    @extend_schema_field(serializers.ChoiceField(choices=ListRole.choices))
    def get_Role(self, row: QuickList) -> str:
        """Return what the list is to the caller."""
        return get_list_role(actor=self.context["account"], quick_list=row).value

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=ListAction.choices))
    )
    def get_AllowedActions(self, row: QuickList) -> list[str]:
        """Return the codes of the actions that the caller can take now."""
        return get_list_actions(actor=self.context["account"], quick_list=row)


class QuickListLineSerializer(serializers.Serializer[ListedLine]):
    """A line at the caller's price. A product outside the caller's catalogue has its code only."""

    ProductCode = serializers.CharField()
    Quantity = serializers.IntegerField()
    Remark = serializers.CharField()
    CustomerProductName = serializers.CharField()
    CustomerCode = serializers.CharField()
    ImageUrl = serializers.CharField()
    Brand = serializers.CharField()
    Pack = serializers.CharField()
    Unit = serializers.CharField()
    MinQuantity = serializers.IntegerField()
    StepQuantity = serializers.IntegerField()
    Stock = serializers.IntegerField()
    CustomerPrice = MoneyField(allow_null=True)
    Amount = MoneyField(allow_null=True, max_digits=20)
    SavedPrice = MoneyField(allow_null=True, help_text="加入清单时未达到阶梯价的单价")
    PriceChange = serializers.CharField(help_text="较加入清单时的价格变动；空为没有变动")
    Problem = LineProblemSerializer(allow_null=True)

    def to_representation(self, line: ListedLine) -> dict[str, Any]:
        """Return the line as a plain dictionary: a list may have 1,000 lines."""
        offer = line.offer
        product = offer.product if offer else None
        problem = line.problem
        return {
            "ProductCode": line.code,
            "Quantity": line.quantity,
            "Remark": line.remark,
            "CustomerProductName": offer.name if offer else "",
            "CustomerCode": offer.customer_code if offer else "",
            "ImageUrl": get_image_url(product) if product else "",
            "Brand": product.brand.name if product else "",
            "Pack": product.pack if product else "",
            "Unit": product.unit if product else "",
            "MinQuantity": product.min_quantity if product else 1,
            "StepQuantity": product.step_quantity if product else 1,
            "Stock": offer.available if offer else 0,
            "CustomerPrice": None if line.price is None else str(line.price),
            "Amount": None if line.amount is None else str(line.amount),
            "SavedPrice": None if line.saved_price is None else str(line.saved_price),
            "PriceChange": line.price_change,
            "Problem": LineProblemSerializer(problem).data if problem else None,
        }


class ListMemberSerializer(serializers.Serializer[QuickListMember]):
    """A person with whom the list is shared. `IsActive`: the right counts now."""

    AccountId = serializers.CharField(source="account_id")
    Name = serializers.CharField(source="account.nickname")
    Department = serializers.CharField(source="account.department.name", default="")
    Right = serializers.ChoiceField(choices=ListRight.choices, source="right")
    IsActive = serializers.SerializerMethodField(help_text="账号启用且仍在本企业")

    def get_IsActive(self, row: QuickListMember) -> bool:
        """Return whether the person is enabled and still belongs to the list's enterprise."""
        account = row.account
        return bool(account.is_active and account.enterprise_id == row.quick_list.enterprise_id)


class QuickListDetailSerializer(QuickListRowSerializer):
    """A list with its lines, in order, and its members. `context` has "lines", "members" and
    "amount".
    """

    Amount = serializers.SerializerMethodField()
    Items = serializers.SerializerMethodField()
    Members = serializers.SerializerMethodField()

    @extend_schema_field(
        MoneyField(
            max_digits=20, allow_null=True, help_text="现在可购买商品的金额；不显示价格时为空"
        )
    )
    def get_Amount(self, _row: QuickList) -> str | None:
        """Return the amount of the lines that can be bought now."""
        amount = self.context["amount"]
        return None if amount is None else str(amount)

    @extend_schema_field(QuickListLineSerializer(many=True))
    def get_Items(self, _row: QuickList) -> Any:
        return QuickListLineSerializer(self.context["lines"], many=True).data

    @extend_schema_field(ListMemberSerializer(many=True))
    def get_Members(self, _row: QuickList) -> Any:
        return ListMemberSerializer(self.context["members"], many=True).data


class ListChangedLineSerializer(AnswerSerializer):
    """A product that was added with another price or quantity than in the list."""

    ProductCode = serializers.CharField(source="product_code")
    CustomerProductName = serializers.CharField(source="name")
    Brand = serializers.CharField(source="brand")
    Message = serializers.CharField(source="message")


class ListFilledSerializer(FilledSerializer):
    Changed = ListChangedLineSerializer(many=True)


def list_filled_body(fill: ListFill) -> dict[str, Any]:
    """Return the body of ListFilledSerializer."""
    changed = ListChangedLineSerializer.serialize_all(fill.changed)
    return {**build_filled_body(fill.added, fill.left_out), "Changed": changed}
