"""/api/Content answers what the page carries."""

import pytest

from apps.common.testing import ApiClient
from apps.content.selectors.boot import boot_content
from apps.content.services.content_seed import content_seed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("part", ["Banners", "Navigation", "Footer"])
def test_a_visitor_reads_what_the_page_carries(api: ApiClient, part: str) -> None:
    content_seed()

    answer = api.get(f"/api/Content/{part}")

    assert answer.ok
    assert answer.body == boot_content()[part]
