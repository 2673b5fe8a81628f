"""Compiled queries: values of each call, the tenant scope, lists, and no second compilation."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from apps.common.compiled_queries import (
    CompiledQuery,
    ListParameter,
    key_parameter,
)
from apps.common.tenancy import NoTenantScope, no_scope, platform_scope, tenant_scope
from apps.common.testing import assert_queries
from apps.org.models import Department, Group
from apps.org.tests.factories import DepartmentFactory, EnterpriseFactory

pytestmark = pytest.mark.django_db


def list_departments() -> QuerySet[Department]:
    """Return the departments of one enterprise with their enterprise."""
    return (
        Department.objects.filter(enterprise=key_parameter("enterprise"))
        .select_related("enterprise")
        .order_by("pk")
    )


def test_each_call_gets_the_rows_of_its_own_values() -> None:
    with platform_scope(reason="test"):
        first, second = DepartmentFactory(name="甲"), DepartmentFactory(name="乙")
        query = CompiledQuery(list_departments)

        assert [row.name for row in query.fetch(enterprise=first.enterprise_id)] == ["甲"]
        assert [row.name for row in query.fetch(enterprise=second.enterprise_id)] == ["乙"]


def test_an_instance_has_the_joined_row_without_a_second_query() -> None:
    with platform_scope(reason="test"):
        department = DepartmentFactory()
        with assert_queries(1):
            [row] = CompiledQuery(list_departments).fetch(enterprise=department.enterprise_id)
            assert row.enterprise.name == department.enterprise.name


def test_one_compiled_query_serves_each_group_with_its_own_rows_only() -> None:
    with platform_scope(reason="test"):
        own, foreign = DepartmentFactory(), DepartmentFactory()
    query = CompiledQuery(lambda: Department.objects.order_by("pk"))
    assert own.group_id != foreign.group_id

    for department in (own, foreign, own):
        with tenant_scope(group_id=department.group_id):
            assert query.fetch() == [department]
    with platform_scope(reason="test"):
        assert query.fetch() == [own, foreign]


def test_a_subquery_of_a_compiled_query_stays_in_the_group() -> None:
    with platform_scope(reason="test"):
        own, foreign = DepartmentFactory(), DepartmentFactory()
    query = CompiledQuery(
        lambda: Department.objects.filter(pk__in=Department.objects.values("pk")).order_by("pk")
    )

    for department in (own, foreign):
        with tenant_scope(group_id=department.group_id):
            assert query.fetch() == [department]


def test_a_query_of_keys_is_the_same_condition_beside_another() -> None:
    with platform_scope(reason="test"):
        first, second, third = (DepartmentFactory() for _ in range(3))
        keys = Department.objects.filter(enterprise=key_parameter("enterprise")).values("pk")
        query = CompiledQuery(
            lambda: Department.objects.filter(
                Q(pk__any_of=keys) | Q(pk=key_parameter("department"))
            ).order_by("pk")
        )

        assert query.fetch(enterprise=first.enterprise_id, department=third.pk) == [first, third]
        assert query.fetch(enterprise=second.enterprise_id, department=third.pk) == [second, third]


def test_without_a_scope_nothing_is_read() -> None:
    query = CompiledQuery(Department.objects.all)

    with no_scope(), pytest.raises(NoTenantScope):
        query.fetch()


def test_rows_of_no_tenant_are_read_without_a_scope() -> None:
    query = CompiledQuery(Group.objects.all)

    with no_scope():
        assert query.fetch() == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_locks_need_a_transaction() -> None:
    query = CompiledQuery(Group.objects.select_for_update)

    with transaction.atomic():
        assert query.fetch() == []
    with pytest.raises(TransactionManagementError):
        query.fetch()


def test_a_list_has_any_number_of_keys() -> None:
    with platform_scope(reason="test"):
        enterprise = EnterpriseFactory()
        keys = [DepartmentFactory(enterprise=enterprise).pk for _ in range(3)]
        query = CompiledQuery(
            lambda: (
                Department.objects.filter(pk__any_of=ListParameter("keys"))
                .order_by("pk")
                .values_list("pk", flat=True)
            )
        )

        for chosen in ([], keys[:1], keys):
            assert query.fetch(keys=chosen) == chosen


def test_a_list_of_texts_may_contain_any_character() -> None:
    with platform_scope(reason="test"):
        enterprise = EnterpriseFactory()
        for name in ('甲",}', "乙"):
            DepartmentFactory(enterprise=enterprise, name=name)
        query = CompiledQuery(
            lambda: Department.objects.filter(name__any_of=ListParameter("names", is_text=True))
        )

        assert [row.name for row in query.fetch(names=['甲",}', "丙"])] == ['甲",}']


def test_a_query_that_can_match_nothing_asks_nothing() -> None:
    with platform_scope(reason="test"), assert_queries(0):
        assert CompiledQuery(lambda: Department.objects.filter(pk__in=[])).fetch() == []


def test_the_second_call_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with platform_scope(reason="test"):
        department = DepartmentFactory()
        query = CompiledQuery(list_departments)
        query.fetch(enterprise=department.enterprise_id)
        monkeypatch.delattr(SQLCompiler, "as_sql")

        assert query.fetch(enterprise=department.enterprise_id) == [department]
