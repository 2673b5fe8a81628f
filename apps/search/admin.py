"""Back office: the search words and hot words, and two read-only pages that show which products
a customer sees, at which price and why.
"""

from __future__ import annotations

import re
from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm, ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import urlencode
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.indexing.text import normalise
from apps.common.numbers import parse_key
from apps.office.choices import open_search_choices, search_choice
from apps.office.pages import action
from apps.org.models import Enterprise, Group
from apps.pricing.admin.agreements import CustomerAgreementAdmin
from apps.pricing.models import AssortmentRule, CustomerAgreement
from apps.pricing.selectors.context import (
    AssortmentScope,
    CatalogueContext,
    RuleSide,
    get_customer_context,
)
from apps.pricing.selectors.price_explanation import MAX_EXPLAINED, explain_prices
from apps.search.keyword import get_lexicon
from apps.search.models import HotKeyword, SearchSynonym
from apps.search.query import CatalogQuery
from apps.search.selectors.named import find_products_by_name, find_products_like
from apps.search.selectors.product_list import list_products_in_context
from apps.search.services.importers import clean_hot_keyword

PAGE_SIZE = 50
MAX_EXAMPLES = 5
# Up to this number of products, all explanations are expanded.
FEW = 3
SEPARATORS = re.compile(r"[\n\r,，;；、\t]+")


class CustomerForm(forms.Form):
    """Selects a customer: an enterprise, or a group. A group alone means its accounts without
    an enterprise.
    """

    group = search_choice(
        CustomerAgreement, "group", label="集团", help_text="只选集团：看全集团协议"
    )
    enterprise = search_choice(
        CustomerAgreement, "enterprise", label="企业", help_text="选了企业就不必选集团"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_search_choices(self)

    def clean(self) -> dict[str, Any]:
        """Check that a customer is chosen, and that the enterprise belongs to the group."""
        values: dict[str, Any] = super().clean() or {}
        group: Group | None = values.get("group")
        enterprise: Enterprise | None = values.get("enterprise")
        if group is None and enterprise is None:
            self.add_error("enterprise", "请选择企业或集团")
        elif group is not None and enterprise is not None and enterprise.group_id != group.pk:
            self.add_error("enterprise", f"“{enterprise.name}”不属于{group.name}")
        return values

    def get_catalogue_context(self) -> CatalogueContext:
        """Return the catalogue of the selected customer. Call it on a valid form only."""
        enterprise: Enterprise | None = self.cleaned_data["enterprise"]
        group_id = enterprise.group_id if enterprise else self.cleaned_data["group"].pk
        return get_customer_context(
            group_id=group_id, enterprise_id=enterprise.pk if enterprise else None
        )

    def name(self) -> str:
        """Return the customer's name."""
        return str((self.cleaned_data["enterprise"] or self.cleaned_data["group"]).name)

    def build_query_string(self) -> str:
        """Return the customer as the query string of the page's URL."""
        enterprise = self.cleaned_data["enterprise"]
        return (
            f"enterprise={enterprise.pk}"
            if enterprise
            else f"group={self.cleaned_data['group'].pk}"
        )


class ExplainForm(CustomerForm):
    """Selects a customer, and products by code or name."""

    words = forms.CharField(
        label="商品",
        max_length=12_000,
        help_text=(
            f"商品编码、型号、名称或客户物料编码，每行一个或用逗号分隔，最多 {MAX_EXPLAINED} 个"
        ),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        error_messages={"required": "请填写商品编码或名称"},
    )

    def clean_words(self) -> list[str]:
        """Return the typed words, one per product to explain. Raises ValidationError above
        MAX_EXPLAINED.
        """
        words = list(
            dict.fromkeys(
                word.strip()
                for word in SEPARATORS.split(self.cleaned_data["words"])
                if word.strip()
            )
        )
        if len(words) > MAX_EXPLAINED:
            raise forms.ValidationError(f"一次最多 {MAX_EXPLAINED} 个商品，现在有 {len(words)} 个")
        return words


class ListForm(CustomerForm):
    """Selects a customer, and filters the product list."""

    q = forms.CharField(
        label="关键词", required=False, max_length=120, widget=UnfoldAdminTextInputWidget
    )
    category = search_choice(AssortmentRule, "category", label="类目")


def _build_unrestricted_context(context: CatalogueContext) -> CatalogueContext:
    """Return a context of the whole catalogue, because staff also look up products that the
    customer cannot see.
    """
    return CatalogueContext(
        today=context.today,
        assortments=(AssortmentScope(0, RuleSide(everything=True), RuleSide()),),
    )


def _find_products(context: CatalogueContext, words: list[str]) -> tuple[list[int], list[str]]:
    """Return the ids of the products that the words name or nearly name, and the words without
    any product.
    """
    ids_by_word = find_products_by_name(context=context, words=words)
    other_words = [word for word in words if word not in ids_by_word]
    similar_ids = (
        find_products_like(
            context=_build_unrestricted_context(context),
            texts=other_words,
            lexicon=get_lexicon(context.agreements_token),
            limit=MAX_EXAMPLES,
        )
        if other_words
        else {}
    )
    ids = [pk for word in words for pk in ids_by_word.get(word, similar_ids.get(word, ()))]
    return list(dict.fromkeys(ids))[:MAX_EXPLAINED], [
        word for word in other_words if word not in similar_ids
    ]


admin.site.unregister(CustomerAgreement)


@admin.register(CustomerAgreement)
class SeenCustomerAgreementAdmin(CustomerAgreementAdmin):
    """Adds two pages to 客户协议 that show the catalogue as the customer sees it."""

    actions_list = ("seen", "import_sheet", "export_sheet")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.seen_list)
        urls: list[URLPattern] = super().get_urls()
        return [path("seen/list/", view, name="pricing_customeragreement_seen_list"), *urls]

    @action(description="客户所见", url_path="seen", icon="visibility", permissions=["view"])
    def seen(self, request: HttpRequest) -> HttpResponse:
        """Explain visibility and prices of some products for a customer."""
        is_submitted = "words" in request.GET
        form = ExplainForm(
            request.GET if is_submitted else None,
            initial={
                "group": request.GET.get("group"),
                "enterprise": request.GET.get("enterprise"),
            },
        )
        results: dict[str, Any] = {}
        if is_submitted and form.is_valid():
            context = form.get_catalogue_context()
            ids, unknown = _find_products(context, form.cleaned_data["words"])
            results = {
                "customer": form.name(),
                "explained": explain_prices(context=context, product_ids=ids),
                "unknown": unknown,
                "few": len(ids) <= FEW,
                "list_link": (
                    f"{reverse('admin:pricing_customeragreement_seen_list')}?{form.build_query_string()}"
                ),
            }
        return self._seen_page(
            request, "admin/search/seen.html", {"title": "客户所见", "form": form, **results}
        )

    def seen_list(self, request: HttpRequest) -> HttpResponse:
        """Show the customer's product list with the same products, order and prices as in the
        mall.
        """
        if not self.has_view_permission(request):
            return HttpResponse(status=403)
        form = ListForm(request.GET or None)
        listing: dict[str, Any] = {}
        if form.is_valid():
            number = max(parse_key(request.GET.get("page", "1")), 1)
            category = form.cleaned_data["category"]
            query = CatalogQuery(
                keyword=form.cleaned_data["q"],
                page_index=min(number, 200),
                page_size=PAGE_SIZE,
                with_facets=False,
            )
            page_of_products = list_products_in_context(
                context=form.get_catalogue_context(),
                query=query,
                category_id=category.pk if category else None,
            )
            narrowed = urlencode(
                {"q": form.cleaned_data["q"], "category": category.pk if category else ""}
            )
            base = f"{form.build_query_string()}&{narrowed}"
            total = page_of_products.page.total or 0
            listing = {
                "customer": form.name(),
                "address": form.build_query_string(),
                "found": page_of_products,
                "base": base,
                "number": query.page_index,
            }
            listing["last"] = max(1, -(-total // PAGE_SIZE))
        return self._seen_page(
            request,
            "admin/search/seen_list.html",
            {"title": "以客户身份查看商品列表", "form": form, **listing},
        )

    def _seen_page(
        self, request: HttpRequest, template: str, context: dict[str, Any]
    ) -> HttpResponse:
        return TemplateResponse(
            request,
            template,
            {**self.admin_site.each_context(request), "opts": self.opts, **context},
        )


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
        """Return the cleaned keyword and set its key. Raises ValidationError if it exists
        already.
        """
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
        """Return the hot words in force, those not in force, or all."""
        in_force = HotKeyword.objects.filter_in_force().values("pk")
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
        """Return whether the hot word is disabled, over, not begun or in force."""
        now = timezone.now()
        if not row.is_active:
            return "已停用"
        if row.valid_to is not None and row.valid_to <= now:
            return "已结束"
        return "未开始" if row.valid_from is not None and row.valid_from > now else "生效中"


auditlog.register(HotKeyword)
