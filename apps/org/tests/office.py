"""Staff accounts and signed-in browsers for tests of the back office."""

from __future__ import annotations

from django.contrib.auth.models import Group as Job
from django.test import Client

from apps.common.tenancy import platform_scope
from apps.org.models import Account
from apps.org.services.staff import staff_groups_sync
from apps.org.tests.factories import StaffFactory

# The form fields of an empty table of limits, on the pages of roles and accounts.
NO_LIMITS = {"limits-TOTAL_FORMS": "0", "limits-INITIAL_FORMS": "0"}


def create_staff(job: str) -> Account:
    """Create a member of staff with the rights of this job only (客服, 商品, 财务, 系统)."""
    with platform_scope(reason="test: staff of a job"):
        # The template database has the jobs, but a transactional test empties all tables.
        if not Job.objects.filter(name=job).exists():
            staff_groups_sync()
        person = StaffFactory(is_superuser=False)
        person.groups.add(Job.objects.get(name=job))
    return person


def open_office(person: Account) -> Client:
    """Return a browser in which this person is signed in to the back office."""
    client = Client()
    with platform_scope(reason="test: staff sign in"):
        client.force_login(person, backend="apps.identity.backends.AccountBackend")
    return client
