"""The browsable API. Only staff with a session get it; everyone else gets JSON, whatever the Accept
header prefers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from rest_framework.exceptions import APIException, NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, BrowsableAPIRenderer
from rest_framework.request import Request, override_method

from apps.common.api.renderers import EnvelopeRenderer
from apps.common.errors import DomainError
from apps.common.middleware.response_headers import DOCS
from apps.common.requests import get_staff


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
        if get_staff(request) is None:
            offered = [one for one in offered if not isinstance(one, BrowsableAPIRenderer)]
        try:
            renderer: tuple[BaseRenderer, str] = super().select_renderer(
                request, offered, format_suffix
            )
        except NotAcceptable:
            if "text/html" not in request.headers.get("Accept", ""):
                raise
            return offered[0], offered[0].media_type
        return renderer


class RawBodyForm(forms.Form):
    """The JSON body of a write. The page's script sends it with the CSRF token."""

    _content_type = forms.ChoiceField(
        label="类型",
        choices=[("application/json", "application/json")],
        widget=forms.Select(attrs={"data-override": "content-type"}),
    )
    _content = forms.CharField(
        label="内容",
        required=False,
        initial="{}",
        widget=forms.Textarea(attrs={"data-override": "content", "rows": 10}),
    )


class EnvelopeBrowsableRenderer(BrowsableAPIRenderer):
    """Show the envelope, and forms for the methods that the caller may use. The page runs only
    scripts of this site.
    """

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        response = (renderer_context or {})["response"]
        response["Content-Security-Policy"] = DOCS
        return super().render(data, accepted_media_type, renderer_context)

    def get_context(
        self, data: Any, accepted_media_type: str | None, renderer_context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return DRF's context, plus the staff member and the customer account he is signed in
        as.
        """
        context: dict[str, Any] = super().get_context(data, accepted_media_type, renderer_context)
        request = renderer_context["request"]
        return {
            **context,
            "staff": get_staff(request),
            "customer": getattr(request._request, "account", None),
        }

    def get_default_renderer(self, view: Any) -> Any:
        return EnvelopeRenderer()

    def show_form_for_method(self, view: Any, method: str, request: Any, obj: Any) -> bool:
        """Return whether the route has the method and the caller may use it."""
        if method not in view.allowed_methods:
            return False
        try:
            view.check_permissions(request)
        except (APIException, DomainError):
            return False
        return True

    def get_rendered_html_form(self, data: Any, view: Any, method: str, request: Any) -> Any:
        """Return whether to show the DELETE button. There are no field forms, because each
        operation has a body serializer of its own.
        """
        return (method == "DELETE" and self._may_call(view, method, request)) or None

    def get_raw_data_form(
        self, data: Any, view: Any, method: str, request: Any
    ) -> RawBodyForm | None:
        """Return the form for the body of a write, or None if the caller may not do it."""
        return RawBodyForm() if self._may_call(view, method, request) else None

    def _may_call(self, view: Any, method: str, request: Any) -> bool:
        with override_method(view, request, method) as overridden:
            return self.show_form_for_method(view, method, overridden, None)

    def get_filter_form(self, data: Any, view: Any, request: Any) -> Any:
        """Return no form: lists filter with query serializers, not with filter backends."""
        return None
