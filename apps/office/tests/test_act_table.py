"""A table of actions becomes the buttons and forms of an admin page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.test import RequestFactory

from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form


class ReasonForm(forms.Form):
    reason = forms.CharField()


CALLS: list[dict[str, Any]] = []
CLOSE = DocumentAct(
    path="close-it",
    title="关闭",
    icon="cancel",
    service=lambda **given: CALLS.append(given),
    form=use_plain_form(ReasonForm),
    permission="close",
    is_destructive=True,
    notice=lambda document: f"将关闭 {document}。",
)


class PaperAdmin(DocumentActsMixin):
    acts = (CLOSE,)
    service_key = "paper_id"


def test_each_row_is_an_action_of_unfold() -> None:
    run: Any = vars(PaperAdmin)["close_it_one"]

    assert PaperAdmin.actions_detail == ("close_it_one",)
    assert (run.url_path, run.short_description, run.allowed_permissions, run.icon) == (
        "close-it",
        "关闭",
        ["close"],
        "cancel",
    )


def test_the_form_of_an_act_reads_the_post() -> None:
    request = RequestFactory().post("/", {"reason": "不要了"})

    form = CLOSE.form(request, None)

    assert form.is_valid()
    assert CLOSE.arguments(form) == {"reason": "不要了"}


def test_a_final_act_is_marked_by_its_flag_not_by_its_title() -> None:
    assert CLOSE.is_destructive
    assert not DocumentAct(
        path="reject", title="驳回", icon="", service=HttpResponse, form=use_plain_form(forms.Form)
    ).is_destructive
