"""Read the dimensions that a checkout names inside another query, so that the preview of a
checkout costs no query more.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.db import connection
from django.db.models import JSONField, Model, QuerySet
from django.db.models.expressions import RawSQL

from apps.dimensions.enums import DimensionKind, DimensionState
from apps.dimensions.models import get_state_on

M = TypeVar("M", bound=Model)
COLUMN = "dimension_facts"
JSON_FUNCTIONS = {
    "postgresql": {"rows": "jsonb_agg", "row": "jsonb_build_array"},
    "sqlite": {"rows": "json_group_array", "row": "json_array"},
}
# One JSON value: the named dimensions, and the kinds that the group keeps.
FACTS = """(SELECT {row}(
  (SELECT {rows}({row}(d.id, d.kind, d.code, d.name, d.is_active, d.valid_from, d.valid_to,
      (SELECT {rows}(u.department_id) FROM dimensions_dimensiondepartment u
         WHERE u.dimension_id = d.id),
      (SELECT {rows}(f.department_id) FROM dimensions_dimensiondefault f
         WHERE f.dimension_id = d.id AND f.department_id IN ({departments}))))
     FROM dimensions_dimension d WHERE d.group_id = %s AND (
       d.id IN ({ids})
       OR (d.kind = 'cost_center' AND d.code IN ({codes}))
       OR d.id IN (SELECT f.dimension_id FROM dimensions_dimensiondefault f
            WHERE f.department_id IN ({departments})))),
  (SELECT {rows}(k.kind) FROM (SELECT DISTINCT kind FROM dimensions_dimension
     WHERE group_id = %s AND is_active) k)))"""


@dataclass(frozen=True, slots=True)
class DimensionFact:
    """A dimension as a checkout reads it. `default_of` are the named departments whose default
    it is.
    """

    pk: int
    kind: str
    code: str
    name: str
    is_active: bool
    valid_from: date | None
    valid_to: date | None
    department_ids: frozenset[int]
    default_of: frozenset[int]

    @property
    def text(self) -> str:
        """Return kind, code and name, as in: 成本中心“CC-1 行政”."""
        return f"{DimensionKind(self.kind).label}“{self.code} {self.name}”"

    def explain_refusal(self, *, day: date, department_path: Sequence[int]) -> str:
        """Return why an order of `day` may not use it, with what to do. Empty if it may.
        `department_path` are the ids of the order's department and of those above it.
        """
        again = "请重新选择"
        match get_state_on(day, self.is_active, self.valid_from, self.valid_to):
            case DimensionState.DISABLED:
                return f"{self.text}已停用，{again}"
            case DimensionState.UPCOMING:
                return f"{self.text}自 {self.valid_from} 起才能使用，{again}"
            case DimensionState.EXPIRED:
                return f"{self.text}已于 {self.valid_to} 到期，{again}"
        if self.department_ids and self.department_ids.isdisjoint(department_path):
            return f"下单部门不能使用{self.text}，{again}，或联系集团管理员加入适用部门"
        return ""


@dataclass(frozen=True, slots=True)
class DimensionFacts:
    """The dimensions that a checkout names, and the kinds that the group keeps."""

    rows: tuple[DimensionFact, ...] = ()
    kinds: frozenset[str] = frozenset()

    def find(self, *, kind: str, pk: int) -> DimensionFact | None:
        """Return the dimension of that kind and id, or None."""
        return next((row for row in self.rows if row.pk == pk and row.kind == kind), None)

    def find_cost_center(self, code: str) -> DimensionFact | None:
        """Return the cost centre with that code, or None."""
        cost_center = DimensionKind.COST_CENTER
        return next(
            (row for row in self.rows if row.kind == cost_center and row.code == code), None
        )

    def get_default(
        self, *, kind: str, day: date, department_path: Sequence[int]
    ) -> DimensionFact | None:
        """Return the usable default of a department: that of the nearest department above."""
        for department_id in department_path:
            for row in self.rows:
                if (
                    row.kind == kind
                    and department_id in row.default_of
                    and not row.explain_refusal(day=day, department_path=department_path)
                ):
                    return row
        return None


def with_dimension_facts(
    rows: QuerySet[M],
    *,
    group_id: int | None,
    ids: Collection[int],
    codes: Collection[str],
    department_ids: Collection[int],
) -> QuerySet[M]:
    """Return the queryset with the named dimensions of the group on each row: those of `ids`, the
    cost centres with `codes`, and the defaults of the departments.
    """
    placeholders = {
        name: ", ".join(["%s"] * len(values)) or "NULL"
        for name, values in (("ids", ids), ("codes", codes), ("departments", department_ids))
    }
    sql = FACTS.format(**JSON_FUNCTIONS[connection.vendor], **placeholders)
    params = [*department_ids, group_id, *ids, *codes, *department_ids, group_id]
    annotated_rows: QuerySet[M] = rows.annotate(
        **{COLUMN: RawSQL(sql, params, output_field=JSONField())}  # noqa: S611
    )
    return annotated_rows


def read_dimension_facts(rows: Sequence[Model]) -> DimensionFacts | None:
    """Return the dimensions of rows from `with_dimension_facts`. None without rows."""
    if not rows:
        return None
    fact_rows, kinds = _parse_json(getattr(rows[0], COLUMN))
    return DimensionFacts(
        rows=tuple(_build_fact(_parse_json(row)) for row in _parse_json(fact_rows) or ()),
        kinds=frozenset(_parse_json(kinds) or ()),
    )


def _build_fact(row: list[Any]) -> DimensionFact:
    """Return the columns of a row as a DimensionFact."""
    pk, kind, code, name, is_active, valid_from, valid_to, departments, defaults = row
    return DimensionFact(
        pk=pk,
        kind=kind,
        code=code,
        name=name,
        is_active=bool(is_active),
        valid_from=date.fromisoformat(valid_from) if valid_from else None,
        valid_to=date.fromisoformat(valid_to) if valid_to else None,
        department_ids=frozenset(_parse_json(departments) or ()),
        default_of=frozenset(_parse_json(defaults) or ()),
    )


def _parse_json(value: Any) -> Any:
    """Return a nested JSON value. SQLite returns some nested arrays as text."""
    return json.loads(value) if isinstance(value, str) else value
