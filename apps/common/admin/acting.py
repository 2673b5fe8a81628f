"""An act of the staff: facts, a form, one service; the refusal is shown beside the form, success leads back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.admin.sites import AdminSite
from django.db.models.options import Options
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from apps.common.errors import DomainError


@dataclass(frozen=True, slots=True)
class Act:
    """`subject` is what it is done to, `facts` are (name, value) to decide by, `page` is where it leads back to.

    `said` tells from what the service returned how it went, where that is more than 成功.
    """

    title: str
    subject: str
    page: str
    form: Form
    facts: list[tuple[str, object]] = field(default_factory=list)
    notice: str = ""
    is_final: bool = False
    said: Callable[[Any], str] | None = None


class ActingMixin:
    """Gives a ModelAdmin `act_page`."""

    admin_site: AdminSite
    opts: Options[Any]

    def act_page(
        self, request: HttpRequest, act: Act, service: Callable[[dict[str, Any]], object], *, template: str = "admin/act.html"
    ) -> HttpResponse:
        """Show the act; on a valid POST call the service with the cleaned form and lead back, or say why not."""
        if request.method == "POST" and act.form.is_valid():
            try:
                result = service(act.form.cleaned_data)
            except DomainError as error:
                act.form.add_error(None, error.text)
            else:
                messages.success(request, f"{act.subject}：{act.said(result) if act.said else f'{act.title}成功'}")
                return HttpResponseRedirect(act.page)
        context = {**self.admin_site.each_context(request), "title": f"{act.title} · {act.subject}", "act": act, "form": act.form}
        return TemplateResponse(request, template, {**context, "opts": self.opts})
