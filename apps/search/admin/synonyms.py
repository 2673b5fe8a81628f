"""搜索词 in the back office: synonyms, units and ignored words. A change takes effect in the next
search.
"""

from __future__ import annotations

from auditlog.registry import auditlog
from django.contrib import admin
from django.forms import ModelForm

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.indexing.text import normalise
from apps.search.models import SearchSynonym


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
