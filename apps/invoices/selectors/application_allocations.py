"""Split the goods and freight of an invoice application over accounting dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from apps.dimensions.enums import DimensionKind
from apps.invoices.models import InvoiceApplication, InvoiceLine
from apps.invoices.selectors.dimension_split import (
    DimensionSum,
    OrderAllocations,
    sum_by_dimension,
)


@dataclass(frozen=True, slots=True)
class ApplicationSplit:
    """A part of an invoice line in 元. `code` is empty for an amount without a dimension."""

    line: InvoiceLine
    code: str
    name: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class ApplicationSums:
    """The sums of an application by the dimensions of one kind. They sum to its amount."""

    kind: DimensionKind
    rows: list[DimensionSum]


def list_application_splits(
    *, application: InvoiceApplication, kind: str
) -> list[ApplicationSplit]:
    """Return the parts of the application for one kind of dimension, in the order of its invoices.
    Red invoices do not count, so the parts sum to the amount of the application. Two queries.
    """
    lines = _lines(application)
    allocations = OrderAllocations({line.order_id for line in lines}, kind=kind)
    return list(_split(lines, allocations, kind))


def sum_application_splits(*, application: InvoiceApplication) -> list[ApplicationSums]:
    """Return the sums of each kind of dimension that an order of the application has. Two
    queries.
    """
    lines = _lines(application)
    allocations = OrderAllocations({line.order_id for line in lines})
    return [
        ApplicationSums(kind, sum_by_dimension(_split(lines, allocations, kind)))
        for kind in DimensionKind
        if kind in allocations.kinds
    ]


def _lines(application: InvoiceApplication) -> list[InvoiceLine]:
    rows = InvoiceLine.objects.filter(
        invoice__application=application, invoice__original__isnull=True
    )
    return list(rows.select_related("order", "invoice").order_by("invoice", "no"))


def _split(
    lines: list[InvoiceLine], allocations: OrderAllocations, kind: str
) -> Iterator[ApplicationSplit]:
    for line in lines:
        parts = allocations.split(
            line.amount_incl_tax,
            kind=kind,
            order=line.order,
            order_line_id=line.order_line_id,
            is_freight=line.order_line_id is None,
        )
        for part in parts:
            yield ApplicationSplit(line, part.code, part.name, part.amount)
