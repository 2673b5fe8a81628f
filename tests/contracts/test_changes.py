"""Every PATCH changes only the fields that were sent. An empty body is accepted and changes
nothing.
"""

from __future__ import annotations

import re

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.models import Account
from tests.contracts.objects import OBJECTS
from tests.contracts.test_permissions import ROWS, Row

# Fields that a change names its subject by. They are no content, so they cannot be left out.
NAMING = {
    "/api/Order/{order_no}/Review": {"OrderLineId"}
}  # an order has a review for each of its lines


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "PATCH"], ids=str)
def test_a_change_asks_for_no_field(row: Row, ga: Account) -> None:
    key = OBJECTS[row.object](ga) if row.object else ProductFactory().code

    answer = ApiClient(ga).patch(re.sub(r"\{\w+\}", key, row.path), {})

    if row.path in NAMING:
        assert set(answer.errors) == NAMING[row.path]
    else:
        assert answer.ok, (answer.message, answer.body)
