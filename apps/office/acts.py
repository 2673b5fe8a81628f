"""A page for one action of staff: facts, a form and one service call.

An error of the service appears beside the form. After success the page redirects back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse

from apps.common.errors import DomainError
from apps.office.bases import PageBase


@dataclass(frozen=True, slots=True)
class Act:
    """One action on one subject.

    `facts` are (name, value) pairs that help to decide. `page` is the address to redirect to.
    `result_text` makes the success message from the return value of the service. Without it, the
    message is the title and 成功.
    """

    title: str
    subject: str
    page: str
    form: Form
    facts: list[tuple[str, object]] = field(default_factory=list)
    notice: str = ""
    is_final: bool = False
    result_text: Callable[[Any], str] | None = None


class ActPageMixin(PageBase):
    """Adds `act_page` to a ModelAdmin."""

    def act_page(
        self,
        request: HttpRequest,
        act: Act,
        service: Callable[[dict[str, Any]], object],
        *,
        template: str = "admin/act.html",
    ) -> HttpResponse:
        """Show the action. On a valid POST, call the service with the cleaned form and redirect.

        A DomainError of the service is shown in the form.
        """
        if request.method == "POST" and act.form.is_valid():
            try:
                result = service(act.form.cleaned_data)
            except DomainError as error:
                act.form.add_error(None, error.text)
            else:
                text = act.result_text(result) if act.result_text else f"{act.title}成功"
                messages.success(request, f"{act.subject}：{text}")
                return HttpResponseRedirect(act.page)
        context = {
            **self.admin_site.each_context(request),
            "title": f"{act.title} · {act.subject}",
            "act": act,
            "form": act.form,
        }
        return TemplateResponse(request, template, {**context, "opts": self.opts})
