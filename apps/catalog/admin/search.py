"""搜索词 in the back office: what a keyword means besides itself; a change holds in the next search."""

from __future__ import annotations

from auditlog.registry import auditlog
from django.contrib import admin
from django.forms import ModelForm

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.models import SearchSynonym
from apps.catalog.search.text import normalised


class SearchSynonymForm(ModelForm):  # type: ignore[type-arg]
    """Takes the word as the search compares it, so that it cannot stand twice."""

    def clean_word(self) -> str:
        return normalised(self.cleaned_data["word"])


@admin.register(SearchSynonym)
class SearchSynonymAdmin(ImportExportMixin, CatalogueAdmin):
    form = SearchSynonymForm
    import_kinds = ("search_words",)
    list_display = ("word", "kind", "others", "factor", "is_active")
    list_filter = ("kind", "is_active")
    search_fields = ("word", "others")
    search_help_text = "按词或对应词搜索"


auditlog.register(SearchSynonym)
