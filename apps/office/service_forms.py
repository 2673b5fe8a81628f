"""Forms of the back office that a service saves.

If the service raises a DomainError, nothing is written and the errors appear beside the fields.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.common.errors import DomainError
from apps.office.lists import OfficeAdmin
from apps.office.pages import PageBase

REFUSED = "service_refused"


class RefusalForm(forms.BaseModelForm[Any]):
    """A form which shows the errors of the service."""

    refused: ClassVar[DomainError | None]
    wire: ClassVar[dict[str, str]]

    def clean(self) -> Any:
        """Put the errors of the refused service call on the fields that they are about."""
        cleaned_data = super().clean()
        if self.refused is None:
            return cleaned_data
        body = self.refused.body
        errors = body.get("Errors", {}) if isinstance(body, dict) else {}
        for key, texts in (errors or {"": [self.refused.text]}).items():
            field = self.wire.get(key, "")
            for text in texts:
                self.add_error(field if field in self.fields else None, text)
        return cleaned_data


class ServiceForm(RefusalForm):
    """A form whose service checks uniqueness."""

    def _post_clean(self) -> None:
        """Skip the constraints: the service checks them under a lock and names the field."""
        self.instance.validate_constraints = lambda **_kwargs: None
        super()._post_clean()  # type: ignore[misc]
        del self.instance.validate_constraints


class RefusalMixin(PageBase):
    """Shows the error of a service that saves the form, beside the typed values."""

    # Key on the wire → field of the form, for a service's messages.
    wire: ClassVar[dict[str, str]] = {}
    refusal_form: ClassVar[type[RefusalForm]] = RefusalForm

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form class with the refusal of the service, if it refused. `wire` maps the
        field names of the API to those of the form.
        """
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(
            form.__name__,
            (self.refusal_form, form),
            {"refused": getattr(request, REFUSED, None), "wire": self.wire},
        )

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save the form. If the service refuses, show the form again with the errors."""
        try:
            answer: HttpResponse = super().changeform_view(request, *args, **kwargs)
        except DomainError as error:
            setattr(request, REFUSED, error)
            for upload in request.FILES.values():
                upload.seek(0)  # type: ignore[union-attr]
            answer = super().changeform_view(request, *args, **kwargs)
        return answer


class ServiceFormMixin(RefusalMixin):
    """Saves and deletes the rows of a ModelAdmin by services.

    A page that allows deleting also defines `delete_by_service`.
    """

    refusal_form = ServiceForm

    def save_by_service(self, request: HttpRequest, row: Any, form: Any, *, is_new: bool) -> Model:
        """Write the row with the form's values and return it.

        Raises:
            DomainError: refused; shown in the form.
        """
        raise NotImplementedError

    def delete_by_service(self, request: HttpRequest, row: Any) -> None:
        """Delete the row.

        Raises:
            DomainError: refused; shown on its page.
        """
        raise NotImplementedError

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        saved = self.save_by_service(request, obj, form, is_new=not change)
        obj.__dict__.update(saved.__dict__)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.delete_by_service(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_by_service(request, row)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove the bulk delete: each row may be refused for its own reason."""
        actions: dict[str, Any] = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Delete the row. If the service refuses, redirect to the row and show the error."""
        try:
            answer: HttpResponse = super().delete_view(request, object_id, extra_context)
        except DomainError as error:
            messages.error(request, error.text)
            label, name = self.opts.app_label, self.opts.model_name
            return HttpResponseRedirect(reverse(f"admin:{label}_{name}_change", args=[object_id]))
        return answer


class ServiceFormAdmin(ServiceFormMixin, OfficeAdmin):
    """A page whose rows are saved by services."""


def get_form_values(form: Any, names: Any) -> dict[str, Any]:
    """Return the form's values of those fields that it has."""
    return {name: form.cleaned_data[name] for name in names if name in form.cleaned_data}
