"""Shared pytest fixtures. The root conftest loads them."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator
from contextlib import ExitStack

import pytest
from django.template import Context, Template
from django.test import TransactionTestCase
from django.test.signals import template_rendered
from django.utils.safestring import SafeString
from pytest_django import DjangoDbBlocker, Settings

from apps.common.tenancy import platform_scope
from apps.common.testing.client import ApiClient
from apps.common.testing.database import restore_template, test_database


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Generator[None]:
    """Give this process a copy of the migrated template, on SQLite and PostgreSQL."""
    stack = ExitStack()
    # Django empties all tables in this method after a test with transactions of its own.
    stack.enter_context(pytest.MonkeyPatch.context()).setattr(
        TransactionTestCase, "_fixture_teardown", lambda _: restore_template()
    )
    with django_db_blocker.unblock():
        stack.enter_context(test_database(os.environ.get("PYTEST_XDIST_WORKER", "main")))
    yield
    with django_db_blocker.unblock():
        stack.close()


@pytest.fixture(scope="session", autouse=True)
def _outermost_contexts(django_test_environment: None) -> Generator[None]:
    """Report the context of the outermost template only. A page of the back office renders
    hundreds of small templates, and Django's test client copies the context of each.
    """
    depth = 0

    def render(template: Template, context: Context) -> SafeString:
        nonlocal depth
        if depth == 0:
            template_rendered.send(sender=template, template=template, context=context)
        depth += 1
        try:
            return template.nodelist.render(context)
        finally:
            depth -= 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(autouse=True)
def _own_counters(settings: Settings) -> None:
    """Give each test its own prefix for counters in a shared Redis."""
    settings.CACHE_PREFIX = f"test-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def platform(db: None) -> Generator[None]:
    """Open the platform scope during the test."""
    with platform_scope(reason="test"):
        yield


@pytest.fixture
def api() -> ApiClient:
    """Return an anonymous API client; `api.login_as(account)` signs in."""
    return ApiClient()
