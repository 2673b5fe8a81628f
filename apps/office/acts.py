"""Actions of staff. `ActPageMixin` is the page of one action: facts, a form and one service call.
An error of the service appears beside the form. After success the page redirects back.

`DocumentActsMixin` makes such actions from a table: each row is a button with a form behind it.
The admin names its rows in `acts`. `is_destructive` marks an act that takes something away: it
rejects, cancels, hides, disables or removes, or it cannot be undone. Its button is red. A second
act may undo a part of it, as 启用 after 停用.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse

from apps.common.errors import DomainError
from apps.common.numbers import parse_key
from apps.office.pages import PageBase, action


@dataclass(frozen=True, slots=True)
class Act:
    """One action on one subject.

    `facts` are (name, value) pairs that help to decide. `page` is the address to redirect to.
    `result_text` makes the success message from the return value of the service. Without it, the
    message is the title and 成功. `refusal` says why this person cannot act now: the page shows it
    and no form.
    """

    title: str
    subject: str
    page: str
    form: Form
    facts: list[tuple[str, object]] = field(default_factory=list)
    notice: str = ""
    is_destructive: bool = False
    result_text: Callable[[Any], str] | None = None
    refusal: str = ""


class ActPageMixin(PageBase):
    """Adds `show_act_page` to a ModelAdmin."""

    def show_act_page(
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


FormMaker = Callable[[HttpRequest, Any], Form]


def use_plain_form(form: type[Form]) -> FormMaker:
    """Return the maker of a form that does not depend on the document."""
    return lambda request, _document: form(request.POST or None)


def get_cleaned_fields(form: Any) -> dict[str, Any]:
    """Return the fields of a valid form, as keywords of the service."""
    return dict(form.cleaned_data)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAct:
    """One act. The service receives `actor`, the document's key and `arguments(form)`.

    `path` is the last part of the act's URL. `permission` p asks `has_p_permission`. `notice` is
    shown before the form. `result_text` makes the success message from the service's result.
    """

    path: str
    title: str
    icon: str
    service: Callable[..., Any]
    form: FormMaker
    arguments: Callable[[Any], dict[str, Any]] = get_cleaned_fields
    permission: str = "act"
    is_destructive: bool = False
    notice: Callable[[Any], str] | None = None
    result_text: Callable[[Any], str] | None = None
    template: str = "admin/act.html"


class DocumentActsMixin(ActPageMixin):
    """Gives a ModelAdmin its acts. It shows only the acts that `list_allowed_acts` returns.

    `service_key` is the keyword of the services for the document's primary key.
    """

    acts: ClassVar[tuple[DocumentAct, ...]] = ()
    service_key: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give the page one action for each act of `acts`."""
        super().__init_subclass__(**kwargs)
        for act in cls.acts:
            setattr(cls, _build_method_name(act), _unfold_action(act))
        cls.actions_detail = tuple(_build_method_name(act) for act in cls.acts)

    actions_detail: tuple[str, ...]

    def list_act_documents(self) -> QuerySet[Any]:
        """Return the documents with the rows that `list_act_facts` reads."""
        raise NotImplementedError

    def list_act_facts(self, document: Any) -> list[tuple[str, object]]:
        """Return the names and values above the form."""
        raise NotImplementedError

    def get_act_subject(self, document: Any) -> str:
        """Return the name of the document in the title and in the success message."""
        return str(document)

    def describe_result(self, act: DocumentAct, document: Any, result: Any) -> str:
        """Return the success message. `document` has the values from before the act."""
        return act.result_text(result) if act.result_text else f"{act.title}成功"

    def list_allowed_acts(self, document: Any) -> Collection[str]:
        """Return the paths of the acts that the document's state allows."""
        raise NotImplementedError

    def explain_refusal(self, request: HttpRequest, document: Any, act: DocumentAct) -> str:
        """Return why the person cannot do the act now; "" if he can. The service checks it too."""
        return ""

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Return the buttons that the state and the user's permissions allow."""
        document = self.list_act_documents().filter(pk=parse_key(object_id)).first()
        allowed = self.list_allowed_acts(document) if document else ()
        buttons = super().get_actions_detail(request, object_id)
        return [button for button in buttons if button.path in allowed]

    def run_act(self, request: HttpRequest, object_id: str, act: DocumentAct) -> HttpResponse:
        """Show the act's page, or call its service with the valid form."""
        document = get_object_or_404(self.list_act_documents(), pk=parse_key(object_id))
        form = act.form(request, document)
        label = self.model._meta
        page = Act(
            title=act.title,
            subject=self.get_act_subject(document),
            page=reverse(f"admin:{label.app_label}_{label.model_name}_change", args=[document.pk]),
            form=form,
            facts=self.list_act_facts(document),
            notice=act.notice(document) if act.notice else "",
            is_destructive=act.is_destructive,
            result_text=partial(self.describe_result, act, document),
            refusal=self.explain_refusal(request, document, act),
        )
        key = {self.service_key: document.pk}
        return self.show_act_page(
            request,
            page,
            lambda _cleaned: act.service(actor=request.user, **key, **act.arguments(form)),
            template=act.template,
        )


def _build_method_name(act: DocumentAct) -> str:
    return f"{act.path.replace('-', '_')}_one"


def _unfold_action(act: DocumentAct) -> Any:
    """Return the act as an action of the admin page, with its title, address, icon and
    permission.
    """

    def run(self: DocumentActsMixin, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.run_act(request, object_id, act)

    # unfold looks the action up by the function's name.
    run.__name__ = _build_method_name(act)
    decorate = action(
        description=act.title, url_path=act.path, icon=act.icon, permissions=[act.permission]
    )
    return decorate(run)
