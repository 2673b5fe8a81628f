"""Querysets that are built and compiled once in each process, for queries of hot paths.

Django builds a queryset and compiles it to SQL at every call. For a query with joins and subqueries
this takes several milliseconds of the processor, and the database answers it in less than one. A
`CompiledQuery` keeps the SQL. It stays an ordinary queryset: it has the tenant scope of its
models, and it returns model instances, dicts or tuples as the queryset does.

    OWN_ORDERS = CompiledQuery(
        lambda: Order.objects.filter(requester=key_parameter("requester"))
    )
    orders = OWN_ORDERS.fetch(requester=actor.pk)

Everything but the parameters is the same in each call. A function that builds different queries,
e.g. one without a join that is not always needed, returns one `CompiledQuery` for each of them and
has `lru_cache`. Its arguments must be few and must not be values of users: each combination
is kept.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import (
    BigIntegerField,
    CharField,
    Expression,
    Field,
    ForeignObject,
    Lookup,
    QuerySet,
)
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from apps.common.sql import fetch_prepared
from apps.common.tenancy import open_scope, tenant_scope

Row = TypeVar("Row")


class Parameter(Expression):
    """Stands in the queryset for a value that `CompiledQuery.fetch` gets. The value is never None:
    SQL compares NULL with IS.
    """

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a placeholder with this object as its value. `Statement.bind` puts the value of
        the call in its place.
        """
        return "%s", (self,)

    def convert(self, value: Any) -> Any:
        """Return the value as the database driver needs it."""
        return self.output_field.get_db_prep_value(value, connection)


def key_parameter(name: str) -> Parameter:
    """Return the parameter for one key."""
    return Parameter(name, BigIntegerField())


class ListParameter(Parameter):
    """Stands for a list of keys, or of texts with `is_text`, in the lookup `any_of`. The SQL is the
    same for any number of them.
    """

    def __init__(self, name: str, *, is_text: bool = False) -> None:
        super().__init__(name, CharField() if is_text else BigIntegerField())
        self.is_text = is_text

    def convert(self, value: Any) -> Any:
        """Return the list as one value."""
        return convert_texts(value) if self.is_text else convert_keys(value)


def convert_keys(keys: Iterable[int | str]) -> str:
    """Return the keys as the database reads a list from one value."""
    text = ",".join(str(key) for key in keys)
    return f"{{{text}}}" if connection.vendor == "postgresql" else f"[{text}]"


def convert_texts(texts: Iterable[str]) -> list[str] | str:
    """Return the texts as the database reads a list from one value."""
    return list(texts) if connection.vendor == "postgresql" else json.dumps(list(texts))


@Field.register_lookup
@ForeignObject.register_lookup
class AnyOf(Lookup[Any]):
    """The column is one of the values: `department_id__any_of=` a ListParameter, keys, or a query
    of few keys.

    PostgreSQL reads such a query first and then looks its keys up in an index. With `__in`, also
    beside other conditions joined by OR, it may read the whole table and try each row.
    """

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the condition with all values as one parameter."""
        column, column_values = self.process_lhs(compiler, connection)
        if hasattr(self.rhs, "as_sql") and not isinstance(self.rhs, ListParameter):
            query, query_values = compiler.compile(self.rhs)
            values = (*column_values, *query_values)
            if connection.vendor == "postgresql":
                return f"{column} = ANY(ARRAY{query})", values
            return f"{column} IN {query}", values
        is_parameter = isinstance(self.rhs, ListParameter)
        values = (*column_values, self.rhs if is_parameter else convert_keys(self.rhs))
        if connection.vendor == "postgresql":
            kind = "text" if is_parameter and self.rhs.is_text else "bigint"
            return f"{column} = ANY(%s::{kind}[])", values
        return f"{column} IN (SELECT value FROM json_each(%s))", values  # noqa: S608


# The group of the open scope, in a statement for all groups.
GROUP: Any = key_parameter("group_id")


@dataclass(frozen=True, slots=True)
class Statement:
    """A compiled queryset. `sql` is empty if no row can match. `values` are constants, and a
    Parameter in the place of each value that differs from call to call.
    """

    queryset: QuerySet[Any, Any]
    compiler: SQLCompiler
    sql: str
    values: tuple[Any, ...]
    is_prepared: bool

    @property
    def has_locks(self) -> bool:
        """Whether the statement locks rows, which SQLite does not."""
        return connection.features.has_select_for_update and self.queryset.query.select_for_update

    def bind(self, given: Mapping[str, Any]) -> QuerySet[Any, Any]:
        """Return the queryset, which runs the statement with the given values."""
        values = [
            value.convert(given[value.name]) if isinstance(value, Parameter) else value
            for value in self.values
        ]
        # A compiler belongs to the connection of its thread.
        compiler: Any = copy.copy(self.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        if self.is_prepared:
            compiler.execute_sql = lambda *_, **__: [fetch_prepared(self.sql, values)]
        else:
            compiler.as_sql = lambda: (self.sql, values)
        queryset = self.queryset.all()
        queryset.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return queryset


class CompiledQuery(Generic[Row]):
    """A queryset with parameters, compiled at its first use. PostgreSQL prepares the statement,
    unless its best plan depends on the values (`is_prepared=False`).
    """

    def __init__(
        self, build: Callable[[], QuerySet[Any, Row]], *, is_prepared: bool = True
    ) -> None:
        self._build = build
        self._is_prepared = is_prepared
        self._statements: dict[str, Statement] = {}

    def fetch(self, **values: Any) -> list[Row]:
        """Return the rows of the open tenant scope. `values` are those of all parameters by name.

        Raises:
            NoTenantScope: a model of a tenant is read, and no scope is open.
            TransactionManagementError: the query locks rows, and no transaction is open.
        """
        scope = open_scope()
        group_id = scope.group_id if scope else None
        # The SQL has a condition on the group in the scope of a group only.
        kind = "group" if group_id is not None else "platform" if scope else "no scope"
        if kind not in self._statements:
            self._statements[kind] = self._compile(for_any_group=group_id is not None)
        statement = self._statements[kind]
        if statement.has_locks and not connection.in_atomic_block:
            raise TransactionManagementError("select_for_update outside a transaction")
        return list(statement.bind({**values, GROUP.name: group_id})) if statement.sql else []

    def _compile(self, *, for_any_group: bool) -> Statement:
        """Return the statement for the kind of scope that is open."""
        with tenant_scope(group_id=GROUP) if for_any_group else nullcontext():
            queryset = self._build()
        compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
        try:
            sql, values = compiler.as_sql()
        except EmptyResultSet:
            sql, values = "", ()
        return Statement(queryset, compiler, sql, tuple(values), self._is_prepared)
