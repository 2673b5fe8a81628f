"""The demo's content. Every name, number and address is made up and looks it: hosts end in .example, numbers are zeros."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps.content.enums import BannerPlace, LinkPlace, Tone
from apps.content.models import Banner, SiteLink, SiteSetting

PICTURES = Path(settings.BASE_DIR) / "demo" / "content"
LICENCES = (
    "ICP 备案：示例ICP备00000000号",
    "增值电信业务经营许可证：示例B2-00000000",
    "公安备案：示例公网安备00000000000000号",
    "出版物经营许可证：示例新出发字第00000000号",
    "食品经营许可证：JY00000000000000（示例）",
)
BUSINESS_LICENCE = (
    "名称：文采示例办公用品有限公司",
    "统一社会信用代码：000000000000000000",
    "类型：有限责任公司（演示）",
    "法定代表人：示例人",
    "注册资本：示例",
    "住所：示例省示例市示例路 0 号",
    "经营范围：办公用品、办公设备、劳保用品的销售（演示内容）",
    "本执照为演示内容，主体与号码均为虚构，不具有任何效力。",
)
# title, text, tone, link
SLIDES: tuple[tuple[str, str, Tone, str], ...] = (
    ("企业办公，一站配齐", "文具、耗材、家具、电器，协议价直达您的企业目录", Tone.BLUE, "/product/index"),
    ("审批与预算，下单前就看清", "谁来批、为什么批、预算还剩多少，结算页一页说明白", Tone.GREEN, "/product/index?Sort=sales"),
    ("新品上架，先看样再下单", "打印耗材与会议设备本季新品，工作日 24 小时内发货", Tone.BLUE, "/product/index?Sort=new"),
)
# place → (name, address) in their order
LINKS: dict[LinkPlace, tuple[tuple[str, str], ...]] = {
    LinkPlace.THIRD_PARTY: (
        ("政府采购网上商城", "https://zfcg.wencai.example/"),
        ("央企采购平台", "https://yangqi.wencai.example/"),
        ("高校采购平台", "https://gaoxiao.wencai.example/"),
    ),
    LinkPlace.PERSONAL: (
        ("个人商城", "https://geren.wencai.example/"),
        ("企业集采商城", "/product/index"),
        ("礼品福利商城", "https://fuli.wencai.example/"),
    ),
    LinkPlace.WHOLESALE: (("经销商批发", "https://pifa.wencai.example/"), ("门店加盟", "https://jiameng.wencai.example/")),
    LinkPlace.GROUP_SITES: (
        ("文采集团", "https://www.wencai.example/"),
        ("文采科技", "https://keji.wencai.example/"),
        ("文采公益", "https://gongyi.wencai.example/"),
    ),
    LinkPlace.GROUP_SITE: (("集团官网", "https://www.wencai.example/"),),
    LinkPlace.ENGLISH_SITE: (("English", "https://en.wencai.example/"),),
    LinkPlace.INDUSTRIAL: (("工业品商城", "https://gongye.wencai.example/"),),
    LinkPlace.SERVICE: (("在线客服", "https://kefu.wencai.example/"),),
    LinkPlace.FOOTER_BUY: (("全部商品", "/product/index"), ("热销商品", "/product/index?Sort=sales"), ("购物车", "/shop/cart")),
    LinkPlace.FOOTER_ORDER: (
        ("我的工作台", "/userCenter/index"),
        ("我的订单", "/userCenter/order/index"),
        ("订单审批", "/userCenter/order/approval"),
    ),
}


@transaction.atomic
def content_seed() -> str:
    """Fill empty content with the demo's, and return what was written, in Chinese; content that is there is left alone."""
    if SiteSetting.objects.exists() or Banner.objects.exists() or SiteLink.objects.exists():
        return "已有内容，未改动"
    SiteSetting.objects.create(
        pk=SiteSetting.ONLY,
        brand_name=settings.MALL_NAME,
        slogan="企业办公用品一站式采购",
        copyright_line=f"© {timezone.localdate().year} {settings.MALL_NAME}（演示站点）",
        licences="\n".join(LICENCES),
        business_licence="\n".join(BUSINESS_LICENCE),
        service_hours="工作日 9:00-18:00",
        service_phone="400-000-0000",
        qr_android=_picture("qr-android.png"),
        qr_official=_picture("qr-official.png"),
        qr_mini_program=_picture("qr-mini-program.png"),
    )
    banners = _banners()
    links = SiteLink.objects.bulk_create(
        SiteLink(place=place, name=name, url=url, position=position)
        for place, rows in LINKS.items()
        for position, (name, url) in enumerate(rows)
    )
    return f"{banners} 条横幅，{len(links)} 个链接"


def _banners() -> int:
    Banner.objects.create(
        place=BannerPlace.TOP,
        title="演示站点",
        text="演示站点：商品、价格与企业均为虚构，可放心试用下单、审批与收货",
        link="/product/index",
        valid_to=timezone.now() + timedelta(days=3650),
    )
    slides = [
        Banner(place=BannerPlace.HOME, title=title, text=text, tone=tone, link=link, position=position)
        for position, (title, text, tone, link) in enumerate(SLIDES)
    ]
    return 1 + len(Banner.objects.bulk_create(slides))


def _picture(name: str) -> str:
    path = f"content/{name}"
    if not default_storage.exists(path):
        default_storage.save(path, ContentFile((PICTURES / name).read_bytes()))
    return path
