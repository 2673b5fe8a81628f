"""The staff's session login in the admin. Customers never get a session: they sign in by token."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest

from apps.common.client_address import client_address
from apps.common.limits.counters import client_limit_name, hit, peek
from apps.identity.selectors.sign_in import account_by_pk, account_by_username
from apps.org.models import Account

FAILURES, WINDOW_SECONDS = 10, 15 * 60


class AccountBackend(ModelBackend):
    """Looks accounts up over all groups: at login no tenant is known yet. An address that fails ten times in 15 minutes is not heard."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> Account | None:
        if username is None or password is None:
            return None
        counter = client_limit_name(name="admin-login", client=client_address(request)) if request else ""
        if counter and peek(name=counter) >= FAILURES:
            return None
        account = account_by_username(username)
        if account is None:
            make_password(password)  # the same time as a wrong password
        elif account.check_password(password) and account.is_staff and self.user_can_authenticate(account):
            return account
        if counter:
            hit(name=counter, limit=FAILURES, window_seconds=WINDOW_SECONDS, holds_from=FAILURES)
        return None

    def get_user(self, user_id: Any) -> Account | None:
        account = account_by_pk(user_id)
        return account if account is not None and account.is_staff and self.user_can_authenticate(account) else None
