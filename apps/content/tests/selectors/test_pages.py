"""Help and about pages: they exist from the start, search finds them, and their text cannot run
scripts.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from apps.content.enums import PageKind
from apps.content.errors import PageNotFound
from apps.content.markdown import markdown_render, strip_markdown
from apps.content.models import ContentPage
from apps.content.selectors.pages import (
    fill_seller_names,
    get_content_page,
    list_help_pages,
    search_pages,
)
from apps.content.services import pages_seed

# The order of section 2 of the specification.
TITLES = [
    "退货与换货",
    "取消订单",
    "企业营销服务",
    "定制服务",
    "渠道网络",
    "公司转账",
    "货到付款",
    "在线支付",
    "商城使用手册",
    "授权证书",
    "常见问题",
    "购物流程",
    "配送服务",
    "收货须知",
    "全国网点",
]

pytestmark = pytest.mark.django_db


def test_every_mall_has_the_fifteen_pages_in_their_order() -> None:
    assert [(page.key, page.title) for page in list_help_pages()] == [
        (str(number), title) for number, title in enumerate(TITLES, start=1)
    ]


def test_seed_keeps_pages_edited_by_staff() -> None:
    ContentPage.objects.filter(key="1").update(body="改过的正文")
    ContentPage.objects.filter(key="2").delete()

    assert pages_seed() == 1
    assert get_content_page(kind=PageKind.HELP, key="1").text.html == "<p>改过的正文</p>\n"


def test_missing_page_is_refused() -> None:
    with pytest.raises(PageNotFound, match="没有这个帮助页面"):
        get_content_page(kind=PageKind.HELP, key="16")


def test_every_link_of_the_texts_leads_to_a_page_there_is() -> None:
    screens = (Path(settings.BASE_DIR) / "frontend/src/app/userCenterRows.tsx").read_text(
        encoding="utf-8"
    )
    own = {page.path for page in ContentPage.objects.all()} | set(
        re.findall(r"path: '(/userCenter/[^':]+)'", screens)
    )
    for page in ContentPage.objects.all():
        links = set(markdown_render(page.body).html.split('href="')[1:])
        assert {link.split('"')[0] for link in links} <= own, page.title


def test_the_table_of_contents_names_the_headings() -> None:
    rendered = markdown_render("## 运费\n\n文\n\n## 时间\n")

    assert [(section.id, section.title) for section in rendered.sections] == [
        ("s1", "运费"),
        ("s2", "时间"),
    ]
    assert '<h2 id="s2">时间</h2>' in rendered.html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[点](javascript:alert(1))",
        "[点](//evil.example)",
        "![图](https://evil.example/a.png)",
    ],
)
def test_rendered_markdown_contains_no_scripts_pictures_or_foreign_links(text: str) -> None:
    html = markdown_render(text).html

    assert not any(sign in html for sign in ("<script", "<img", 'href="javascript', 'href="//'))


def test_an_aligned_column_brings_no_inline_style() -> None:
    assert "style" not in markdown_render("| a |\n|--:|\n| 1 |\n").html


def test_the_page_with_the_word_in_its_title_comes_first() -> None:
    assert search_pages(text="在线支付")[0].page.path == "/help/detail/8"


def test_all_words_must_be_in_a_page() -> None:
    assert [row.page.path for row in search_pages(text="对公 个人微信")] == ["/help/detail/6"]
    assert search_pages(text="对公 不存在的词") == []


def test_excerpt_contains_the_search_word() -> None:
    assert "**" not in search_pages(text="原路退回")[0].excerpt
    assert all("原路退回" in row.excerpt for row in search_pages(text="原路退回"))


@pytest.mark.parametrize("text", ["", "   "])
def test_empty_search_finds_no_page(text: str) -> None:
    assert search_pages(text=text) == []


def test_the_marks_of_markdown_are_no_words() -> None:
    assert (
        strip_markdown("## 标题\n\n| a | b |\n|---|---|\n| **1** | [去](/x) |\n") == "标题 a b 1 去"
    )


def test_invoice_page_names_the_configured_seller(settings: Any) -> None:
    settings.INVOICE_SELLER = {key: f"本商城的{key}" for key in settings.INVOICE_SELLER}

    html = get_content_page(kind=PageKind.ABOUT, key="kpinfo").text.html

    assert all(value in html for value in settings.INVOICE_SELLER.values())
    assert "{{" not in html
    assert [row.page.path for row in search_pages(text="本商城的BankAccount")] == ["/about/kpinfo"]


def test_braces_of_no_known_name_stay_as_they_are() -> None:
    assert (
        fill_seller_names("{{ 销售方电话 }} {{别的}}")
        == f"{settings.INVOICE_SELLER['Phone']} {{{{别的}}}}"
    )
