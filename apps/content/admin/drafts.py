"""Preview of an unsaved form on the real page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from apps.common.keys import key_of
from apps.content.models import Scheduled
from apps.content.selectors.preview import preview_token
from apps.office.stale_forms import drop_marks


class DraftMixin:
    """Adds a button that opens the real page with the content of the form. Nothing is saved."""

    opts: Any
    admin_site: Any
    change_form_after_template = "admin/content/draft.html"

    def get_urls(self) -> list[URLPattern]:
        view, name = (
            self.admin_site.admin_view(self.draft_view),
            f"{self.opts.app_label}_{self.opts.model_name}_draft",
        )
        addresses = [
            path("draft/", view, name=name),
            path("<int:object_id>/draft/", view, name=name),
        ]
        return [*addresses, *super().get_urls()]  # type: ignore[misc]

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        *args: Any,
        obj: Any = None,
        **kwargs: Any,
    ) -> HttpResponse:
        page = reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_draft",
            args=[obj.pk] if obj else [],
        )
        answer: HttpResponse = super().render_change_form(  # type: ignore[misc]
            request, {**context, "draft_page": page}, *args, obj=obj, **kwargs
        )
        return answer

    def draft_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Redirect to the real page with the content of the form, at its start time if that is
        in the future. Pictures stay the stored ones.
        """
        row = self._row(request, object_id)
        drop_marks(request)
        form = self.get_form(request, row, change=row is not None)(request.POST, instance=row)  # type: ignore[attr-defined]
        if not form.is_valid():
            label = f"admin:{self.opts.app_label}_{self.opts.model_name}"
            for name, texts in form.errors.items():
                field = form.fields.get(name)
                messages.error(
                    request, f"无法预览：{f'{field.label}：' if field else ''}{'；'.join(texts)}"
                )
            return HttpResponseRedirect(
                reverse(f"{label}_change", args=[row.pk]) if row else reverse(f"{label}_add")
            )
        draft: Scheduled = form.save(commit=False)
        draft.created_at, draft.updated_at = draft.created_at or timezone.now(), timezone.now()
        at = max(draft.valid_from or timezone.now(), timezone.now())
        return HttpResponseRedirect(f"/?preview={preview_token(at=at, row=draft, unsaved=True)}")

    def _row(self, request: HttpRequest, object_id: int | None) -> Any:
        if request.method != "POST":
            raise Http404
        row = self.get_object(request, str(key_of(object_id))) if object_id else None  # type: ignore[attr-defined]
        if object_id and row is None:
            raise Http404
        may = self.has_change_permission(request, row) if row else self.has_add_permission(request)  # type: ignore[attr-defined]
        if not may:
            raise PermissionDenied
        return row
