"""待复核 in the back office: the list of proposals, release, reject and withdraw, and the waiting
ones on the first page.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.days import format_moment
from apps.common.queries import list_waiting
from apps.dual_control.controlled import get_act_title, list_acts
from apps.dual_control.enums import ProposalEventKind, ProposalState
from apps.dual_control.models import Proposal
from apps.dual_control.selectors.proposals import (
    list_releasable_proposals,
    list_visible_proposals,
)
from apps.dual_control.services.proposals import (
    explain_refused_decision,
    format_amount,
    proposal_reject,
    proposal_release,
    proposal_withdraw,
)
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import EMPTY_TEXT, build_money_column, format_elapsed
from apps.office.dossier import DossierMixin, Fact, register_timeline_words
from apps.office.first_page import ROWS, WORK_PARTS, Todo, WorkPart, build_work_card
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import display, get_request_staff

S = ProposalState
STATE_COLOURS = {
    S.PROPOSED: "warning",
    S.RELEASED: "success",
    S.REJECTED: "danger",
    S.WITHDRAWN: "info",
    S.EXPIRED: "info",
}
LATE = timedelta(days=1)
AMOUNT = build_money_column("amount", "金额")


class RejectForm(forms.Form):
    reason = forms.CharField(
        label="驳回原因（提出人可见）",
        max_length=300,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


PROPOSAL_ACTS = (
    DocumentAct(
        path="release",
        title="复核放行",
        icon="how_to_reg",
        service=proposal_release,
        form=use_plain_form(forms.Form),
        is_destructive=True,
        notice=lambda proposal: (
            f"放行后立即以{proposal.proposer}的名义执行，日志同时记录您的姓名。"
        ),
    ),
    DocumentAct(
        path="reject",
        title="驳回",
        icon="cancel",
        service=proposal_reject,
        form=use_plain_form(RejectForm),
    ),
    DocumentAct(
        path="withdraw",
        title="撤回",
        icon="undo",
        service=proposal_withdraw,
        form=use_plain_form(forms.Form),
    ),
)


class KindFilter(admin.SimpleListFilter):
    title = "操作"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(act.kind, act.title) for act in list_acts()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> QuerySet[Proposal]:
        known_kinds = {act.kind for act in list_acts()}
        return queryset.filter(kind=self.value()) if self.value() in known_kinds else queryset


class WhoseFilter(admin.SimpleListFilter):
    """The same rows as the card on the first page, or the person's own proposals."""

    title = "谁处理"
    parameter_name = "whose"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("release", "待我复核"), ("mine", "我提出的")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> QuerySet[Proposal]:
        if self.value() == "release":
            releasable = list_releasable_proposals(person=get_request_staff(request))
            return queryset.none() if releasable is None else queryset & releasable
        return (
            queryset.filter(proposer=get_request_staff(request))
            if self.value() == "mine"
            else queryset
        )


@admin.register(Proposal)
class ProposalAdmin(DossierMixin, DocumentActsMixin, ReadOnlyAdmin):
    """Proposals of staff that wait for a second person. Another person releases or rejects; the
    proposer can only withdraw.
    """

    list_display = (
        "subject_text",
        "act",
        "content",
        AMOUNT,
        "proposer",
        "waiting",
        "state_text",
        "decider",
    )
    list_display_links = ("subject_text",)
    list_select_related = ("proposer", "decider")
    list_filter = (
        WhoseFilter,
        "state",
        KindFilter,
        ("proposer", AutocompleteSelectFilter),
        ("proposed_at", RangeDateTimeFilter),
    )
    search_fields = ("subject_text", "proposer__username", "proposer__nickname")
    search_help_text = "按对象或提出人搜索"
    ordering = ("-pk",)
    fieldsets = (
        (
            "复核单",
            {
                "fields": (
                    ("subject_text", AMOUNT),
                    ("proposer", "proposed_at"),
                    ("decider", "decided_at"),
                    ("state", "reason"),
                ),
                "classes": ("collapse",),
            },
        ),
    )
    readonly_fields = (AMOUNT,)
    empty_value_display = EMPTY_TEXT
    acts = PROPOSAL_ACTS
    service_key = "proposal_id"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proposal]:
        """Return the proposals whose act the person may do, and his own."""
        rows: QuerySet[Proposal] = super().get_queryset(request)
        return rows & list_visible_proposals(person=get_request_staff(request))

    def build_dossier(self, row: Proposal) -> list[Fact]:
        """Show the facts of the first screen."""
        facts = [
            Fact("状态", row.get_state_display(), tag=STATE_COLOURS[S(row.state)]),
            Fact("操作", get_act_title(row.kind)),
            Fact("对象", _subject_link(row)),
            Fact("金额", format_amount(row.amount)),
            Fact("提出人", row.proposer, format_moment(row.proposed_at)),
            Fact("有效期至", format_moment(row.expires_at)),
        ]
        if row.decided_at:
            facts.append(Fact("处理人", row.decider or "系统", format_moment(row.decided_at)))
        facts += [Fact(name, value, is_wide=True) for name, value in row.facts]
        return [*facts, Fact("处理说明", row.reason, is_wide=True)] if row.reason else facts

    @admin.display(description="操作", ordering="kind")
    def act(self, proposal: Proposal) -> str:
        return get_act_title(proposal.kind)

    @admin.display(description="内容")
    def content(self, proposal: Proposal) -> SafeString:
        """Return the first two facts, which name what changes."""
        return format_html_join("", "<div>{}：{}</div>", proposal.facts[:2])

    @display(description="状态", ordering="state", label=STATE_COLOURS)
    def state_text(self, proposal: Proposal) -> tuple[str, str]:
        return proposal.state, proposal.get_state_display()

    @admin.display(description="已等待", ordering="proposed_at")
    def waiting(self, proposal: Proposal) -> str:
        """Return the time since the proposal while it is open."""
        return format_elapsed(proposal.proposed_at) if proposal.state == S.PROPOSED else "—"

    def list_act_documents(self) -> QuerySet[Proposal]:
        return Proposal.objects.select_related("proposer", "decider")

    def list_allowed_acts(self, document: Proposal) -> tuple[str, ...]:
        return ("release", "reject", "withdraw") if document.state == S.PROPOSED else ()

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the withdrawal to the proposer, and the decision to those who may release it."""
        buttons = super().get_actions_detail(request, object_id)
        proposal = self.get_object(request, str(object_id))
        if proposal is None:
            return []
        person = get_request_staff(request)
        return [
            button
            for button in buttons
            if not explain_refused_decision(actor=person, proposal=proposal, decision=button.path)
        ]

    def explain_refusal(self, request: HttpRequest, document: Proposal, act: DocumentAct) -> str:
        return explain_refused_decision(
            actor=get_request_staff(request), proposal=document, decision=act.path
        )

    def list_act_facts(self, document: Proposal) -> list[tuple[str, object]]:
        return [
            ("操作", get_act_title(document.kind)),
            ("金额", format_amount(document.amount)),
            ("提出人", f"{document.proposer}，{format_moment(document.proposed_at)}"),
            *((name, value) for name, value in document.facts),
        ]


def _subject_link(proposal: Proposal) -> SafeString | str:
    app_label, _dot, model = proposal.subject_type.partition(".")
    try:
        page = reverse(f"admin:{app_label}_{model}_change", args=[proposal.subject_id])
    except NoReverseMatch:
        return proposal.subject_text
    return format_html('<a href="{}">{}</a>', page, proposal.subject_text)


register_timeline_words(Proposal, kinds=dict(ProposalEventKind.choices), states=dict(S.choices))


def build_proposals_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of proposals that the person may release, the longest waiting
    first. None if he may release nothing.
    """
    if not request.user.has_perm("dual_control.change_proposal"):
        return None
    rows = list_releasable_proposals(person=get_request_staff(request))
    if rows is None:
        return None
    waiting_proposals = list_waiting(
        rows.select_related("proposer").order_by("proposed_at"), since="proposed_at", limit=ROWS
    )
    page = reverse("admin:dual_control_proposal_changelist") + "?whose=release"
    late_before = timezone.now() - LATE
    card = build_work_card(
        title="待复核",
        number=waiting_proposals.number,
        icon="how_to_reg",
        link=page,
        oldest=waiting_proposals.oldest,
        is_late=waiting_proposals.oldest is not None and waiting_proposals.oldest < late_before,
    )
    todos = [
        Todo(
            number=f"{get_act_title(row.kind)} {row.subject_text}",
            page=reverse("admin:dual_control_proposal_change", args=[row.pk]),
            customer=f"{row.proposer} 提出",
            amount=format_amount(row.amount),
            since=row.proposed_at,
            verb="复核",
            act=reverse("admin:dual_control_proposal_release_one", args=[row.pk]),
            is_late=row.proposed_at < late_before,
        )
        for row in waiting_proposals.rows
    ]
    return WorkPart(card, {"title": "待我复核的操作", "rows": todos, "all": page})


WORK_PARTS.add(build_proposals_part)
