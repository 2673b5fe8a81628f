"""Helpers for models: names of library models, and values cached on one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import models

Value = TypeVar("Value")


def set_verbose_name(model: type[models.Model], word: str, *, below: str) -> None:
    """Set the Chinese name of a library's model, and `below` as the name of its app.

    Menu, pages, permissions and the log then use the same word. The library's migrations do not
    change, because they know only the names that the library declares.
    """
    model._meta.verbose_name = model._meta.verbose_name_plural = word
    model._meta.app_config.verbose_name = below


def cached_on_instance(row: models.Model, name: str, make: Callable[[], Value]) -> Value:
    """Return `make()`, called once per model instance. A page renders each field five times."""
    values: dict[str, Value] = row.__dict__.setdefault("_cached_on_instance", {})
    if name not in values:
        values[name] = make()
    return values[name]
