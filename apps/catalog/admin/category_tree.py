"""类目排序: the tree to drag in, with buttons that do the same, and a page that asks before products take another path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.signing import BadSignature, dumps, loads
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from unfold.decorators import action
from unfold.widgets import UnfoldAdminSelectWidget

from apps.catalog.models import Category
from apps.catalog.selectors.category_board import (
    FIRST,
    LAST,
    Place,
    category_board,
    move_text,
    path_text,
    place_named,
    place_of,
    siblings_in,
    version_of,
)
from apps.catalog.selectors.category_place import move_consequence, place_refusal
from apps.catalog.services.category_move import CategoryMoved, category_move
from apps.common.admin.choosing import search_choice, search_choices_open
from apps.common.errors import DomainError
from apps.common.keys import key_of

SALT = "catalog.category_move"


@dataclass(frozen=True, slots=True)
class Move:
    """A move as a page sends it; `text` is how it was sent."""

    text: str
    category_id: int
    place: str
    at: str
    was: str
    seen: str


def move_of(text: str) -> Move | None:
    """Return what a page sends as a move; None where it is none."""
    parts = text.split(":")
    if len(parts) != 5:
        return None
    category_id = key_of(parts[0])
    return Move(text, category_id, parts[1], parts[2], parts[3], parts[4]) if category_id else None


class MoveToForm(forms.Form):
    """Another place by search: for who does not drag, and for what stands far away."""

    parent = search_choice(Category, "parent", label="上级类目", help_text="一级或二级类目；移为一级类目则留空")
    menu_group = search_choice(Category, "menu_group", label="菜单分组", help_text="只用于一级类目")
    at = forms.ChoiceField(label="位置", choices=((LAST, "排在最后"), (FIRST, "排在最前")), widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        search_choices_open(self)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if not self.errors and values.get("parent") is None and values.get("menu_group") is None:
            self.add_error("parent", "请选择上级类目；移为一级类目请选择菜单分组")
        return values

    def place(self) -> Place:
        """Return the chosen place; of a valid form."""
        parent: Category | None = self.cleaned_data["parent"]
        return Place(parent, None if parent else self.cleaned_data["menu_group"])


class CategoryTreeMixin:
    """Gives the categories' list its page 类目排序."""

    @action(description="拖动排序", url_path="tree", icon="account_tree", permissions=["change"])  # type: ignore[untyped-decorator]
    def order_tree(self, request: HttpRequest) -> HttpResponse:
        """Show the tree, or the page of one category to move; do the move that is sent."""
        if request.method == "POST":
            return self._moved(request)
        if "move" in request.GET:
            return self._move_to(request)
        undo = _undo_of(request.GET.get("undo", ""))
        shown = {"columns": category_board(), "at": key_of(request.GET.get("at", "")), "undo": undo and _undo_move(*undo)}
        return self._tree_page(request, "category_tree", "类目排序", shown)

    def _moved(self, request: HttpRequest) -> HttpResponse:
        move = move_of(request.POST.get("move", ""))
        category = Category.objects.select_related("parent__parent", "menu_group").filter(pk=move.category_id).first() if move else None
        if move is None or category is None:
            messages.error(request, "该类目已不存在或请求不完整，请按最新的类目重试")
            return HttpResponseRedirect(request.path)
        target = place_named(move.place)
        if "confirm" not in request.POST and target and not place_refusal(category=category, parent=target.parent):
            follows = move_consequence(category=category, parent=target.parent)
            if follows.products:
                shown = {"category": category, "was": path_text(category), "target": target, "follows": follows, "move": move}
                return self._tree_page(request, "category_confirm", f"移动类目 · {category.name}", shown)
        return HttpResponseRedirect(f"{request.path}?{self._done(request, move)}")

    def _done(self, request: HttpRequest, move: Move) -> str:
        """Do the move, say how it went, and return the query of the page that comes after."""
        try:
            done = category_move(
                actor=request.user,  # type: ignore[arg-type]
                category_id=move.category_id,
                place=move.place,
                at=move.at,
                was=move.was,
                seen=move.seen,
            )
        except DomainError as error:
            messages.error(request, error.text)
            return urlencode({"at": move.category_id})
        if not done.is_changed:
            messages.info(request, f"“{done.category.name}”已在这个位置，没有变化")
            return urlencode({"at": move.category_id})
        products = f"，{done.products:,} 个商品的类目已随之更新" if done.products else ""
        messages.success(request, f"已将“{done.category.name}”移到“{done.place}”第 {done.category.position} 位{products}")
        return urlencode({"at": move.category_id, "undo": _undo_text(done)})

    def _move_to(self, request: HttpRequest) -> HttpResponse:
        """Ask where the category goes; a choice that the tree allows becomes a move, and is confirmed or done as any other."""
        category = get_object_or_404(Category.objects.select_related("parent__parent", "menu_group"), pk=key_of(request.GET["move"]))
        form = MoveToForm(
            request.GET if "at" in request.GET else None, initial={"parent": category.parent_id, "menu_group": category.menu_group_id}
        )
        shown: dict[str, Any] = {"category": category, "form": form, "was": version_of(row.pk for row in siblings_in(place_of(category)))}
        if form.is_bound and form.is_valid():
            if refusal := place_refusal(category=category, parent=form.cleaned_data["parent"]):
                form.add_error("parent", refusal)
            else:
                target = form.place()
                text = move_text(category.pk, target.key, form.cleaned_data["at"], request.GET.get("was", ""), "")
                follows = move_consequence(category=category, parent=target.parent)
                shown |= {"target": target, "follows": follows, "move": move_of(text), "was": path_text(category)}
                return self._tree_page(request, "category_confirm", f"移动类目 · {category.name}", shown)
        return self._tree_page(request, "category_move", f"移动类目 · {category.name}", shown | {"path": path_text(category)})

    def _tree_page(self, request: HttpRequest, template: str, title: str, shown: dict[str, Any]) -> TemplateResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, "page": request.path}  # type: ignore[attr-defined]
        return TemplateResponse(request, f"admin/catalog/{template}.html", {**context, **shown})


def _undo_text(done: CategoryMoved) -> str:
    return dumps([done.category.pk, done.was, done.was_at], salt=SALT)


def _undo_of(text: str) -> tuple[int, str, str] | None:
    """Return the move that takes one back, of the address of the page that came after it; None where there is none."""
    try:
        category_id, place, at = loads(text, salt=SALT, max_age=3600)
    except BadSignature:
        return None
    return category_id, place, at


def _undo_move(category_id: int, place: str, at: str) -> dict[str, str] | None:
    """Return name and move of taking it back, held against the lists as they are now; None where one of them has gone."""
    category = Category.objects.select_related("parent__parent", "menu_group").filter(pk=category_id).first()
    target = place_named(place)
    if category is None or target is None:
        return None
    was, seen = (version_of(row.pk for row in siblings_in(each)) for each in (place_of(category), target))
    return {"name": category.name, "move": move_text(category_id, place, at, was, seen)}
