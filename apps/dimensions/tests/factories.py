"""Factories of dimensions."""

from __future__ import annotations

import factory

from apps.common.testing.factories import RowFactory
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.org.tests.factories import GroupFactory


class DimensionFactory(RowFactory[Dimension]):
    """A cost centre without limits."""

    class Meta:
        model = Dimension

    group = factory.SubFactory(GroupFactory)
    kind = DimensionKind.COST_CENTER
    code = factory.Sequence(lambda n: f"CC-{n:04d}")
    name = factory.Sequence(lambda n: f"第{n}中心")
