"""The sign-in form of the back office. It shows the wait after wrong passwords. This module is
outside `admin`, because the admin site is not loaded yet when it is imported.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from unfold.forms import AuthenticationForm


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
