"""客户所见: what a customer sees of products and at which price, with the reasons; and his list as he sees it. Nothing is written."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib.admin.sites import AdminSite
from django.db.models.options import Options
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.catalog.models import AssortmentRule, CustomerAgreement
from apps.catalog.search.lexicon import lexicon_of
from apps.catalog.search.query import CatalogQuery
from apps.catalog.selectors.context import AssortmentScope, CatalogueContext, RuleSide, customer_context
from apps.catalog.selectors.named import products_like, products_named
from apps.catalog.selectors.price_explanation import MOST_EXPLAINED, prices_explained
from apps.catalog.selectors.product_list import product_list_of
from apps.common.admin.choosing import search_choice, search_choices_open
from apps.common.keys import key_of
from apps.org.models import Enterprise, Group

PAGE_SIZE = 50
NEAR = 5
# So many stand open; of more the reader opens those he asks about.
FEW = 3
SEPARATORS = re.compile(r"[\n\r,，;；、\t]+")


class CustomerForm(forms.Form):
    """An enterprise, or a group's people without one."""

    group = search_choice(CustomerAgreement, "group", label="集团", help_text="只选集团：看全集团协议")
    enterprise = search_choice(CustomerAgreement, "enterprise", label="企业", help_text="选了企业就不必选集团")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        search_choices_open(self)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        group: Group | None = values.get("group")
        enterprise: Enterprise | None = values.get("enterprise")
        if group is None and enterprise is None:
            self.add_error("enterprise", "请选择企业或集团")
        elif group is not None and enterprise is not None and enterprise.group_id != group.pk:
            self.add_error("enterprise", f"“{enterprise.name}”不属于{group.name}")
        return values

    def context(self) -> CatalogueContext:
        """Return the catalogue of the customer that was chosen; of a valid form."""
        enterprise: Enterprise | None = self.cleaned_data["enterprise"]
        group_id = enterprise.group_id if enterprise else self.cleaned_data["group"].pk
        return customer_context(group_id=group_id, enterprise_id=enterprise.pk if enterprise else None)

    def name(self) -> str:
        """Return what the customer is called."""
        return str((self.cleaned_data["enterprise"] or self.cleaned_data["group"]).name)

    def address(self) -> str:
        """Return the customer as a query."""
        enterprise = self.cleaned_data["enterprise"]
        return f"enterprise={enterprise.pk}" if enterprise else f"group={self.cleaned_data['group'].pk}"


class ExplainForm(CustomerForm):
    """The customer, and products by code or name."""

    words = forms.CharField(
        label="商品",
        max_length=12_000,
        help_text=f"商品编码、型号、名称或客户物料编码，每行一个或用逗号分隔，最多 {MOST_EXPLAINED} 个",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        error_messages={"required": "请填写商品编码或名称"},
    )

    def clean_words(self) -> list[str]:
        words = list(dict.fromkeys(word.strip() for word in SEPARATORS.split(self.cleaned_data["words"]) if word.strip()))
        if len(words) > MOST_EXPLAINED:
            raise forms.ValidationError(f"一次最多 {MOST_EXPLAINED} 个商品，现在有 {len(words)} 个")
        return words


class ListForm(CustomerForm):
    """The customer, and what narrows his list."""

    q = forms.CharField(label="关键词", required=False, max_length=120, widget=UnfoldAdminTextInputWidget)
    category = search_choice(AssortmentRule, "category", label="类目")


def _everything(context: CatalogueContext) -> CatalogueContext:
    """Return the whole catalogue: what is asked about may be just what the customer does not see."""
    return CatalogueContext(today=context.today, assortments=(AssortmentScope(0, RuleSide(everything=True), RuleSide()),))


def _meant(context: CatalogueContext, words: list[str]) -> tuple[list[int], list[str]]:
    """Return the products that the words name, or come near, and the words that mean none."""
    named = products_named(context=context, words=words)
    left = [word for word in words if word not in named]
    near = products_like(context=_everything(context), texts=left, lexicon=lexicon_of(context.agreements_token), limit=NEAR) if left else {}
    ids = [pk for word in words for pk in named.get(word, near.get(word, ()))]
    return list(dict.fromkeys(ids))[:MOST_EXPLAINED], [word for word in left if word not in near]


class CustomerViewMixin:
    """Gives the page of 客户协议 its two looks through the customer's eyes."""

    admin_site: AdminSite
    opts: Options[Any]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.seen_list)
        urls: list[URLPattern] = super().get_urls()  # type: ignore[misc]
        return [path("seen/list/", view, name="catalog_customeragreement_seen_list"), *urls]

    @action(description="客户所见", url_path="seen", icon="visibility", permissions=["view"])  # type: ignore[untyped-decorator]
    def seen(self, request: HttpRequest) -> HttpResponse:
        """Ask for a customer and products; explain what he sees of them."""
        asked = "words" in request.GET
        form = ExplainForm(
            request.GET if asked else None, initial={"group": request.GET.get("group"), "enterprise": request.GET.get("enterprise")}
        )
        shown: dict[str, Any] = {}
        if asked and form.is_valid():
            context = form.context()
            ids, unknown = _meant(context, form.cleaned_data["words"])
            shown = {
                "customer": form.name(),
                "explained": prices_explained(context=context, product_ids=ids),
                "unknown": unknown,
                "few": len(ids) <= FEW,
                "list_link": f"{reverse('admin:catalog_customeragreement_seen_list')}?{form.address()}",
            }
        return self._seen_page(request, "admin/catalog/seen.html", {"title": "客户所见", "form": form, **shown})

    def seen_list(self, request: HttpRequest) -> HttpResponse:
        """Show the customer's list page: the same products, order and prices as the mall shows him."""
        if not self.has_view_permission(request):  # type: ignore[attr-defined]
            return HttpResponse(status=403)
        form = ListForm(request.GET or None)
        shown: dict[str, Any] = {}
        if form.is_valid():
            number = max(key_of(request.GET.get("page", "1")), 1)
            category = form.cleaned_data["category"]
            query = CatalogQuery(keyword=form.cleaned_data["q"], page_index=min(number, 200), page_size=PAGE_SIZE, with_facets=False)
            found = product_list_of(context=form.context(), query=query, category_id=category.pk if category else None)
            narrowed = urlencode({"q": form.cleaned_data["q"], "category": category.pk if category else ""})
            base = f"{form.address()}&{narrowed}"
            total = found.page.total or 0
            shown = {"customer": form.name(), "address": form.address(), "found": found, "base": base, "number": query.page_index}
            shown["last"] = max(1, -(-total // PAGE_SIZE))
        return self._seen_page(request, "admin/catalog/seen_list.html", {"title": "以客户身份查看商品列表", "form": form, **shown})

    def _seen_page(self, request: HttpRequest, template: str, shown: dict[str, Any]) -> HttpResponse:
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **shown})
