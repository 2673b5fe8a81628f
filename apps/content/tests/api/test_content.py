"""/api/Content returns the same data as the page contains."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.common.testing import ApiClient
from apps.content.selectors.site import boot_content
from apps.content.services import content_seed
from apps.content.tests.factories import create_announcement, create_setting

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("part", ["Banners", "Navigation", "Footer"])
def test_visitor_reads_each_content_part_of_the_page(api: ApiClient, part: str) -> None:
    content_seed()

    answer = api.get(f"/api/Content/{part}")

    assert answer.ok
    assert answer.body == boot_content()[part]


def test_announcements_come_in_full_with_their_day(api: ApiClient) -> None:
    at = timezone.now() - timedelta(days=1)
    row = create_announcement(text="节后\n\n按序发货", valid_from=at)
    create_announcement(title="以后", valid_from=timezone.now() + timedelta(days=1))

    (answer,) = api.get("/api/Content/Announcements").body
    assert (answer["Id"], answer["Text"], answer["Url"], answer["For"]) == (
        str(row.pk),
        "节后\n\n按序发货",
        "",
        "",
    )
    assert datetime.fromisoformat(answer["At"]) == at


def test_the_business_licence_is_read_as_names_and_values(api: ApiClient) -> None:
    create_setting(business_licence="名称：示例公司\n本执照为演示内容")

    assert api.get("/api/Content/BusinessLicence").body == [
        {"Name": "名称", "Value": "示例公司"},
        {"Name": "", "Value": "本执照为演示内容"},
    ]
