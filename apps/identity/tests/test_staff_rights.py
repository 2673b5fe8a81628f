"""Rules for changes to staff accounts: only a superuser grants or removes back-office rights."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group as StaffGroup
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from apps.common.tenancy import platform_scope
from apps.identity.tests.test_admin import NEW, build_account_form, sign_in_office
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from apps.org.tests.office import create_staff, open_office


@pytest.fixture
def system(db: None) -> Client:
    """A member of staff with the job 系统, which manages accounts."""
    return open_office(create_staff("系统"))


def exists(account: Account) -> bool:
    with platform_scope(reason="test"):
        return Account.objects.filter(pk=account.pk).exists()


def test_only_a_superuser_changes_staff_accounts_and_rights(
    system: Client, staff: Account, buyer: Account
) -> None:
    with platform_scope(reason="test"):
        colleague = StaffFactory(is_superuser=False)
    for other in (staff, colleague):
        page = reverse("admin:auth_user_password_change", args=[other.pk])
        assert system.post(page, {"password1": NEW, "password2": NEW}).status_code == 403
    system.post(
        reverse("admin:org_account_change", args=[buyer.pk]),
        build_account_form(buyer, is_superuser="on", nickname="改"),
    )
    buyer.refresh_from_db()
    assert (buyer.nickname, buyer.is_superuser) == ("改", False)


def test_only_a_superuser_deletes_staff(system: Client, staff: Account) -> None:
    one = system.post(reverse("admin:org_account_delete", args=[staff.pk]), {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [staff.pk], "post": "yes"}
    system.post(reverse("admin:org_account_changelist"), chosen)

    assert one.status_code == 403
    assert exists(staff)


def test_a_superuser_deletes_staff(db: None) -> None:
    with platform_scope(reason="test"):
        StaffFactory(username="boss")
        leaving = StaffFactory(is_superuser=False)
    sign_in_office("boss").post(
        reverse("admin:org_account_delete", args=[leaving.pk]), {"post": "yes"}
    )

    assert not exists(leaving)


def test_staff_cannot_change_add_or_delete_jobs(system: Client) -> None:
    job = StaffGroup.objects.get(name="系统")
    before = set(job.permissions.values_list("pk", flat=True))
    form = {"name": "系统", "permissions": list(Permission.objects.values_list("pk", flat=True))}
    changed = system.post(reverse("admin:auth_group_change", args=[job.pk]), form)
    added = system.post(reverse("admin:auth_group_add"), {**form, "name": "全部"})
    deleted = system.post(reverse("admin:auth_group_delete", args=[job.pk]), {"post": "yes"})

    assert [answer.status_code for answer in (changed, added, deleted)] == [403, 403, 403]
    assert set(job.permissions.values_list("pk", flat=True)) == before


def test_a_job_that_was_given_the_right_by_hand_does_not_widen_itself_either(
    system: Client,
) -> None:
    job = StaffGroup.objects.get(name="系统")
    job.permissions.add(
        *Permission.objects.filter(content_type__app_label="auth", content_type__model="group")
    )

    assert (
        system.post(reverse("admin:auth_group_change", args=[job.pk]), {"name": "系统"}).status_code
        == 403
    )
