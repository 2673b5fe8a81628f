"""搜索词 and 热词 in the back office: synonyms, units, ignored words; pinned and hidden keywords. A
change takes effect in the next request.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm, ValidationError
from django.http import HttpRequest
from django.utils import timezone

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.indexing.text import normalise
from apps.search.models import HotKeyword, SearchSynonym
from apps.search.services.importers import clean_hot_keyword


class SearchSynonymForm(ModelForm[SearchSynonym]):
    """Normalises the word as the search does, so that it cannot exist twice."""

    def clean_word(self) -> str:
        return normalise(self.cleaned_data["word"])


@admin.register(SearchSynonym)
class SearchSynonymAdmin(ImportExportMixin, CatalogueAdmin):
    form = SearchSynonymForm
    import_kinds = ("search_words",)
    list_display = ("word", "kind", "others", "factor", "is_active")
    list_filter = ("kind", "is_active")
    search_fields = ("word", "others")
    search_help_text = "按词或对应词搜索"


auditlog.register(SearchSynonym)


class HotKeywordForm(ModelForm[HotKeyword]):
    """Detects a duplicate keyword by its normalised form."""

    def clean_keyword(self) -> str:
        try:
            keyword = clean_hot_keyword(self.cleaned_data["keyword"])
        except ValueError as error:
            raise ValidationError(str(error)) from None
        key = normalise(keyword)
        if HotKeyword.objects.filter(key=key).exclude(pk=self.instance.pk).exists():
            raise ValidationError("已有这个热词，请修改原有的一行")
        self.instance.key = key
        return keyword


class InForceFilter(admin.SimpleListFilter):
    title = "当前"
    parameter_name = "now"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "生效中"), ("no", "未生效")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[HotKeyword]
    ) -> QuerySet[HotKeyword]:
        in_force = HotKeyword.objects.in_force().values("pk")
        match self.value():
            case "yes":
                return queryset.filter(pk__in=in_force)
            case "no":
                return queryset.exclude(pk__in=in_force)
            case _:
                return queryset


@admin.register(HotKeyword)
class HotKeywordAdmin(ImportExportMixin, CatalogueAdmin):
    form = HotKeywordForm
    import_kinds = ("hot_keywords",)
    import_manner = (
        "已有的热词（不分大小写、全半角）更新，其余为新增；文件中没有的热词和列保持不变。"
    )
    import_key = "热词"
    list_display = ("keyword", "kind", "position", "valid_from", "valid_to", "is_active", "state")
    list_filter = (InForceFilter, "kind", "is_active")
    fields = (("keyword", "kind"), "position", "valid_from", "valid_to", "is_active")
    search_fields = ("keyword", "key")
    search_help_text = "按热词搜索"

    @admin.display(description="当前")
    def state(self, row: HotKeyword) -> str:
        """Return the row's current state."""
        now = timezone.now()
        if not row.is_active:
            return "已停用"
        if row.valid_to is not None and row.valid_to <= now:
            return "已结束"
        return "未开始" if row.valid_from is not None and row.valid_from > now else "生效中"


auditlog.register(HotKeyword)
