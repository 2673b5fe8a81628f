"""The Content-Security-Policy and the cache headers."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.middleware.response_headers import ResponseHeadersMiddleware, build_policy
from apps.common.testing import ApiClient


def test_the_storefront_has_the_policy_of_the_design() -> None:
    assert build_policy("/product/index", "N") == (
        "default-src 'self'; script-src 'self'; style-src-elem 'self' 'nonce-N'; "
        "style-src-attr 'none'; img-src 'self' data: blob:; "
        "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
        "form-action 'self'"
    )


def test_forms_may_go_to_the_old_mall(settings: Any) -> None:
    settings.OLD_MALL_URL = "https://old.wencai.example/home?x=1"
    assert build_policy("/", "N").endswith("form-action 'self' https://old.wencai.example")


@pytest.mark.parametrize("path", ["/", "/admin/", "/api/docs", "/adminx", "/api/Order"])
def test_policies_forbid_inline_scripts(path: str) -> None:
    scripts = next(
        part for part in build_policy(path, "N").split("; ") if part.startswith("script-src")
    )
    assert "'unsafe-inline'" not in scripts


@pytest.mark.parametrize("path", ["/", "/admin/", "/api/docs", "/old-mall/"])
def test_policies_name_no_foreign_host(path: str) -> None:
    assert "//" not in build_policy(path, "N")


@pytest.mark.parametrize("path", ["/", "/adminx", "/api/Order", "/static/app/x.svg"])
def test_only_admin_and_docs_have_their_own_policy(path: str) -> None:
    assert build_policy(path, "N") == build_policy("/", "N")


def test_each_answer_has_its_nonce_and_security_headers(client: Client) -> None:
    first, second = (client.get("/healthz") for _ in range(2))
    assert first["Content-Security-Policy"] != second["Content-Security-Policy"]
    assert first["X-Content-Type-Options"] == "nosniff"
    assert first["Referrer-Policy"] == "same-origin"
    assert first["Permissions-Policy"].startswith("camera=()")


def test_the_page_gets_the_nonce_of_its_policy() -> None:
    seen: list[str] = []

    def page(request: Any) -> HttpResponse:
        seen.append(request.csp_nonce)
        return HttpResponse()

    response = ResponseHeadersMiddleware(page)(RequestFactory().get("/"))
    assert f"'nonce-{seen[0]}'" in response["Content-Security-Policy"]


def test_a_refusal_before_the_views_has_the_policy_too(client: Client) -> None:
    assert "script-src 'self'" in client.get("/%00")["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/api/Content/Footer", "/api/Order", "/api/Nothing", "/api/Content/%00"]
)
def test_api_answers_are_not_stored_by_caches(api: ApiClient, path: str) -> None:
    assert api.get(path).response["Cache-Control"] == "private, no-store"


def test_refused_call_is_not_stored_by_caches(api: ApiClient, settings: Any, db: None) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    answers = [api.get("/api/Nothing") for _ in range(2)]
    assert [(answer.status, answer.response["Cache-Control"]) for answer in answers] == [
        (404, "private, no-store"),
        (429, "private, no-store"),
    ]


def test_explicit_cache_header_is_kept() -> None:
    stored = HttpResponse(headers={"Cache-Control": "private, max-age=240"})
    response = ResponseHeadersMiddleware(lambda _request: stored)(
        RequestFactory().get("/api/File/1")
    )
    assert response["Cache-Control"] == "private, max-age=240"


def test_pages_and_pictures_keep_their_own_caching(client: Client) -> None:
    assert not client.get("/healthz").has_header("Cache-Control")
