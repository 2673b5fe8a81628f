"""Session login of staff in the admin. Customers never get a session; they use tokens."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest

from apps.common.requests import client_address, mall_request
from apps.identity.known_device import read_device
from apps.identity.selectors.sign_in import account_by_pk, account_by_username
from apps.identity.services.sign_in_pace import attempt_begin, attempt_failed, attempt_succeeded
from apps.org.models import Account

DOOR = "admin-login"


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
            return self._proved(username, password)
        attempt = attempt_begin(
            door=DOOR,
            username=username,
            client=client_address(request),
            device=read_device(request),
        )
        account = None if attempt.wait else self._proved(username, password)
        if account is not None:
            attempt_succeeded(attempt)
        else:
            mall_request(request).sign_in_wait = attempt.wait or attempt_failed(attempt)
        return account

    def _proved(self, username: str, password: str) -> Account | None:
        account = account_by_username(username)
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
        account = account_by_pk(user_id)
        return (
            account
            if account is not None and account.is_staff and self.user_can_authenticate(account)
            else None
        )
