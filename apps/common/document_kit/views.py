"""The viewset of a document: the list with tabs, the detail, and verbs that change its state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from apps.common.api.idempotency import idempotent
from apps.common.api.pagination import build_tabbed_schema, serialize_tabs
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet

Row = type[Serializer[Any]]
# Arguments: the request, the document's key from the URL, and the parsed body if there is one.
Verb = Callable[..., str | None]
V = TypeVar("V", bound="type[DocumentViewSet]")


class DocumentViewSet(MallViewSet):
    """`GET` for a page of documents with tabs, `GET /{key}` for one, and the app's own verbs.

    A subclass names its serializers and calls its selectors. `@describe_document_schemas` describes
    its list and detail in the API's schema.
    """

    row_serializer: ClassVar[Row]
    # A QuerySerializer with `filter`, which turns the parsed query into the selectors' filter.
    query_serializer: ClassVar[Any]
    # State → name, in the order of the tabs; "" is the tab of all documents.
    tab_names: ClassVar[Mapping[str, str]]
    lookup_url_kwarg: str

    def list_documents(self, *, actor: Any, filters: Any) -> Any:
        """Return the queryset of the documents that `actor` can see and the filter selects."""
        raise NotImplementedError

    def count_tabs(self, *, actor: Any, filters: Any) -> dict[str, int]:
        """Return the number of documents by state, for the same filter without its state."""
        raise NotImplementedError

    def build_detail_body(self, *, actor: Any, key: str) -> Any:
        """Return the answer's body for one document.

        Raises:
            NotFound: `actor` cannot see a document with this key.
        """
        raise NotImplementedError

    def list(self, request: AuthedRequest) -> Response:
        """Return a page of documents with the tabs and their counts."""
        filters = self.query_serializer.build_filter(self.query_serializer.parse(request))
        tabs = self.count_tabs(actor=request.user, filters=filters)
        rows: Any = self.paginate_queryset(self.list_documents(actor=request.user, filters=filters))
        items = self.row_serializer(rows, many=True, context={"actor": request.user}).data
        page = self.get_paginated_response(items)
        page.data["Tabs"] = serialize_tabs(tabs, self.tab_names)
        return page

    def retrieve(self, request: AuthedRequest, **key: str) -> Response:
        return self.answer_detail(request, key[self.lookup_url_kwarg])

    def answer_detail(self, request: AuthedRequest, key: str, *, message: str = "") -> Response:
        """Return the response with the current detail, and a message if there is one."""
        body = self.build_detail_body(actor=request.user, key=key)
        return Ok(body, message=message) if message else Response(body)


def describe_document_schemas(*, page: str, detail: Row) -> Callable[[V], V]:
    """Describe the list as the component `page`, and the answer of `retrieve` as `detail`."""

    def decorate(viewset: V) -> V:
        schemas = extend_schema_view(
            list=extend_schema(
                parameters=[viewset.query_serializer],
                responses=build_tabbed_schema(page, viewset.row_serializer),
            ),
            retrieve=extend_schema(responses=detail),
        )
        return schemas(viewset)

    return decorate


def route_document_verb(
    path: str, *, detail: Row, body: type[BodySerializer] | None = None
) -> Callable[[Verb], Any]:
    """Route `POST /{key}/<path>` to the method: parse `body`, call it, answer with the new detail.

    The method takes the request, the document's key and, if `body` is given, the parsed body. It
    may return a message for the answer. The route honours the `Idempotency-Key` header.
    """

    def decorate(method: Verb) -> Any:
        @wraps(method)
        def view(self: DocumentViewSet, request: AuthedRequest, **kwargs: str) -> Response:
            key = kwargs[self.lookup_url_kwarg]
            parsed = () if body is None else (body.parse(request),)
            message = method(self, request, key, *parsed)
            return self.answer_detail(request, key, message=message or "")

        routed = action(detail=True, methods=["post"], url_path=path)(idempotent(view))
        return extend_schema(request=body, responses=detail)(routed)

    return decorate
