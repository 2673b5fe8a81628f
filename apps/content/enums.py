"""The places of content, as tables for the selectors and the tests."""

from django.db import models


class Tone(models.TextChoices):
    """The colours of a banner without a picture."""

    BLUE = "blue", "蓝"
    GREEN = "green", "绿"


class Audience(models.TextChoices):
    """Who sees the row. The browser filters: all visitors receive the same content, and the
    page knows whether somebody is signed in.
    """

    EVERYONE = "", "所有人"
    VISITOR = "visitor", "未登录访客"
    MEMBER = "member", "已登录客户"


class BannerPlace(models.TextChoices):
    TOP = "top", "页面顶部横幅"
    HOME = "home", "首页轮播"


class PageKind(models.TextChoices):
    HELP = "help", "帮助"
    ABOUT = "about", "关于"


# The names of about pages in their URLs, in order.
ABOUT_PAGES: tuple[str, ...] = ("BizCustom", "kpinfo")


class LinkPlace(models.TextChoices):
    """The groups of the site navigation, single links, and the columns of the footer."""

    THIRD_PARTY = "nav_third_party", "网站导航 · 第三方平台"
    PERSONAL = "nav_personal", "网站导航 · 个人与企业"
    WHOLESALE = "nav_wholesale", "网站导航 · 批发市场"
    GROUP_SITES = "nav_group", "网站导航 · 集团网站"
    GROUP_SITE = "header_group", "顶部 · 集团官网"
    ENGLISH_SITE = "header_english", "顶部 · 英文站"
    INDUSTRIAL = "menu_industrial", "分类菜单 · 工业品商城"
    SERVICE = "side_service", "侧栏 · 在线客服"
    FOOTER_BUY = "footer_buy", "页脚 · 采购"
    FOOTER_ORDER = "footer_order", "页脚 · 订单与审批"
    FOOTER_HELP = "footer_help", "页脚 · 帮助中心"
    FOOTER_SERVICE = "footer_service", "页脚 · 服务保障"
    FOOTER_ABOUT = "footer_about", "页脚 · 关于我们"


NAVIGATION: tuple[tuple[LinkPlace, str], ...] = (
    (LinkPlace.THIRD_PARTY, "第三方平台"),
    (LinkPlace.PERSONAL, "个人与企业"),
    (LinkPlace.WHOLESALE, "批发市场"),
    (LinkPlace.GROUP_SITES, "集团网站"),
)
FOOTER_COLUMNS: tuple[tuple[LinkPlace, str], ...] = (
    (LinkPlace.FOOTER_BUY, "采购"),
    (LinkPlace.FOOTER_ORDER, "订单与审批"),
    (LinkPlace.FOOTER_HELP, "帮助中心"),
    (LinkPlace.FOOTER_SERVICE, "服务保障"),
    (LinkPlace.FOOTER_ABOUT, "关于我们"),
)
# {JSON key: the place of its single link}
SINGLE_LINKS: dict[str, LinkPlace] = {
    "GroupSite": LinkPlace.GROUP_SITE,
    "EnglishSite": LinkPlace.ENGLISH_SITE,
    "IndustrialGoods": LinkPlace.INDUSTRIAL,
    "CustomerService": LinkPlace.SERVICE,
}
