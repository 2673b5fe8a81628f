"""The sign-in of the back office: its form, which shows the wait after wrong passwords, and the
backend that checks the password. This module is outside `admin`, because the admin site is not
loaded yet when it is imported.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.forms import AuthenticationForm

from apps.common.requests import get_client_address, to_mall_request
from apps.identity.known_device import read_device
from apps.identity.selectors import find_account, find_account_by_username
from apps.identity.services.sign_in_pace import (
    STAFF_DOOR,
    attempt_begin,
    attempt_record_failure,
    attempt_record_success,
)
from apps.org.models import Account


class StaffSignInForm(AuthenticationForm):
    def get_invalid_login_error(self) -> ValidationError:
        """Return the error of a failed sign-in. A try that comes too early fails even with the
        right password.
        """
        wait = getattr(self.request, "sign_in_wait", 0)
        if wait:
            return ValidationError(
                f"账号或密码不正确，或尝试过于频繁，请 {wait} 秒后再试", code="invalid_login"
            )
        error: ValidationError = super().get_invalid_login_error()
        return error


class AccountBackend(ModelBackend):
    """Finds accounts across all groups, because no tenant is known at login. Each failure makes
    the next try wait longer (`services/sign_in_pace.py`).
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> Account | None:
        """Return the staff account. Return None if the try fails or comes too early.
        `request.sign_in_wait` then has the seconds to wait.
        """
        if username is None or password is None:
            return None
        if request is None:
            return self._check_password(username, password)
        attempt = attempt_begin(
            door=STAFF_DOOR,
            username=username,
            client=get_client_address(request),
            device=read_device(request),
        )
        account = None if attempt.wait else self._check_password(username, password)
        if account is not None:
            attempt_record_success(attempt)
        else:
            to_mall_request(request).sign_in_wait = attempt.wait or attempt_record_failure(attempt)
        return account

    def _check_password(self, username: str, password: str) -> Account | None:
        """Return the staff account with this name and password, None if there is none."""
        account = find_account_by_username(username)
        if account is None:
            make_password(password)  # takes the same time as a wrong password
            return None
        is_right = (
            account.check_password(password)
            and account.is_staff
            and self.user_can_authenticate(account)
        )
        return account if is_right else None

    def get_user(self, user_id: Any) -> Account | None:
        """Return the account of a back-office session. None unless it is active staff."""
        account = find_account(user_id)
        return (
            account
            if account is not None and account.is_staff and self.user_can_authenticate(account)
            else None
        )
