"""商品评价 in the admin: the list of unchecked reviews, the actions of staff, and the unchecked
reviews on the first page. All actions call services.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.api.files import file_response
from apps.common.numbers import parse_key
from apps.common.queries import list_waiting
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import picture_list
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.first_page import ROWS, WORK_PARTS, Todo, WorkPart, build_work_card
from apps.office.lists import ReadOnlyAdmin, build_value_filter
from apps.office.pages import action, display
from apps.reviews.enums import ReviewEventKind, ReviewState
from apps.reviews.models import MAX_TEXT, OrderReview
from apps.reviews.selectors import build_unanswered_condition, list_unchecked_reviews
from apps.reviews.services import (
    review_check,
    review_hide,
    review_reply,
    review_show,
)

S = ReviewState
STATE_COLOURS = {S.SHOWN: "success", S.HIDDEN: "danger"}

STARS = build_value_filter(
    "stars", "星级", [(number, f"{number} 星") for number in range(5, 0, -1)]
)
LATE = timedelta(days=2)


class ReplyForm(forms.Form):
    text = forms.CharField(
        label="回复（公开展示）",
        max_length=MAX_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )


class HideForm(forms.Form):
    reason = forms.CharField(
        label="隐藏原因（评价人可见）",
        max_length=200,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )


class ShowForm(forms.Form):
    """A form without fields, for an action that only needs a button."""


class WaitingFilter(admin.SimpleListFilter):
    """Filters unchecked reviews, and poor reviews without a reply."""

    title = "等待处理"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "待查看"), ("poor", "三星及以下未回复")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[OrderReview]
    ) -> QuerySet[OrderReview]:
        if self.value() == "1":
            return queryset & list_unchecked_reviews()
        return queryset.filter(build_unanswered_condition()) if self.value() == "poor" else queryset


@admin.register(OrderReview)
class OrderReviewAdmin(ActPageMixin, ReadOnlyAdmin):
    """Reviews of all groups, and the unchecked ones on the first page. Staff check, reply, hide and
    show with actions; the text of a customer is never edited.
    """

    list_display = (
        "product_name",
        "star_text",
        "short_text",
        "group",
        "author",
        "state_text",
        "checked",
        "replied_at",
        "written_at",
    )
    list_select_related = ("order_line", "group", "author")
    list_filter = (
        WaitingFilter,
        "state",
        STARS,
        ("group", AutocompleteSelectFilter),
        ("written_at", RangeDateTimeFilter),
    )
    search_fields = (
        "order__order_no",
        "order_line__name",
        "order_line__product_code",
        "text",
        "author__username",
        "author__nickname",
    )
    search_help_text = "按订单号、商品、评价内容或评价人搜索"
    ordering = ("-pk",)
    actions = ("check_many",)
    actions_detail = ("check_one", "reply_one", "hide_one", "show_one")
    readonly_fields = (
        "product_name",
        "star_text",
        "tags_text",
        "order_page",
        "picture_links",
        "history",
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("product_name", "star_text"),
                    ("order_page", "group"),
                    ("author", "is_anonymous"),
                    ("state", "hidden_reason"),
                )
            },
        ),
        ("评价", {"fields": ("tags_text", "text", "picture_links", ("written_at", "edited_at"))}),
        ("追评", {"fields": ("follow_text", "followed_at")}),
        ("回复", {"fields": ("reply_text", "replied_at")}),
        ("记录", {"fields": ("checked_at", "history")}),
    )

    @admin.display(description="商品")
    def product_name(self, review: OrderReview) -> str:
        return f"{review.order_line.product_code} {review.order_line.name}"

    @admin.display(description="星级", ordering="stars")
    def star_text(self, review: OrderReview) -> str:
        return review.get_stars()

    @admin.display(description="评价")
    def short_text(self, review: OrderReview) -> str:
        text = "；".join(filter(None, (review.text, review.follow_text))) or "、".join(
            review.tag_names
        )
        return text if len(text) <= 40 else f"{text[:40]}…"

    @display(description="状态", ordering="state", label=STATE_COLOURS)
    def state_text(self, review: OrderReview) -> tuple[str, str]:
        return review.state, review.get_state_display()

    @display(
        description="查看", ordering="checked_at", label={"待查看": "warning", "已查看": "success"}
    )
    def checked(self, review: OrderReview) -> str:
        return "已查看" if review.checked_at else "待查看"

    @admin.display(description="标签")
    def tags_text(self, review: OrderReview) -> str:
        return "、".join(review.tag_names) or "—"

    @admin.display(description="订单")
    def order_page(self, review: OrderReview) -> SafeString:
        page = reverse("admin:orders_order_change", args=[review.order_id])
        return format_html('<a href="{}">{}</a>', page, review.order.order_no)

    @admin.display(description="图片")
    def picture_links(self, review: OrderReview) -> SafeString | str:
        return picture_list(
            (
                reverse("admin:reviews_orderreview_picture", args=[review.pk, picture.pk]),
                picture.file.name,
            )
            for picture in review.pictures.select_related("file")
        )

    @admin.display(description="操作记录")
    def history(self, review: OrderReview) -> SafeString:
        return render_timeline(review)

    def get_urls(self) -> list[URLPattern]:
        picture = self.admin_site.admin_view(self.picture)
        address = path(
            "<int:review_id>/picture/<int:picture_id>/", picture, name="reviews_orderreview_picture"
        )
        urls: list[URLPattern] = super().get_urls()
        return [address, *urls]

    def picture(self, request: HttpRequest, review_id: int, picture_id: int) -> HttpResponseBase:
        """Return the bytes of a customer's picture. Staff need the permission to see reviews."""
        review = OrderReview.objects.filter(pk=parse_key(review_id)).first()
        if review is None or not self.has_view_permission(request):
            raise Http404
        return file_response(
            get_object_or_404(review.pictures.select_related("file"), pk=parse_key(picture_id)).file
        )

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer only the actions that the state of the review allows. The services check the
        state again.
        """
        review = OrderReview.objects.filter(pk=parse_key(object_id)).first()
        if review is None:
            return []
        allowed_paths = {"reply", "hide" if review.state == S.SHOWN else "show"} | (
            {"check"} if review.checked_at is None else set()
        )
        return [
            each
            for each in super().get_actions_detail(request, object_id)
            if each.path in allowed_paths
        ]

    @action(description="标为已查看", permissions=["act"])
    def check_many(self, request: HttpRequest, queryset: QuerySet[OrderReview]) -> None:
        staff: Any = request.user
        keys = list(
            queryset.filter(checked_at__isnull=True).order_by("pk").values_list("pk", flat=True)
        )
        for key in keys:
            review_check(actor=staff, review_id=key)
        messages.success(request, f"已查看 {len(keys)} 条评价")

    @action(description="标为已查看", url_path="check", icon="check", permissions=["act"])
    def check_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        review = self._get_review(object_id)
        return self._show_action(
            request,
            review,
            "标为已查看",
            forms.Form(request.POST or None),
            partial(review_check, review_id=review.pk),
        )

    @action(description="回复", url_path="reply", icon="chat", permissions=["act"])
    def reply_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        review = self._get_review(object_id)
        form = ReplyForm(request.POST or None, initial={"text": review.reply_text})
        return self._show_action(
            request, review, "回复", form, partial(review_reply, review_id=review.pk)
        )

    @action(description="隐藏", url_path="hide", icon="visibility_off", permissions=["act"])
    def hide_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        review = self._get_review(object_id)
        return self._show_action(
            request,
            review,
            "隐藏",
            HideForm(request.POST or None),
            partial(review_hide, review_id=review.pk),
            is_destructive=True,
        )

    @action(description="恢复展示", url_path="show", icon="visibility", permissions=["act"])
    def show_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        review = self._get_review(object_id)
        return self._show_action(
            request,
            review,
            "恢复展示",
            ShowForm(request.POST or None),
            partial(review_show, review_id=review.pk),
        )

    @staticmethod
    def _get_review(object_id: str) -> OrderReview:
        rows = OrderReview.objects.select_related("order", "order_line", "author", "group")
        review: OrderReview = get_object_or_404(rows, pk=parse_key(object_id))
        return review

    @staticmethod
    def _get_review_address(review: OrderReview) -> str:
        return reverse("admin:reviews_orderreview_change", args=[review.pk])

    def _show_action(
        self,
        request: HttpRequest,
        review: OrderReview,
        title: str,
        form: forms.Form,
        service: Any,
        *,
        is_destructive: bool = False,
    ) -> HttpResponse:
        """Show the review and the form of an action. If the form is sent and valid, call the
        service with the form fields as arguments.
        """
        facts: list[tuple[str, object]] = [
            ("商品", self.product_name(review)),
            (
                "评价人",
                f"{review.author}（{review.group}）"
                + ("，对他人匿名" if review.is_anonymous else ""),
            ),
            ("星级", review.get_stars()),
            ("标签", self.tags_text(review)),
            ("评价", review.text or "—"),
            ("追评", review.follow_text or "—"),
            ("图片", self.picture_links(review)),
        ]
        act = Act(
            title=title,
            subject="评价",
            page=self._get_review_address(review),
            form=form,
            facts=facts,
            is_destructive=is_destructive,
        )
        return self.show_act_page(
            request, act, lambda filled: service(actor=request.user, **filled)
        )


register_timeline_words(
    OrderReview, kinds=dict(ReviewEventKind.choices), states=dict(ReviewState.choices)
)


def build_reviews_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of reviews that wait for staff, fewest stars first. None
    without the permission.
    """
    if not request.user.has_perm("reviews.change_orderreview"):
        return None
    page = reverse("admin:reviews_orderreview_changelist") + "?waiting=1"
    waiting_reviews = list_waiting(
        list_unchecked_reviews()
        .select_related("group", "order_line")
        .order_by("stars", "written_at"),
        since="written_at",
        limit=ROWS,
    )
    rows = [_build_review_todo(row) for row in waiting_reviews.rows]
    is_late = waiting_reviews.oldest is not None and waiting_reviews.oldest < timezone.now() - LATE
    card = build_work_card(
        title="待查看评价",
        number=waiting_reviews.number,
        icon="reviews",
        link=page,
        oldest=waiting_reviews.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待查看的评价", "rows": rows, "all": page})


def _build_review_todo(row: OrderReview) -> Todo:
    page = reverse("admin:reviews_orderreview_change", args=[row.pk])
    is_late = row.written_at < timezone.now() - LATE
    return Todo(
        number=row.order_line.name,
        page=page,
        customer=row.group.name,
        amount=row.get_stars(),
        since=row.written_at,
        verb="查看",
        act=page,
        is_late=is_late,
    )


WORK_PARTS.add(build_reviews_part)
