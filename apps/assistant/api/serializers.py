"""Serializers of conversations and answers."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.assistant.enums import MessageStatus, ProposalStatus, Provider, Role
from apps.assistant.models import CartProposal, Message
from apps.assistant.selectors import ConversationDetail
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    PartialSerializer,
    QuantityField,
    list_of,
)
from apps.common.files import file_url
from apps.pricing.selectors.offers import Offer
from apps.pricing.shared_serializers import BriefOfferSerializer

MAX_TEXT = 2000
MAX_TITLE = 60
MAX_PICTURES = 3
MAX_LINES = 50


class AskSerializer(BodySerializer):
    Text = serializers.CharField(
        max_length=MAX_TEXT,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": f"问题最多 {MAX_TEXT} 个字，请分几次提问"},
    )
    FileIds = serializers.ListField(
        child=serializers.UUIDField(error_messages={"invalid": "图片编号不正确，请重新上传"}),
        max_length=MAX_PICTURES,
        required=False,
        default=list,
        error_messages={"max_length": f"一次最多发送 {MAX_PICTURES} 张图片"},
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["Text"].strip() and not attrs["FileIds"]:
            raise serializers.ValidationError({"Text": ["请输入问题"]})
        return attrs


class RenameSerializer(PartialSerializer):
    Title = serializers.CharField(
        max_length=MAX_TITLE,
        error_messages={
            "required": "请填写对话名称",
            "blank": "请填写对话名称",
            "max_length": f"对话名称最多 {MAX_TITLE} 个字",
        },
    )


class AcceptLineSerializer(BodySerializer):
    ProductCode = serializers.CharField(max_length=20)
    Quantity = QuantityField()


class AcceptSerializer(BodySerializer):
    Items = list_of(
        AcceptLineSerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="留空为整个清单；否则为其中要加入的商品和数量",
    )

    @staticmethod
    def read_quantities(body: dict[str, Any]) -> dict[str, int] | None:
        """Return the quantities by ProductCode, or None for the whole proposal.

        Raises:
            ValidationError: a product occurs twice.
        """
        items = body.get("Items")
        if items is None:
            return None
        quantities = {item["ProductCode"]: item["Quantity"] for item in items}
        if len(quantities) != len(items):
            raise serializers.ValidationError({"Items": ["同一商品重复提交，请刷新后重试"]})
        return quantities


class ConversationSerializer(AnswerSerializer):
    """A row of the conversation list."""

    Id = serializers.CharField(source="pk")
    Title = serializers.CharField(source="title")
    LastAt = serializers.DateTimeField(source="last_at")


class CardSerializer(BriefOfferSerializer):
    """A product card at the account's present price."""

    LeadDays = serializers.IntegerField(source="product.lead_days")
    IsOnSale = serializers.BooleanField(source="is_on_sale")


class AnswerLinkSerializer(serializers.Serializer[Any]):
    Title = serializers.CharField()
    Path = serializers.CharField()


class ConsentLineSerializer(serializers.Serializer[Any]):
    Product = CardSerializer()
    Quantity = serializers.IntegerField()


class ConsentSerializer(serializers.Serializer[Any]):
    """A proposal for the cart; `Id` can be used once."""

    Id = serializers.CharField()
    Status = serializers.ChoiceField(choices=ProposalStatus.choices)
    Lines = ConsentLineSerializer(many=True)


class PictureSerializer(serializers.Serializer[Any]):
    FileId = serializers.CharField()
    Name = serializers.CharField()
    Url = serializers.CharField()


class MessageSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField()
    Role = serializers.ChoiceField(choices=Role.choices)
    Text = serializers.CharField(help_text="Markdown；不含 HTML")
    Status = serializers.ChoiceField(choices=MessageStatus.choices)
    Provider = serializers.CharField(help_text="、".join(Provider.values))
    Notice = serializers.CharField()
    Cards = CardSerializer(many=True)
    Links = AnswerLinkSerializer(many=True)
    Consent = ConsentSerializer(allow_null=True)
    Pictures = PictureSerializer(many=True)
    CreatedAt = serializers.DateTimeField()


class ConversationDetailSerializer(serializers.Serializer[ConversationDetail]):
    """A conversation with its messages, oldest first."""

    Id = serializers.CharField(source="conversation.pk")
    Title = serializers.CharField(source="conversation.title")
    LastAt = serializers.DateTimeField(source="conversation.last_at")
    Messages = serializers.SerializerMethodField()

    @extend_schema_field(MessageSerializer(many=True))
    def get_Messages(self, detail: ConversationDetail) -> list[dict[str, Any]]:
        return [self._serialize_message(detail, message) for message in detail.messages]

    def _serialize_message(self, detail: ConversationDetail, message: Message) -> dict[str, Any]:
        """Return a message with its cards, links, proposal and pictures. Products and files that
        the reader may no longer see are left out.
        """
        parts, proposal = message.parts, detail.proposals.get(message.pk)
        files = [
            detail.files[file_id] for file_id in parts.get("Files", ()) if file_id in detail.files
        ]
        return {
            "Id": str(message.pk),
            "Role": message.role,
            "Text": message.text,
            "Status": message.status,
            "Provider": message.provider,
            "Notice": parts.get("Notice", ""),
            "Cards": CardSerializer.serialize_all(
                detail.offers[code] for code in parts.get("Codes", ()) if code in detail.offers
            ),
            "Links": parts.get("Links", []),
            "Consent": serialize_consent(proposal, detail.offers) if proposal else None,
            "Pictures": [
                {
                    "FileId": str(file.public_id),
                    "Name": file.name,
                    "Url": file_url(file, account=self.context["account"]),
                }
                for file in files
            ],
            "CreatedAt": timezone.localtime(message.created_at).isoformat(),
        }


def serialize_consent(proposal: CartProposal, offers: dict[str, Offer]) -> dict[str, Any]:
    """Return a proposal as JSON, without products that are no longer visible."""
    lines = [
        {"Product": CardSerializer.answer(offers[code]), "Quantity": n}
        for code, n in proposal.quantities.items()
        if code in offers
    ]
    return {"Id": str(proposal.public_id), "Status": proposal.status, "Lines": lines}


class EmptyConversationSerializer(AnswerSerializer):
    """A conversation without questions."""

    Id = serializers.CharField(source="pk")
    Title = serializers.CharField(source="title")
