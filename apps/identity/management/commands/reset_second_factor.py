"""`manage.py reset_second_factor USERNAME --reason TEXT`: remove the second factor of an account,
for the only superuser who lost telephone and recovery codes.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import DomainError
from apps.common.tenancy import platform_scope
from apps.identity.selectors import find_account_by_username
from apps.identity.services.second_factor import factor_reset


class Command(BaseCommand):
    help = "Remove the second factor of an account. The log of the back office has the reason."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--reason", required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Reset it, or fail with the message of the refusal."""
        account = find_account_by_username(options["username"])
        if account is None:
            raise CommandError(f"There is no account {options['username']}.")
        try:
            with platform_scope(reason="reset_second_factor"):
                factor_reset(staff=None, account=account, reason=options["reason"])
        except DomainError as error:
            raise CommandError(error.text) from error
        self.stdout.write(f"The second factor of {account.username} is removed.")
