"""The page 频次限制: clients that a rate limit blocks. Its only action releases a block."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.common.days import format_moment
from apps.common.limits.blocks import LIMITS
from apps.common.models import RateBlock
from apps.common.numbers import parse_key
from apps.common.requests import build_client_key
from apps.common.services.block_release import block_release
from apps.office.acts import Act, ActPageMixin
from apps.office.lists import ReadOnlyAdmin, build_value_filter
from apps.office.pages import action

NOW, RELEASED, OVER, ALL = "now", "released", "over", "all"
STATES = ((NOW, "限制中"), (RELEASED, "已解除"), (OVER, "已到期"), (ALL, "全部"))
NOTICE = "解除后该对象立即恢复访问，计数从零开始；再次超过限制仍会受限。本次操作记入操作日志。"


class StateFilter(admin.SimpleListFilter):
    """Filters by state; the default is the blocks in force."""

    title = "状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return STATES

    def value(self) -> str:
        """Return the chosen state; an unknown one means the default."""
        state = super().value()
        return state if state in dict(STATES) else NOW

    def choices(self, changelist: ChangeList) -> Any:
        for state, text in STATES:
            link = changelist.get_query_string({self.parameter_name: state})
            yield {"selected": self.value() == state, "query_string": link, "display": text}

    def queryset(self, request: HttpRequest, queryset: QuerySet[RateBlock]) -> QuerySet[RateBlock]:
        """Return the blocks in the chosen state: active, released, ended or all."""
        now = timezone.now()
        conditions = {
            NOW: Q(until__gt=now, released_at__isnull=True),
            RELEASED: Q(released_at__isnull=False),
            OVER: Q(until__lte=now, released_at__isnull=True),
            ALL: Q(),
        }
        return queryset.filter(conditions[self.value()])


class ReleaseForm(forms.Form):
    reason = forms.CharField(
        label="原因",
        max_length=100,
        help_text="例如：客户办公室多人共用一个出口地址",
        error_messages={"required": "请填写原因"},
        widget=UnfoldAdminTextInputWidget(),
    )


@admin.register(RateBlock)
class RateBlockAdmin(ActPageMixin, ReadOnlyAdmin):
    """Clients that a rate limit blocks, read-only. The only action releases a block in all
    processes.
    """

    list_display = ("whom", "limit", "began_at", "until", "times", "state", "released_by")
    list_filter = (
        StateFilter,
        build_value_filter(
            "rule", "限制项目", [(name, limit.title) for name, limit in LIMITS.items()]
        ),
    )
    list_select_related = ("account", "released_by")
    search_fields = ("=client", "account__username", "account__nickname")
    search_help_text = "按 IP 地址、账号或昵称搜索"
    fields = (
        "whom",
        "limit",
        ("began_at", "until"),
        "times",
        "state",
        ("released_at", "released_by"),
    )
    readonly_fields = ("whom", "limit", "state")
    actions_detail = ("release",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RateBlock]:
        rows: QuerySet[RateBlock] = (
            super().get_queryset(request).select_related("account", "released_by")
        )
        return rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[RateBlock], search_term: str
    ) -> Any:
        """Search by account or address. An IPv6 address finds the block of its /64."""
        try:
            term = build_client_key(str(ip_address(search_term.strip())))
        except ValueError:
            term = search_term
        return super().get_search_results(request, queryset, term)

    def has_release_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may release blocks. The service checks the state."""
        return self._may(request, "release")

    @action(description="解除限制", url_path="release", icon="lock_open", permissions=["release"])
    def release(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for a reason, then release the block."""
        block = get_object_or_404(self.get_queryset(request), pk=parse_key(object_id))

        def service(filled: dict[str, Any]) -> None:
            block_release(staff=request.user, block_id=block.pk, reason=filled["reason"])

        facts: list[tuple[str, object]] = [
            ("限制项目", self.limit(block)),
            ("状态", self.state(block)),
        ]
        facts += [
            ("开始时间", format_moment(block.began_at, has_seconds=True)),
            ("到期时间", format_moment(block.until, has_seconds=True)),
            ("累计次数", f"{block.times} 次"),
        ]
        page = reverse("admin:common_rateblock_change", args=[block.pk])
        return self.show_act_page(
            request,
            Act(
                "解除限制", self.whom(block), page, ReleaseForm(request.POST or None), facts, NOTICE
            ),
            service,
        )

    @admin.display(description="受限对象", ordering="client")
    def whom(self, block: RateBlock) -> str:
        """Return the account, or the address."""
        return (
            str(block.account)
            if block.account
            else f"{block.client}/64"
            if ":" in block.client
            else block.client
        )

    @admin.display(description="限制项目", ordering="rule")
    def limit(self, block: RateBlock) -> str:
        """Return the Chinese title of the limit."""
        return LIMITS[block.rule].title if block.rule in LIMITS else block.rule

    @admin.display(description="状态")
    def state(self, block: RateBlock) -> str:
        """Return the state in words."""
        if block.released_at:
            return "已解除" if block.released_by else "已解除（通过安全验证）"
        return "限制中" if block.until > timezone.now() else "已到期"
