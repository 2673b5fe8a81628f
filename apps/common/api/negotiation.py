"""Content negotiation: only staff with a session get the browsable API. Everyone else gets
JSON, whatever the Accept header prefers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer
from rest_framework.request import Request

from apps.common.staff_pages import staff_of


class StaffNegotiation(DefaultContentNegotiation):
    """Remove the browsable renderer unless the caller is staff."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and its media type. A browser that accepts only HTML gets JSON.

        Raises:
            NotAcceptable: no renderer produces an accepted media type.
        """
        offered: list[Any] = list(renderers)
        if staff_of(request) is None:
            offered = [one for one in offered if not isinstance(one, BrowsableAPIRenderer)]
        try:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(
                request, offered, format_suffix
            )
        except NotAcceptable:
            if "text/html" not in request.headers.get("Accept", ""):
                raise
            return offered[0], offered[0].media_type
        return chosen
