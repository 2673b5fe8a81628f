"""价格说明: the page that explains how a price is found, with a link to every page of prices."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from apps.office.pages import PageBase


@dataclass(frozen=True, slots=True)
class PricePage:
    """A page of prices and what it is for. `model` is the model whose view right opens it. `view`
    is the admin view of that model.
    """

    title: str
    text: str
    model: str
    view: str = "changelist"

    @property
    def url(self) -> str:
        """The address of the page."""
        return reverse(f"admin:pricing_{self.model}_{self.view}")


# In the order in which a price is found, then what changes and watches prices.
STEPS: tuple[tuple[str, tuple[PricePage, ...]], ...] = (
    (
        "哪个客户用哪份协议",
        (
            PricePage(
                "客户协议",
                "把协议分给集团或其中一家企业；同一客户有多份协议时，优先级数字小的先用。",
                "customeragreement",
            ),
            PricePage(
                "协议",
                "一个商品范围加一份价目表，有起止日期；到期后客户不再按它购买。",
                "agreement",
            ),
            PricePage(
                "商品范围",
                "按类目、品牌或商品规定客户能看到什么。",
                "assortment",
            ),
            PricePage(
                "客户品名与物料号",
                "客户自己的品名和物料号，只影响显示和搜索，不影响价格。",
                "ownname",
            ),
        ),
    ),
    (
        "卖多少钱",
        (
            PricePage(
                "价目表",
                "一组协议价；询价专属价也是一份价目表，由报价维护。价目表里没有的商品按市场价。",
                "pricelist",
            ),
            PricePage(
                "价目",
                "价目表里一件商品的协议价，可按商品或价目表查。",
                "pricelistitem",
            ),
            PricePage(
                "批量调价",
                "按比例或金额一次调整一批价格，先预览再确认，可以撤销。",
                "pricebatch",
            ),
        ),
    ),
    (
        "价格监控",
        (
            PricePage(
                "价格预警",
                "高于市场价或变动过大的价格，要有人确认或改正。",
                "pricealarm",
            ),
            PricePage(
                "价格变动",
                "每次变动的前后价格、时间和经手人。",
                "pricemove",
            ),
            PricePage(
                "客户所见",
                "选一个客户和商品，看他看到的价格以及价格从哪里来。",
                "customeragreement",
                view="seen",
            ),
        ),
    ),
)


class PriceOverviewMixin(PageBase):
    """Adds the page 价格说明 below the list of price lists."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.price_overview)
        return [path("overview/", view, name="pricing_pricelist_overview"), *super().get_urls()]

    def price_overview(self, request: HttpRequest) -> HttpResponse:
        """Show the page with the links that the person may open."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        steps = [
            (
                title,
                [page for page in pages if _may_open(request, page)],
            )
            for title, pages in STEPS
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": "价格说明",
            "opts": self.opts,
            "steps": steps,
        }
        return TemplateResponse(request, "admin/pricing/overview.html", context)


def _may_open(request: HttpRequest, page: PricePage) -> bool:
    return bool(
        request.user.has_perm(f"pricing.view_{page.model}")
        or request.user.has_perm(f"pricing.change_{page.model}")
    )
