"""Base classes of models: rows of a tenant, rows with their times of creation and change, and the
messages of a document between the customer and the staff.

`TenantManager` and `TenantModel` enforce the scope of `common/tenancy.py`. In the scope of a group,
each query of `objects`, also through relations, returns only that group's rows; without a scope it
raises an error; in the scope of the platform it returns the rows of all groups. A write of a row of
another group raises `ForeignTenant`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.db.models.sql.query import Query
from django.db.models.sql.where import AND

from apps.common.tenancy import ForeignTenant, get_current_scope

M = TypeVar("M", bound=models.Model, covariant=True)


def refuse_foreign(row: Any) -> None:
    """Set the scope's group on a model instance that has no group. Raise ForeignTenant for an
    instance of another group.
    """
    scope = get_current_scope()
    if scope.group_id is None:
        return
    if getattr(row, "group_id", None) is None and not getattr(row, "is_staff", False):
        row.group_id = scope.group_id
    if row.group_id != scope.group_id:
        raise ForeignTenant(
            f"{row._meta.label} of group {row.group_id} in the scope of group {scope.group_id}"
        )


class TenantQuerySet(models.QuerySet[M]):
    """A queryset whose bulk writes respect the scope."""

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        rows = list(objs)
        for row in rows:
            refuse_foreign(row)
        return super().bulk_create(rows, *args, **kwargs)

    def bulk_update(
        self, objs: Iterable[M], fields: Iterable[str], batch_size: int | None = None
    ) -> int:
        rows = list(objs)
        for row in rows:
            refuse_foreign(row)
        return super().bulk_update(rows, fields, batch_size)

    def update(self, **kwargs: Any) -> int:
        """Update the rows. Raises ForeignTenant if it would move them to a group outside the open
        scope.
        """
        scope = get_current_scope()
        new_group_id = kwargs.get("group_id", getattr(kwargs.get("group"), "pk", None))
        if (
            scope.group_id is not None
            and new_group_id is not None
            and new_group_id != scope.group_id
        ):
            raise ForeignTenant(
                f"{self.model._meta.label} moved to group {new_group_id} in the scope of group "
                f"{scope.group_id}"
            )
        return super().update(**kwargs)


class TenantManager(models.Manager.from_queryset(TenantQuerySet)):  # type: ignore[misc]
    """The manager of all reads, also through relations. Without a scope it raises an error."""

    def get_queryset(self) -> TenantQuerySet[Any]:
        scope = get_current_scope()
        queryset: TenantQuerySet[Any] = super().get_queryset()
        if scope.group_id is not None:
            self._narrow(queryset.query, scope.group_id)
        return queryset

    def _narrow(self, query: Query, group_id: int) -> None:
        """Do what filter(group_id=…) does to a new query. Every read of a tenant's table does
        this, and filter() takes five times as long: it copies the query and resolves the name.
        """
        group = self.model._meta.get_field("group")
        column = group.get_col(query.get_initial_alias())
        query.where.add(group.get_lookup("exact")(column, group_id), AND)


class TenantModel(models.Model):
    """The base of every table of a tenant. `group_id` is the first column of its unique
    constraints and indexes.
    """

    group = models.ForeignKey(
        "org.Group", on_delete=models.PROTECT, verbose_name="集团", related_name="+", db_index=False
    )

    objects = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        refuse_foreign(self)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        refuse_foreign(self)
        return super().delete(*args, **kwargs)


class TimeStampedModel(models.Model):
    created_at = models.DateTimeField("创建时间", auto_now_add=True)
    updated_at = models.DateTimeField("更新时间", auto_now=True)

    class Meta:
        abstract = True


class ThreadMessage(TenantModel):
    """A message of the customer or the staff. Customers never see the author of a staff message."""

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="留言人"
    )
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="代客户",
    )
    is_ours = models.BooleanField("客服留言", default=False)
    text = models.CharField("内容", max_length=500)
    sent_at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        abstract = True
        ordering = ["sent_at", "id"]

    def __str__(self) -> str:
        return self.text[:20]


def get_loaded_relation(row: models.Model, field: str) -> Any:
    """Return the related object if it was fetched with the row, else None. Never runs a query."""
    return row._state.fields_cache.get(field)
