"""The group's settings (集团管理) for the lifetime and the number of sessions."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.common.tenancy import platform_scope
from apps.identity.errors import RefreshRefused, SecondFactorNowRequired
from apps.identity.models import TokenFamily
from apps.identity.services.family import family_begin, family_refresh
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.tests.services.test_second_factor import compute_code
from apps.org.models import Account


@pytest.fixture
def strict(buyer: Account) -> Account:
    """An account whose group ends a session after 8 hours without use."""
    assert buyer.group is not None
    buyer.group.session_hours = 8
    buyer.group.save()
    return buyer


def get_time_left() -> timedelta:
    return TokenFamily.objects.get().expires_at - timezone.now()


def test_a_sign_in_lasts_as_long_as_the_group_chose(strict: Account) -> None:
    family_begin(account=strict, client="127.0.0.1")

    assert timedelta(hours=7, minutes=59) < get_time_left() <= timedelta(hours=8)


def test_session_lasts_thirty_days_by_default(buyer: Account) -> None:
    family_begin(account=buyer, client="127.0.0.1")

    assert timedelta(days=29, hours=23) < get_time_left() <= timedelta(days=30)


def test_refresh_prolongs_the_session_by_the_group_hours(strict: Account) -> None:
    pair = family_begin(account=strict, client="127.0.0.1")
    TokenFamily.objects.update(
        used_at=timezone.now() - timedelta(hours=7), expires_at=timezone.now() + timedelta(hours=1)
    )

    family_refresh(refresh_token=pair.refresh, user_id=str(strict.pk))

    assert timedelta(hours=7, minutes=59) < get_time_left() <= timedelta(hours=8)


def test_new_session_hours_apply_to_existing_sessions(buyer: Account) -> None:
    pair = family_begin(account=buyer, client="127.0.0.1")
    TokenFamily.objects.update(used_at=timezone.now() - timedelta(hours=9))
    assert buyer.group is not None
    buyer.group.session_hours = 8
    buyer.group.save()

    with pytest.raises(RefreshRefused):
        family_refresh(refresh_token=pair.refresh, user_id=str(buyer.pk))


def test_single_session_group_ends_the_previous_sign_in(buyer: Account) -> None:
    assert buyer.group is not None
    buyer.group.has_single_session = True
    buyer.group.save()
    family_begin(account=buyer, client="127.0.0.1")
    family_begin(account=buyer, client="127.0.0.2")

    assert list(TokenFamily.objects.order_by("pk").values_list("revoked_why", flat=True)) == [
        "在别处登录",
        "",
    ]


def test_impersonation_ends_no_session_of_a_single_session_group(
    buyer: Account, staff: Account
) -> None:
    assert buyer.group is not None
    buyer.group.has_single_session = True
    buyer.group.save()
    family_begin(account=buyer, client="127.0.0.1")
    family_begin(account=buyer, client="127.0.0.2", impersonator=staff, reason="协助下单")

    assert TokenFamily.objects.filter(revoked_at__isnull=True).count() == 2


@pytest.fixture
def guarded(buyer: Account) -> Account:
    """An account without a second factor, whose group requires one since now."""
    assert buyer.group is not None
    buyer.group.requires_second_factor = True
    buyer.group.save()
    return buyer


def test_sign_in_from_before_the_requirement_ends_at_its_next_refresh(guarded: Account) -> None:
    pair = family_begin(account=guarded, client="127.0.0.1")

    with pytest.raises(SecondFactorNowRequired, match="请重新登录，并按提示绑定手机验证器"):
        family_refresh(refresh_token=pair.refresh, user_id=str(guarded.pk))

    assert TokenFamily.objects.get().revoked_why == "集团要求两步验证"


def test_sign_in_with_another_proof_outlives_the_requirement(guarded: Account) -> None:
    pair = family_begin(account=guarded, client="127.0.0.1", is_by_password=False)

    assert family_refresh(refresh_token=pair.refresh, user_id=str(guarded.pk)).refresh


def test_sign_in_of_an_account_with_a_factor_outlives_the_requirement(guarded: Account) -> None:
    with platform_scope(reason="test"):
        secret = factor_begin(account=guarded).secret
        factor_confirm(account=guarded, code=compute_code(secret))
    pair = family_begin(account=guarded, client="127.0.0.1")

    assert family_refresh(refresh_token=pair.refresh, user_id=str(guarded.pk)).refresh
