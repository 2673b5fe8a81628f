"""The API's resolver finds each route by the first part of its address."""

from __future__ import annotations

import re

import pytest
from django.urls import get_resolver, resolve
from django.urls.resolvers import URLResolver

from mall.api_resolver import ApiResolver

# Routes whose parameter is not a word of letters: any number will do.
PARAMETER = re.compile(r"\(\?P<\w+>(?:[^()]|\([^()]*\))*\)")


def api() -> ApiResolver:
    (result,) = (each for each in get_resolver().url_patterns if isinstance(each, ApiResolver))
    return result


def test_every_address_leads_where_the_walk_through_all_routes_leads() -> None:
    whole = URLResolver(api().pattern, list(api().url_patterns))
    addresses = [
        "api/" + PARAMETER.sub("6", str(route.pattern)).strip("^$").replace("\\.", ".")
        for route in api().url_patterns
    ]
    counts = {address: api().resolve(address) for address in addresses}

    assert len(set(addresses)) > 250
    assert {address: match.func for address, match in counts.items()} == {
        address: whole.resolve(address).func for address in addresses
    }


@pytest.mark.parametrize("address", ["/api/Order/6/Cancelled", "/api/Nothing", "/api/Orders"])
def test_an_unknown_address_leads_to_the_apis_not_found(address: str) -> None:
    assert resolve(address).url_name == "api-not-found"


def test_an_address_meets_the_routes_of_its_first_part_only() -> None:
    tried = {str(route[-1].pattern) for route in api().resolve("api/Webhook").tried or ()}

    assert tried - {"schema", "docs"} == {route for route in tried if route.startswith("^Webhook")}
