"""The site of the back office: unfold's, without a list of all models on every page."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin import sites
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from unfold.sites import UnfoldAdminSite


class MallAdminSite(UnfoldAdminSite):  # type: ignore[misc]
    """Builds Django's list of all models only if a page shows it.

    The menu is that of `mall.admin_navigation`. The list costs 90 reversed addresses and as many
    checks of rights, a third of the time of a page.
    """

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        """Return the list as a lazy object."""
        return SimpleLazyObject(partial(super().get_app_list, request, app_label))


class OfficeConfig(AppConfig):
    """unfold with our site. Its own configuration would create another site."""

    name = "unfold"

    def ready(self) -> None:
        """Replace Django's default site."""
        admin.site = sites.site = MallAdminSite()
