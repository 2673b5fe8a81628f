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
from apps.office.bases import PageBase
from apps.office.stale_forms import drop_marks


class DraftMixin(PageBase):
    """Adds a button that opens the real page with the content of the form. Nothing is saved."""

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
        return [*addresses, *super().get_urls()]

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        page = reverse(
            f"admin:{self.opts.app_label}_{self.opts.model_name}_draft",
            args=[obj.pk] if obj else [],
        )
        context["draft_page"] = page
        return super().render_change_form(
            request, context, add=add, change=change, form_url=form_url, obj=obj
        )

    def draft_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Redirect to the real page with the content of the form, at its start time if that is
        in the future. Pictures stay the stored ones.
        """
        row = self._row(request, object_id)
        drop_marks(request)
        form = self.get_form(request, row, change=row is not None)(request.POST, instance=row)
        if not form.is_valid():
            label = f"admin:{self.opts.app_label}_{self.opts.model_name}"
            for name, texts in form.errors.items():
                field = form.fields.get(name)
                label_text = f"{field.label}：" if field else ""
                messages.error(request, f"无法预览：{label_text}{'；'.join(map(str, texts))}")
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
        row = self.get_object(request, str(key_of(object_id))) if object_id else None
        if object_id and row is None:
            raise Http404
        may = self.has_change_permission(request, row) if row else self.has_add_permission(request)
        if not may:
            raise PermissionDenied
        return row
