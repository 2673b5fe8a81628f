"""商品提问 in the back office: the questions of all customers, waiting ones first, and the acts of
the staff, which call the services.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldBooleanWidget

from apps.common.days import format_moment
from apps.common.queries import list_waiting
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import format_elapsed
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.first_page import (
    ROWS,
    WORK_PARTS,
    Todo,
    WorkPart,
    build_work_card,
    filter_owned_rows,
    owned_link,
)
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import display
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin
from apps.questions.enums import QuestionEventKind, QuestionState
from apps.questions.models import MAX_ANSWER, ProductQuestion
from apps.questions.selectors import list_waiting_questions
from apps.questions.services import question_answer, question_hide, question_show

S = QuestionState
COLOURS = {S.WAITING: "warning", S.ANSWERED: "success", S.HIDDEN: "danger", S.RETRACTED: "info"}
# A question without an answer is late after this time.
LATE = timedelta(days=1)
# State → paths of the acts that the page offers.
ALLOWED_IN: dict[str, tuple[str, ...]] = {
    S.WAITING: ("answer", "hide"),
    S.ANSWERED: ("answer", "hide"),
    S.HIDDEN: ("show",),
    S.RETRACTED: (),
}


class AnswerField(forms.CharField):
    """A text whose length counts each line end as one character; a browser sends two."""

    def to_python(self, value: Any) -> str | None:
        """Return the text with plain line ends."""
        text: str | None = super().to_python(value)
        return text and text.replace("\r\n", "\n")


class AnswerForm(forms.Form):
    """The answer and who sees it. `seen_answered_at` is the time of the answer that the page
    showed.
    """

    answer = AnswerField(
        label="回答",
        max_length=MAX_ANSWER,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 5, "autofocus": True}),
    )
    is_for_everybody = forms.BooleanField(
        label="公开给所有客户",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="问题或回答涉及该客户的价格、合同或身份时，请勿公开",
    )
    seen_answered_at = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_seen_answered_at(self) -> datetime | None:
        """Return the moment; a changed field answers like a changed question."""
        text = self.cleaned_data["seen_answered_at"]
        try:
            return datetime.fromisoformat(text) if text else None
        except ValueError:
            return timezone.now()


class HideForm(forms.Form):
    reason = forms.CharField(
        label="隐藏原因（提问人可见）",
        max_length=200,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )


def _build_answer_form(request: HttpRequest, question: ProductQuestion) -> AnswerForm:
    shown_at = question.answered_at
    form = AnswerForm(
        request.POST or None,
        initial={
            "answer": question.answer,
            "is_for_everybody": question.is_for_everybody and not question.is_private,
            "seen_answered_at": shown_at.isoformat() if shown_at else "",
        },
    )
    if question.is_private:
        form.fields["is_for_everybody"].disabled = True
        form.fields["is_for_everybody"].help_text = "提问人选择了仅本集团可见"
    return form


def _answer_arguments(form: Any) -> dict[str, Any]:
    return {
        "answer": form.cleaned_data["answer"],
        "is_for_everybody": form.cleaned_data["is_for_everybody"],
        "seen_answered_at": form.cleaned_data["seen_answered_at"],
    }


@admin.register(ProductQuestion)
class ProductQuestionAdmin(WorkOwnerMixin, DocumentActsMixin, ReadOnlyAdmin):
    """Questions of all customers about products, unanswered ones first. Staff act through `acts`,
    which call the services.
    """

    list_display = (
        "short_text",
        "product",
        "group",
        "asker",
        "state_text",
        "visibility",
        "waiting",
        "asked_at",
        "answered_at",
    )
    list_select_related = ("product", "group", "asker")
    list_filter = (
        "state",
        ("group", AutocompleteSelectFilter),
        ("product", AutocompleteSelectFilter),
        ("asked_at", RangeDateTimeFilter),
    )
    search_fields = ("text", "answer", "product__code", "product__name", "asker__username")
    search_help_text = "按问题、回答、商品或提问人搜索"
    # 待回答 comes first; the codes of the states are in this order.
    ordering = ("-state", "-pk")
    actions = OWNER_ACTIONS
    service_key = "question_id"
    acts = (
        DocumentAct(
            path="answer",
            title="回答",
            icon="chat",
            service=question_answer,
            form=_build_answer_form,
            arguments=_answer_arguments,
        ),
        DocumentAct(
            path="hide",
            title="隐藏",
            icon="visibility_off",
            service=question_hide,
            form=use_plain_form(HideForm),
            is_destructive=True,
        ),
        DocumentAct(
            path="show",
            title="恢复展示",
            icon="visibility",
            service=question_show,
            form=use_plain_form(forms.Form),
        ),
    )
    readonly_fields = ("product_page", "visibility", "history")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("product_page", "state"),
                    ("asker", "group"),
                    ("asked_at", "visibility"),
                    "hidden_reason",
                )
            },
        ),
        ("问答", {"fields": ("text", "answer", "answered_at")}),
        ("记录", {"fields": ("history",)}),
    )

    @admin.display(description="问题")
    def short_text(self, question: ProductQuestion) -> str:
        return str(question)

    @display(description="状态", ordering="state", label=COLOURS)
    def state_text(self, question: ProductQuestion) -> tuple[str, str]:
        return question.state, question.get_state_display()

    @admin.display(description="可见范围")
    def visibility(self, question: ProductQuestion) -> str:
        is_limited = question.is_private or not question.is_for_everybody
        return "仅本集团" if is_limited else "所有客户（不显示提问人）"

    @admin.display(description="已等待")
    def waiting(self, question: ProductQuestion) -> str:
        return format_elapsed(question.asked_at) if question.state == S.WAITING else "—"

    @admin.display(description="商品")
    def product_page(self, question: ProductQuestion) -> SafeString:
        page = reverse("admin:catalog_product_change", args=[question.product_id])
        return format_html('<a href="{}">{}</a>', page, question.product)

    @admin.display(description="操作记录")
    def history(self, question: ProductQuestion) -> SafeString:
        return render_timeline(question)

    def list_allowed_acts(self, document: ProductQuestion) -> Collection[str]:
        return ALLOWED_IN[document.state]

    def list_act_documents(self) -> QuerySet[ProductQuestion]:
        rows: QuerySet[ProductQuestion] = ProductQuestion.objects.all()
        return rows.select_related("product", "asker", "group")

    def list_act_facts(self, document: ProductQuestion) -> list[tuple[str, object]]:
        return [
            ("商品", self.product_page(document)),
            ("提问人", f"{document.asker}（{document.group}）"),
            ("提问时间", format_moment(document.asked_at)),
            ("可见范围", self.visibility(document)),
            ("问题", document.text),
            ("回答", document.answer or "—"),
        ]


register_timeline_words(
    ProductQuestion, kinds=dict(QuestionEventKind.choices), states=dict(S.choices)
)


def build_questions_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of the questions without an answer, oldest first. None without
    the permission to answer.
    """
    if not request.user.has_perm("questions.change_productquestion"):
        return None
    page = owned_link(
        request, f"{reverse('admin:questions_productquestion_changelist')}?state__exact={S.WAITING}"
    )
    rows = filter_owned_rows(request, list_waiting_questions().select_related("group", "product"))
    waiting_rows = list_waiting(rows.order_by("asked_at"), since="asked_at", limit=ROWS)
    is_late = (
        isinstance(waiting_rows.oldest, datetime) and waiting_rows.oldest < timezone.now() - LATE
    )
    card = build_work_card(
        title="待回答提问",
        number=waiting_rows.number,
        icon="quiz",
        link=page,
        oldest=waiting_rows.oldest,
        is_late=is_late,
    )
    todos = [_build_question_todo(row) for row in waiting_rows.rows]
    return WorkPart(card, {"title": "待回答的商品提问", "rows": todos, "all": page}, is_owned=True)


def _build_question_todo(row: Any) -> Todo:
    return Todo(
        number=str(row),
        page=reverse("admin:questions_productquestion_change", args=[row.pk]),
        customer=row.group.name,
        amount=row.product.name,
        since=row.asked_at,
        verb="回答",
        act=reverse("admin:questions_productquestion_answer_one", args=[row.pk]),
        is_late=row.asked_at < timezone.now() - LATE,
        owner=row.owner_name or "",
    )


WORK_PARTS.add(build_questions_part)
