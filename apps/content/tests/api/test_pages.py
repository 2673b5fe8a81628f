"""/api/Content/Help and /About."""

import pytest

from apps.common.testing import ApiClient, assert_queries

pytestmark = pytest.mark.django_db


def test_a_visitor_reads_a_help_page_by_its_number(api: ApiClient) -> None:
    with assert_queries(1):
        answer = api.get("/api/Content/Help/13")

    assert (answer.body["Title"], answer.body["Path"]) == ("配送服务", "/help/detail/13")
    assert answer.body["Html"].startswith("<h2")
    assert answer.body["Sections"][0] == {"Id": "s1", "Title": "运费"}


@pytest.mark.parametrize("path", ["Help/0", "Help/16", "Help/999", "About/nobody", "About/help"])
def test_missing_content_page_answers_404(api: ApiClient, path: str) -> None:
    answer = api.get(f"/api/Content/{path}")

    assert (answer.status, answer.code) == (404, "not_found")


def test_the_list_has_the_fifteen_without_their_text(api: ApiClient) -> None:
    rows = api.get("/api/Content/Help").body

    assert [row["Key"] for row in rows] == [str(number) for number in range(1, 16)]
    assert set(rows[0]) == {"Key", "Title", "Summary", "Path"}


def test_the_about_pages_are_read_by_name(api: ApiClient) -> None:
    assert api.get("/api/Content/About/BizCustom").body["Title"] == "企业定制"
    assert api.get("/api/Content/About/kpinfo").body["Title"] == "开票与收款信息"


def test_help_search_returns_pages_with_excerpts(api: ApiClient) -> None:
    rows = api.get("/api/Content/HelpSearch?Keyword=税号").body

    assert {row["Path"] for row in rows} >= {"/about/kpinfo", "/help/detail/6"}
    assert all("税号" in row["Excerpt"] for row in rows)
