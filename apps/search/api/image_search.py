"""POST /api/Product/ImageSearch. Visitors search the public catalogue, customers search their
own.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import list_uploads
from apps.common.api.views import MallViewSet, find_account
from apps.common.errors import FileRefused
from apps.common.files import IMAGES, file_take
from apps.common.files.images import is_animated
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.search.selectors.image_search import RESULT_LIFETIME, Guess, ImageResult, get_image_result
from apps.search.services.image_search import image_search
from apps.search.shared_serializers import ProductRowSerializer, serialize_product

FIELD = "files"
MAX_MB = 2
NOT_A_PICTURE = "请上传图片文件"
ANIMATED = "无法识别动态图片，请截取其中一帧后上传"
TOO_LARGE = "图片大小不能超过2MB"
COOKIE, COOKIE_PATH = "ImageSearchBrowser", "/api/Product"


class ScoredRowSerializer(ProductRowSerializer):
    """A product row with its similarity to the picture, from 0 to 1."""

    Score = serializers.FloatField()


class GuessSerializer(serializers.Serializer[Any]):
    """A category that the picture may show, with its share of the votes, from 0 to 1."""

    CategoryId = serializers.CharField()
    Name = serializers.CharField()
    Share = serializers.FloatField()


class ImageSearchSerializer(serializers.Serializer[Any]):
    """The result of an image search. ImageKey is empty if nothing was found."""

    Items = ScoredRowSerializer(many=True)
    Total = serializers.IntegerField()
    ImageKey = serializers.CharField(
        help_text="GET /api/Product?ImageKey=…，4 小时内有效，仅限本人"
    )
    CategoryId = serializers.CharField(
        allow_null=True, help_text="把握较大时的类目，列表先按它筛选"
    )
    Categories = GuessSerializer(many=True)


class ImageHeadSerializer(serializers.Serializer[Any]):
    """The picture and its guessed categories, above a list of an image search."""

    Picture = serializers.CharField(help_text="上传图片的缩略图（data URL）")
    Total = serializers.IntegerField()
    Categories = GuessSerializer(many=True)


def serialize_image_head(result: ImageResult) -> dict[str, Any]:
    """Return picture, number of products and likely categories of an image search, as JSON."""
    return {
        "Picture": result.picture,
        "Total": len(result.product_ids),
        "Categories": _serialize_guesses(result.guesses),
    }


def _serialize_guesses(guesses: tuple[Guess, ...]) -> list[dict[str, Any]]:
    return [
        {"CategoryId": str(guess.category_id), "Name": guess.name, "Share": guess.share}
        for guess in guesses
    ]


def get_image_result_of_request(request: Request, key: str) -> ImageResult | None:
    """Return the result that the list's ImageKey names, or None without an ImageKey."""
    return (
        get_image_result(
            actor=find_account(request), browser=request.COOKIES.get(COOKIE, ""), key=key
        )
        if key
        else None
    )


class ImageSearchViewSet(MallViewSet):
    """Search by picture."""

    access = Access.public()
    parser_classes = [MultiPartParser]
    serializer_class = ImageSearchSerializer

    @extend_schema(
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {FIELD: {"type": "string", "format": "binary"}},
            }
        },
        responses=ImageSearchSerializer,
    )
    @action(detail=False, methods=["post"], url_path="ImageSearch")
    def image_search(self, request: Request) -> Response:
        """Accept one picture of at most 2 MB and return the products that look like it."""
        uploads = list_uploads(request)
        if len(uploads) != 1 or FIELD not in request.FILES:
            raise FileRefused(
                "一次只能上传一张图片，请只选择一张" if len(uploads) > 1 else NOT_A_PICTURE
            )
        if is_animated(uploads[0]):
            raise FileRefused(ANIMATED)
        file = file_take(
            uploads[0], kinds=IMAGES, max_mb=MAX_MB, message=NOT_A_PICTURE, size_message=TOO_LARGE
        )
        matches = image_search(
            actor=find_account(request), browser=request.COOKIES.get(COOKIE, ""), file=file
        )
        sure = matches.result.sure_category
        body = {
            "Items": [
                {**serialize_product(offer), "Score": score} for offer, score in matches.offers
            ],
            "Total": matches.total,
            "ImageKey": matches.result.key,
            "CategoryId": None if sure is None else str(sure),
            "Categories": _serialize_guesses(matches.result.guesses),
        }
        answer = CatalogueAnswer(body, context=matches.context)
        if matches.browser:
            answer.set_cookie(
                COOKIE,
                matches.browser,
                max_age=int(RESULT_LIFETIME.total_seconds()),
                path=COOKIE_PATH,
                secure=request.is_secure(),
                httponly=True,
                samesite="Lax",
            )
        return answer
