"""Write content, and the initial content: the help and about pages of every installation, from the
files in `pages/`, and the content of the demo. Each write changes the stamp, so that all processes
refresh their cache.

All names, numbers and addresses of the demo are visibly invented: hosts end in .example, numbers
are zeros.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.utils import timezone

from apps.common.files import IMAGES, file_take
from apps.common.files.images import request_picture_variants
from apps.common.files.intake import Upload
from apps.content.enums import ABOUT_PAGES, Audience, BannerPlace, LinkPlace, PageKind, Tone
from apps.content.models import (
    HELP_PAGES,
    Announcement,
    Banner,
    ContentPage,
    ContentStamp,
    Scheduled,
    SiteLink,
    SiteSetting,
)

if TYPE_CHECKING:
    from apps.org.models import Account

FOLDER = "content"
PICTURE_MB = 2
log = structlog.get_logger(__name__)


@transaction.atomic
def content_save(*, actor: Account | None, row: Scheduled | ContentPage) -> None:
    row.save()
    content_touch()
    log.info(
        "content_saved", kind=row._meta.model_name, key=row.pk, actor=actor.pk if actor else None
    )


@transaction.atomic
def content_delete(*, actor: Account | None, row: Scheduled | ContentPage) -> None:
    """Delete a row. Its picture stays, because an open page may still use it."""
    log.info(
        "content_deleted", kind=row._meta.model_name, key=row.pk, actor=actor.pk if actor else None
    )
    row.delete()
    content_touch()


def content_touch() -> None:
    """Change the stamp, so that all processes refresh their cache."""
    ContentStamp.objects.update_or_create(
        pk=ContentStamp.ONLY, defaults={"moved_at": timezone.now()}
    )


def content_picture_store(*, upload: Upload | IO[bytes]) -> str:
    """Store a public picture and return its path below MEDIA_URL. Its variants are created
    later.

    Raises:
        FileRefused: it is not a picture of at most 2 MB.
    """
    picture = file_take(
        upload,
        kinds=IMAGES,
        max_mb=PICTURE_MB,
        message="请上传图片文件",
        size_message=f"图片大小不能超过{PICTURE_MB}MB",
    )
    path = default_storage.save(
        f"{FOLDER}/{secrets.token_hex(8)}.{picture.extension}", ContentFile(picture.content)
    )
    request_picture_variants(paths=[path])
    return path


LICENCES = (
    "ICP 备案：示例ICP备12345号",
    "增值电信业务经营许可证：示例B2-12345",
    "公安备案：示例公网安备12345号",
    "出版物经营许可证：示例新出发字第12345号",
    "食品经营许可证：示例JY12345",
)
BUSINESS_LICENCE = (
    f"名称：{settings.INVOICE_SELLER['Name']}",
    f"统一社会信用代码：{settings.INVOICE_SELLER['TaxNumber']}",
    "类型：有限责任公司（演示）",
    "法定代表人：示例人",
    "注册资本：示例",
    f"住所：{settings.INVOICE_SELLER['Address']}",
    "经营范围：办公用品、办公设备、劳保用品的销售（演示内容）",
    "本执照为演示内容，主体与号码均为虚构，不具有任何效力。",
)
# title, text, tone, link
SLIDES: tuple[tuple[str, str, Tone, str], ...] = (
    (
        "企业办公，一站配齐",
        "文具、耗材、家具、电器，协议价直达您的企业目录",
        Tone.BLUE,
        "/product/index",
    ),
    (
        "审批与预算，下单前就看清",
        "谁来批、为什么批、预算还剩多少，结算页一页说明白",
        Tone.GREEN,
        "/product/index?Sort=sales",
    ),
    (
        "新品上架，先看样再下单",
        "打印耗材与会议设备本季新品，工作日 24 小时内发货",
        Tone.BLUE,
        "/product/index?Sort=new",
    ),
)
# title, text, days since it was published, pinned, audience
ANNOUNCEMENTS: tuple[tuple[str, str, int, bool, Audience], ...] = (
    (
        "年末订单截单与发货安排",
        "12 月 30 日 16:00 前确认的订单当年发出，之后的订单于次年首个工作日起按序发货。\n\n"
        "需要当年入账的订单，请预留审批时间，并在备注中注明。",
        1,
        True,
        Audience.EVERYONE,
    ),
    (
        "月结客户开票窗口提醒",
        (
            "本月账单将于月末最后一个工作日生成，请在次月 5 日前核对。对账无误后开具发票，"
            "电子发票发送至抬头登记的邮箱。"
        ),
        4,
        False,
        Audience.MEMBER,
    ),
    (
        "打印耗材、会议设备新品上架",
        "激光硒鼓、会议平板与无线投屏新品现已上架，可先申请样品试用，确认后再批量采购。",
        9,
        False,
        Audience.EVERYONE,
    ),
    (
        "企业开户三步走",
        (
            "1. 联系客户经理登记企业信息。\n\n2. 双方签订采购协议，确认目录与价格。\n\n"
            "3. 开通管理员账号，导入部门、人员与审批规则后即可采购。"
        ),
        20,
        False,
        Audience.VISITOR,
    ),
)
# place → (name, address, audience) in their order
EVERYONE, VISITOR, MEMBER = Audience.EVERYONE, Audience.VISITOR, Audience.MEMBER
LINKS: dict[LinkPlace, tuple[tuple[str, str, Audience], ...]] = {
    LinkPlace.THIRD_PARTY: (
        ("政府采购网上商城", "https://zfcg.wencai.example/", EVERYONE),
        ("央企采购平台", "https://yangqi.wencai.example/", EVERYONE),
        ("高校采购平台", "https://gaoxiao.wencai.example/", EVERYONE),
        ("医疗机构采购平台", "https://yiliao.wencai.example/", EVERYONE),
    ),
    LinkPlace.PERSONAL: (
        ("个人商城", "https://geren.wencai.example/", EVERYONE),
        ("企业集采商城", "/product/index", EVERYONE),
        ("礼品福利商城", "https://fuli.wencai.example/", EVERYONE),
    ),
    LinkPlace.WHOLESALE: (
        ("经销商批发", "https://pifa.wencai.example/", EVERYONE),
        ("门店加盟", "https://jiameng.wencai.example/", EVERYONE),
        ("区域服务商", "https://fuwushang.wencai.example/", EVERYONE),
    ),
    LinkPlace.GROUP_SITES: (
        ("文采集团", "https://www.wencai.example/", EVERYONE),
        ("文采科技", "https://keji.wencai.example/", EVERYONE),
        ("文采公益", "https://gongyi.wencai.example/", EVERYONE),
    ),
    LinkPlace.GROUP_SITE: (("集团官网", "https://www.wencai.example/", EVERYONE),),
    LinkPlace.ENGLISH_SITE: (("English", "https://en.wencai.example/", EVERYONE),),
    LinkPlace.INDUSTRIAL: (("工业品商城", "https://gongye.wencai.example/", EVERYONE),),
    LinkPlace.SERVICE: (("在线客服", "https://kefu.wencai.example/", EVERYONE),),
    LinkPlace.FOOTER_BUY: (
        ("全部商品", "/product/index", EVERYONE),
        ("热销商品", "/product/index?Sort=sales", EVERYONE),
        ("新品上架", "/product/index?Sort=new", EVERYONE),
        ("我的购物车", "/shop/cart", MEMBER),
    ),
    LinkPlace.FOOTER_ORDER: (
        ("我的工作台", "/userCenter/index", MEMBER),
        ("我的订单", "/userCenter/order/index", MEMBER),
        ("订单审批", "/userCenter/order/approval", MEMBER),
    ),
    LinkPlace.FOOTER_HELP: (
        ("购物流程", "/help/detail/12", EVERYONE),
        ("商城使用手册", "/help/detail/9", EVERYONE),
        ("常见问题", "/help/detail/11", EVERYONE),
        ("公司转账", "/help/detail/6", EVERYONE),
    ),
    LinkPlace.FOOTER_SERVICE: (
        ("配送服务", "/help/detail/13", EVERYONE),
        ("退货与换货", "/help/detail/1", EVERYONE),
        ("开票与收款信息", "/about/kpinfo", EVERYONE),
        ("企业定制", "/about/BizCustom", EVERYONE),
    ),
    LinkPlace.FOOTER_ABOUT: (
        ("文采集团", "https://www.wencai.example/", VISITOR),
        ("合作加盟", "https://jiameng.wencai.example/", VISITOR),
        ("社会责任", "https://gongyi.wencai.example/", VISITOR),
    ),
}


@transaction.atomic
def content_seed() -> str:
    """Create the demo's content and return a summary in Chinese. Existing content is not
    changed.
    """
    if any(model.objects.exists() for model in (SiteSetting, Banner, SiteLink, Announcement)):
        return "已有内容，未改动"
    _seed_settings()
    summary = f"{_seed_banners()} 条横幅，{_seed_links()} 个链接，{_seed_announcements()} 条公告"
    content_touch()
    return summary


def _seed_settings() -> None:
    """Create the demo's site settings, and a second version from next year on."""
    setting = SiteSetting(
        brand_name=settings.MALL_NAME,
        slogan="企业办公用品一站式采购",
        copyright_line=f"© {timezone.localdate().year} {settings.MALL_NAME}（演示站点）",
        licences="\n".join(LICENCES),
        business_licence="\n".join(BUSINESS_LICENCE),
        service_hours="工作日 9:00-18:00",
        android_url="https://m.wencai.example/app/android",
        official_url="https://m.wencai.example/wechat/official",
        mini_program_url="https://m.wencai.example/wechat/mini-program",
    )
    setting.save()
    # Next year's copyright line, to demonstrate a version in the future.
    new_year = timezone.localtime().replace(
        year=timezone.localdate().year + 1,
        month=1,
        day=1,
        hour=0,
        minute=0,
        second=0,
        microsecond=0,
    )
    setting.pk = None
    setting.version, setting.valid_from = f"{new_year.year} 年版权行", new_year
    setting.copyright_line = f"© {new_year.year} {settings.MALL_NAME}（演示站点）"
    setting.save(force_insert=True)


def _seed_banners() -> int:
    """Create the demo's banners: one strip, the slides, one slide in the future. Return their
    number.
    """
    now = timezone.now()
    strip = Banner(
        place=BannerPlace.TOP,
        title="演示站点",
        text="演示站点：商品、价格与企业均为虚构，可放心试用下单、审批与收货",
        link="/product/index",
        valid_to=now + timedelta(days=3650),
    )
    slides = [
        Banner(
            place=BannerPlace.HOME, title=title, text=text, tone=tone, link=link, position=position
        )
        for position, (title, text, tone, link) in enumerate(SLIDES)
    ]
    future_slide = Banner(
        place=BannerPlace.HOME,
        title="年货节·福利采购季",
        text="礼盒、粮油、家清一站备齐，支持按人数预算配单",
        tone=Tone.GREEN,
        position=len(SLIDES),
        valid_from=now + timedelta(days=14),
        valid_to=now + timedelta(days=45),
    )
    return len(Banner.objects.bulk_create([strip, *slides, future_slide]))


def _seed_links() -> int:
    rows = [
        SiteLink(place=place, name=name, url=url, audience=audience, position=position)
        for place, links in LINKS.items()
        for position, (name, url, audience) in enumerate(links)
    ]
    return len(SiteLink.objects.bulk_create(rows))


def _seed_announcements() -> int:
    """Create the demo's announcements. Return their number."""
    now = timezone.now()
    rows = [
        Announcement(
            title=title,
            text=text,
            is_pinned=is_pinned,
            audience=audience,
            valid_from=now - timedelta(days=days),
        )
        for title, text, days, is_pinned, audience in ANNOUNCEMENTS
    ]
    return len(Announcement.objects.bulk_create(rows))


TEXTS = Path(__file__).resolve().parent / "pages"


def pages_seed(*, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> int:
    """Add the missing pages and return how many. Runs after each migrate.

    Returns 0 if the table does not exist, e.g. after `migrate APP NAME` on an empty database. The
    next full migrate adds them.
    """
    if ContentPage._meta.db_table not in connections[using].introspection.table_names():
        return 0
    present_pages = set(ContentPage.objects.values_list("kind", "key"))
    pages = [
        (PageKind.HELP, str(number), f"help-{number:02}") for number in range(1, HELP_PAGES + 1)
    ]
    pages += [(PageKind.ABOUT, name, f"about-{name}") for name in ABOUT_PAGES]
    rows = [
        _build_page(kind, key, file, position)
        for position, (kind, key, file) in enumerate(pages, start=1)
        if (kind, key) not in present_pages
    ]
    return len(ContentPage.objects.bulk_create(rows, ignore_conflicts=True))


def _build_page(kind: PageKind, key: str, file: str, position: int) -> ContentPage:
    title, summary, body = (TEXTS / f"{file}.md").read_text("utf-8").split("\n\n", 2)
    return ContentPage(
        kind=kind,
        key=key,
        position=position,
        title=title.removeprefix("# "),
        summary=summary.removeprefix("> "),
        body=body.strip() + "\n",
    )
