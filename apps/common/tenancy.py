"""The tenant scope: the group whose rows the running code may read and write. Rows of one group
are never visible to another.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import models, transaction

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Scope:
    """Either one group, or the whole platform with a reason."""

    group_id: int | None
    platform_reason: str = ""


class NoTenantScope(RuntimeError):
    """Rows of a tenant were used outside any scope. This is a programming error and never shown
    to users.
    """


class ForeignTenant(RuntimeError):
    """Code tried to write a row of another group inside this group's scope."""


_scope: ContextVar[Scope | None] = ContextVar("tenant_scope", default=None)


def get_current_scope() -> Scope:
    """Return the open scope.

    Raises:
        NoTenantScope: no scope is open.
    """
    scope = _scope.get()
    if scope is None:
        raise NoTenantScope(
            "no tenant scope is open: use tenant_scope(group_id=…) or platform_scope(reason=…)"
        )
    return scope


def open_scope() -> Scope | None:
    """Return the open scope or None. Streamed answers and tasks use it to open the same scope
    later.
    """
    return _scope.get()


@contextmanager
def tenant_scope(*, group_id: int) -> Generator[None]:
    """Limit every tenant-owned query in the block to one group."""
    token = _scope.set(Scope(group_id=group_id))
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def platform_scope(*, reason: str) -> Generator[None]:
    """Open all groups for the block. This is the only way to leave the tenant scope; the reason
    is logged.
    """
    log.debug("platform_scope", reason=reason)
    token = _scope.set(Scope(group_id=None, platform_reason=reason))
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def no_scope() -> Generator[None]:
    """Close any scope for the block. Used for an anonymous request inside a test's scope."""
    token = _scope.set(None)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def row_scope(model: type[models.Model], pk: int, *, missing: type[Exception]) -> Generator[None]:
    """Open the tenant scope of the row's group, and a transaction in it.

    Raises:
        missing: the row does not exist.
    """
    rows: Any = model._default_manager
    group_id: int | None = rows.filter(pk=pk).values_list("group_id", flat=True).first()
    if group_id is None:
        raise missing
    with tenant_scope(group_id=group_id), transaction.atomic():
        yield
