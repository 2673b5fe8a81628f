"""Open the tenant scope of a row, for staff and jobs that run in the platform scope."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from django.db import models, transaction

from apps.common.tenancy import tenant_scope


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
