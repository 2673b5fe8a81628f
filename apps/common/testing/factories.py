"""The base class of every app's factories."""

from __future__ import annotations

from typing import Any, TypeVar

from auditlog.context import disable_auditlog
from factory.django import DjangoModelFactory

Row = TypeVar("Row")


class RowFactory(DjangoModelFactory[Row]):
    """Create rows without audit entries. An entry would cost as much time as the row."""

    class Meta:
        abstract = True

    @classmethod
    def _generate(cls, strategy: str, params: Any) -> Any:
        with disable_auditlog():
            return super()._generate(strategy, params)
