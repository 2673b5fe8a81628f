"""The tenant scope: which group the running code may touch. Nothing of one is ever visible to another."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import structlog

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Scope:
    """Either one group, or the whole platform for a stated reason."""

    group_id: int | None
    platform_reason: str = ""


class NoTenantScope(RuntimeError):
    """Tenant-owned rows were touched outside any scope: a programming error, never shown to a user."""


class ForeignTenant(RuntimeError):
    """A row of another group was about to be written inside this group's scope."""


_scope: ContextVar[Scope | None] = ContextVar("tenant_scope", default=None)


def current_scope() -> Scope:
    """Return the open scope.

    Raises:
        NoTenantScope: none is open.
    """
    scope = _scope.get()
    if scope is None:
        raise NoTenantScope("no tenant scope is open: use tenant_scope(group_id=…) or platform_scope(reason=…)")
    return scope


def open_scope() -> Scope | None:
    """Return the open scope or None; for streamed answers and tasks, which reopen it."""
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
    """Open all groups for the block: the only way out of the tenant, logged with its reason."""
    log.debug("platform_scope", reason=reason)
    token = _scope.set(Scope(group_id=None, platform_reason=reason))
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def no_scope() -> Generator[None]:
    """Close any scope for the block: an anonymous request inside a test's scope."""
    token = _scope.set(None)
    try:
        yield
    finally:
        _scope.reset(token)
