"""Tenant isolation: no row of another group is read or written."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import models

from apps.common.models import TenantManager, TenantQuerySet
from apps.common.tenancy import ForeignTenant, NoTenantScope, no_scope, tenant_scope
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import EnterpriseFactory

TENANT_MODELS = [
    model
    for model in apps.get_models()
    if any(
        field.name == "group"
        and getattr(field.related_model, "_meta", None)
        and field.related_model._meta.label == "org.Group"
        for field in model._meta.fields
    )
]


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.label)
def test_every_model_with_a_group_is_read_through_the_tenant_manager(
    model: type[models.Model],
) -> None:
    assert isinstance(model._default_manager, TenantManager)
    assert isinstance(model._base_manager, TenantManager)
    assert model.save is not models.Model.save


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.label)
def test_tenant_model_without_a_scope_raises(db: None, model: type[models.Model]) -> None:
    with pytest.raises(NoTenantScope):
        model._default_manager.exists()


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.label)
def test_a_scope_narrows_like_a_filter(model: type[models.Model]) -> None:
    with tenant_scope(group_id=5):
        narrowed = [model._default_manager.all(), model._base_manager.all()]
    filtered: models.QuerySet[models.Model] = models.QuerySet(model).filter(group_id=5)
    assert [str(rows.order_by().query) for rows in narrowed] == 2 * [str(filtered.order_by().query)]


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.label)
def test_tenant_constraints_and_indexes_begin_with_the_group(
    model: type[models.Model],
) -> None:
    owned = [
        c
        for c in [*model._meta.constraints, *model._meta.indexes]
        if "group" in getattr(c, "fields", ())
    ]
    assert all(c.fields[0] == "group" for c in owned)


def test_create_without_a_scope_raises(enterprise: Enterprise) -> None:
    with no_scope(), pytest.raises(NoTenantScope):
        Department.objects.create(
            group_id=enterprise.group_id, enterprise=enterprise, code="X", name="X"
        )


def test_saving_without_a_scope_raises(enterprise: Enterprise) -> None:
    with no_scope(), pytest.raises(NoTenantScope):
        enterprise.save()


def test_bulk_create_without_a_scope_raises(enterprise: Enterprise) -> None:
    with no_scope(), pytest.raises(NoTenantScope):
        Department.objects.bulk_create(
            [Department(group_id=enterprise.group_id, enterprise=enterprise, code="X", name="X")]
        )


def test_a_related_manager_without_a_scope_raises(enterprise: Enterprise) -> None:
    with no_scope(), pytest.raises(NoTenantScope):
        enterprise.accounts.count()


def test_following_a_foreign_key_without_a_scope_raises(department: Department) -> None:
    fresh = Department.objects.get(pk=department.pk)
    with no_scope(), pytest.raises(NoTenantScope):
        _ = fresh.enterprise


def test_a_queryset_made_by_hand_cannot_be_written_without_a_scope(enterprise: Enterprise) -> None:
    with no_scope(), pytest.raises(NoTenantScope):
        TenantQuerySet(Enterprise).update(name="X")


def test_rows_of_another_group_are_invisible(enterprise: Enterprise, other_ga: Account) -> None:
    assert list(Enterprise.objects.all()) == [enterprise]


def test_related_object_of_another_group_does_not_exist(
    department: Department, other_ga: Account
) -> None:
    department.enterprise_id = other_ga.enterprise_id  # type: ignore[assignment] # every customer has one
    with pytest.raises(Enterprise.DoesNotExist):
        _ = department.enterprise


def test_row_of_another_group_cannot_be_saved(enterprise: Enterprise, other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id), pytest.raises(ForeignTenant):
        enterprise.save()


def test_row_of_another_group_cannot_be_deleted(enterprise: Enterprise, other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id), pytest.raises(ForeignTenant):
        enterprise.delete()


def test_row_cannot_be_bulk_created_into_another_group(
    enterprise: Enterprise, other_ga: Account
) -> None:
    row = Department(group_id=other_ga.group_id, enterprise=enterprise, code="X", name="X")
    with pytest.raises(ForeignTenant):
        Department.objects.bulk_create([row])


def test_row_of_another_group_cannot_be_bulk_updated(
    department: Department, other_ga: Account
) -> None:
    with tenant_scope(group_id=other_ga.group_id), pytest.raises(ForeignTenant):
        Department.objects.bulk_update([department], ["name"])


def test_row_cannot_be_moved_to_another_group(enterprise: Enterprise, other_ga: Account) -> None:
    with pytest.raises(ForeignTenant):
        Enterprise.objects.update(group_id=other_ga.group_id)


def test_a_row_without_a_group_is_given_the_scopes(enterprise: Enterprise) -> None:
    created = EnterpriseFactory.build(group=None)
    created.save()
    assert created.group_id == enterprise.group_id


def test_leaving_a_scope_restores_the_outer_scope(
    enterprise: Enterprise, other_ga: Account
) -> None:
    with tenant_scope(group_id=other_ga.group_id):
        pass
    assert Enterprise.objects.count() == 1
